import pytest

from pipelines.dice import parse_dice
from pipelines.simulation import dice
from pipelines.simulation.rulesets import RuleSet


@pytest.mark.parametrize(
    ("text", "mean", "lowest", "highest"),
    [
        ("4", 4, 4, 4), (3, 3, 3, 3), ("D3", 2, 1, 3), ("d6", 3.5, 1, 6), ("2d6 + 1", 8, 3, 13), ("D6+1", 4.5, 2, 7),
        (" 2D3", 4, 2, 6), ("D6-1", 16 / 6, 1, 5),
    ],
)  # fmt: skip
def test_dice_are_read(text, mean, lowest, highest):
    law = dice.dice_law(parse_dice(text), 1)
    assert (dice.mean(law), law[0], dice.largest(law)) == (pytest.approx(mean), lowest, highest)


@pytest.mark.parametrize(
    "text", ["", "D7", "D6+", "D", "6D", "-1", "+3", "0D6", "D3 3", "1.0", "D6+D3", "x", True, None]
)
def test_what_is_not_read_to_its_end_is_refused(text):
    with pytest.raises(ValueError, match="cannot read"):
        parse_dice(text)


@pytest.mark.parametrize("text", ["1001", "101D6", "D6+5000"])
def test_sizes_are_bounded(text):
    with pytest.raises(ValueError, match="too large"):
        parse_dice(text)


def test_canonical_spelling():
    assert [str(parse_dice(text)) for text in ("d6 + 1", "1D3", "2d6-1", 4)] == ["D6+1", "D3", "2D6-1", "4"]


def test_laws_are_exact_integers():
    two = dice.add_laws((1, (1, 1, 1)), (1, (1, 1, 1)))
    assert two == (2, (1, 2, 3, 2, 1))
    assert dice.halve_law(two) == (1, (1, 5, 3))
    assert dice.floor_law(two, 4) == (4, (6, 2, 1))
    assert dice.cap_law(two, 3) == (2, (1, 8))
    assert dice.repeated((1, (1, 1)), 2).tolist() == [0, 0, 0.25, 0.5, 0.25]


def test_rulesets_differ_only_where_they_should(rulesets):
    assert set(rulesets) == {"10e", "11e"}
    assert rulesets["10e"].hit_modifier_cap == rulesets["11e"].hit_modifier_cap == 1
    assert rulesets["11e"].save_total_cap is None


def test_ruleset_errors_name_the_parameter(rulesets):
    values = {
        name: getattr(rulesets["10e"], name) for name in RuleSet.__slots__ if name not in ("name", "save_modifier_cap")
    }
    assert RuleSet.from_mapping("10e", values) == rulesets["10e"]
    for change, message in (
        ({"hit_modifier_cap": "1"}, "hit_modifier_cap"),
        ({"colour": 1}, "colour"),
        ({"cover_effect": "hit"}, "cover_effect"),
    ):
        with pytest.raises(ValueError, match=message):
            RuleSet.from_mapping("10e", values | change)
    del values["cover_effect"]
    with pytest.raises(ValueError, match=r"cover_effect.*missing"):
        RuleSet.from_mapping("10e", values)
