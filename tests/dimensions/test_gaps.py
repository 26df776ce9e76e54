"""What the parts of a datasheet leave open about each other."""

from __future__ import annotations

import pytest

from pipelines.dimensions.assemble import assemble
from pipelines.dimensions.gaps import uncarried
from pipelines.records import Composition, WargearOption
from tests.builders import datasheet, document, weapon

WEAPONS = ("Power fist", "Storm bolter", "Chainfist")
SWAP = (["Storm bolter"], ["Chainfist", "Storm bolter"])


@pytest.mark.parametrize(
    ("exchanges", "carried", "expected"),
    [
        ([SWAP], [["Power fist"]], ["Storm bolter"]),
        ([SWAP], [["Power fists"], ["Storm bolters"]], []),  # one kind of model carries it
        ([SWAP, SWAP], [["Power fist"]], ["Storm bolter"]),  # told once
        ([SWAP, (["Power fist"], ["Storm bolter"])], [["Power fist"]], []),  # another option gives it
        ([SWAP], [["Power fist"], None], []),  # what one kind carries is unknown
        ([SWAP], [], []),
        ([(["a ranged weapon"], ["Chainfist"])], [["Power fist"]], []),  # no weapon's name
        ([([], ["Chainfist"])], [["Power fist"]], []),
    ],
)
def test_a_weapon_is_missing_where_nobody_has_what_an_option_replaces(
    exchanges: list[tuple[list[str], list[str]]], carried: list[list[str] | None], expected: list[str]
) -> None:
    assert uncarried(exchanges, carried, WEAPONS) == expected


def test_each_such_datasheet_is_an_issue_of_its_document() -> None:
    option = WargearOption(1, "words", "replace", ("Storm bolter",), ("Chainfist",), line=7)
    sheets = {
        name: datasheet(
            name,
            composition=(Composition("Terminator", 5, 5, carried),),
            wargear_options=(option,),
            weapons=tuple(weapon(each) for each in WEAPONS),
        )
        for name, carried in (("Bare", ("Power fist",)), ("Armed", ("Storm bolter",)))
    }
    documents = [document(sheet, path=name) for name, sheet in sheets.items()]
    issues = assemble(documents).frames["ingest_issues"]
    assert issues.select("path", "severity", "code", "line", "message").rows() == [
        (
            "Bare", "warning", "option_replaces_uncarried", 7,
            "Bare: an option replaces Storm bolter, which no model carries by default",
        )
    ]  # fmt: skip
