"""What a unit costs at a size. Belongs here: choosing among printed prices. Doesn't: printing or storing them."""

from __future__ import annotations

from collections.abc import Sequence

from pipelines.records import Cost


def _first_copies(costs: Sequence[Cost]) -> list[Cost]:
    return [cost for cost in costs if cost.kind == "base" and cost.condition is None and cost.copies_from in (None, 1)]


def smallest_price(costs: Sequence[Cost]) -> Cost | None:
    """The base price of the first copies at the smallest size; None where there is none."""
    return min(_first_copies(costs), key=lambda cost: (cost.models, cost.points), default=None)


def price_of(costs: Sequence[Cost], models: int) -> int | None:
    """Points of the first copy at that size; None where no printed price covers it."""
    covering = [cost for cost in _first_copies(costs) if cost.models <= models <= (cost.models_max or cost.models)]
    return min((cost.points for cost in covering), default=None)


def add_on_points(costs: Sequence[Cost], items: Sequence[str]) -> int:
    """Points of priced items among those carried, each as often as it is carried."""
    prices = {cost.item: cost.points for cost in costs if cost.kind == "add_on" and cost.item is not None}
    return sum(prices.get(item, 0) for item in items)
