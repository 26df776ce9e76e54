"""What a unit costs at a size. Belongs here: choosing among printed prices. Doesn't: printing or storing them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from pipelines.identity import singular
from pipelines.records import Cost


def first_copies(costs: Sequence[Cost]) -> list[Cost]:
    """The base prices of the first copies, without those under a condition."""
    return [cost for cost in costs if cost.kind == "base" and cost.condition is None and cost.copies_from in (None, 1)]


def smallest_price(costs: Sequence[Cost]) -> Cost | None:
    """The base price of the first copies at the smallest size; None where there is none."""
    return min(first_copies(costs), key=lambda cost: (cost.models, cost.points), default=None)


def price_of(costs: Sequence[Cost], models: int) -> int | None:
    """Points of the first copy at that size; None where no printed price covers it."""
    covering = [cost for cost in first_copies(costs) if cost.models <= models <= (cost.models_max or cost.models)]
    return min((cost.points for cost in covering), default=None)


def add_on_points(costs: Sequence[Cost], carried: Mapping[str, int]) -> int:
    """Points of priced items among those carried (name: how many), each as often as it is carried."""
    prices = {singular(cost.item): cost.points for cost in costs if cost.kind == "add_on" and cost.item is not None}
    return sum(prices.get(singular(item), 0) * count for item, count in carried.items())
