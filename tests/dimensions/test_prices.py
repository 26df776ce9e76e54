from pipelines.dimensions.prices import add_on_points, price_of, smallest_price
from pipelines.records import Cost

TIERS = (
    Cost(6, 160, models_max=10, copies_from=1, copies_to=2),
    Cost(5, 75, copies_from=1, copies_to=2),
    Cost(5, 85, copies_from=3),
    Cost(5, 60, kind="alternative", condition="in another army"),
    Cost(1, 5, kind="add_on", item="Thunder hammer"),
)


def test_the_smallest_price_is_that_of_the_first_copies() -> None:
    price = smallest_price(TIERS)
    assert price is not None
    assert (price.models, price.points) == (5, 75)


def test_a_price_covers_its_range_of_sizes_only() -> None:
    assert price_of(TIERS, 5) == 75
    assert price_of(TIERS, 8) == 160
    assert price_of(TIERS, 11) is None
    assert price_of((), 1) is None


def test_priced_items_count_as_often_as_they_are_carried() -> None:
    assert add_on_points(TIERS, {"Thunder hammer": 2, "Storm shield": 1}) == 10
