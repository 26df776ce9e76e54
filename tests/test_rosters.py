"""Army lists: from the text of the GW app to exact results, against the published sample warehouse."""

from __future__ import annotations

from pathlib import Path

import polars as pl
import pytest

from analyses.roster import as_text, write
from pipelines.cli import DONE, USAGE, main
from pipelines.rosters import RosterReport, hand_out, report
from pipelines.sources.roster import UnreadableRosterError, read_roster
from tests.conftest import Published

LIST = """Practice (250 points)

Space Marines
Incursion (1000 points)
Gladius Task Force

BATTLELINE

Intercessor Squad (80 points)
  • 1x Intercessor Sergeant
     ◦ 1x Bolt pistol
     ◦ 1x Bolt rifle
     ◦ 1x Power fist
  • 4x Intercessor
     ◦ 4x Bolt pistol
     ◦ 4x Bolt rifle
     ◦ 4x Close combat weapon

OTHER DATASHEETS

Terminator Squad (170 points)
  • 1x Terminator Sergeant
     ◦ 1x Power fist
     ◦ 1x Storm bolter
  • 4x Terminator
     ◦ 1x Assault cannon
     ◦ 4x Power fist
     ◦ 3x Storm bolter
     ◦ 1x Banner of practice
"""


@pytest.fixture(scope="module")
def found(published: Published) -> RosterReport:
    return report(published.warehouse, read_roster(LIST))


def test_a_list_is_read_with_its_units_weapons_and_points() -> None:
    roster = read_roster(LIST)
    assert (roster.faction, roster.points, roster.format) == ("Adeptus Astartes", 250, "gw")
    assert [(unit.name, unit.models, unit.points) for unit in roster.units] == [
        ("Intercessor Squad", 5, 80), ("Terminator Squad", 5, 170),
    ]  # fmt: skip
    assert dict(roster.units[0].wargear)["Bolt rifle"] == 5


@pytest.mark.parametrize(
    ("text", "said"), [("hello", "no army list in a known format"), ("", "empty"), ("x" * 1_000_001, "at most 1000000")]
)
def test_what_is_no_list_is_refused(text: str, said: str) -> None:
    with pytest.raises(UnreadableRosterError, match=said):
        read_roster(text)


@pytest.mark.parametrize(
    ("models", "wargear", "kinds", "rows"),
    [
        (3, (("Fist", 1), ("Knife", 2)), {"Fist": "melee", "Knife": "melee"},
         {(("Fist", 1),): 1, (("Knife", 1),): 2}),
        (2, (("Fist", 1), ("Knife", 2)), {"Fist": "melee", "Knife": "melee"},
         {(("Fist", 1), ("Knife", 1)): 1, (("Knife", 1),): 1}),
        (2, (("Gun", 1), ("Cannon", 1), ("Pistol", 2)), {"Gun": "ranged", "Cannon": "ranged", "Pistol": "close"},
         {(("Gun", 1), ("Pistol", 1)): 1, (("Cannon", 1), ("Pistol", 1)): 1}),
        (1, (("Gun", 3),), {"Gun": "ranged"}, {(("Gun", 3),): 1}),
    ],
)  # fmt: skip
def test_weapons_go_round_the_models(models: int, wargear: object, kinds: object, rows: object) -> None:
    assert {items: number for number, items in hand_out(models, wargear, kinds)} == rows  # type: ignore[arg-type]


def test_each_unit_meets_every_archetype_in_both_phases(found: RosterReport) -> None:
    counts = found.matchups.group_by("unit", "phase").len()
    archetypes = found.targets["target_id"].n_unique()
    assert counts.height == 4
    assert counts["len"].unique().to_list() == [archetypes]


def test_the_weapons_of_the_list_are_used_and_no_others(found: RosterReport) -> None:
    used = found.matchups.filter(pl.col("unit") == "Terminator Squad", pl.col("phase") == "fight")["used"].unique()
    assert used.to_list() == ["5 × Power Fist"]


def test_a_result_by_hand(found: RosterReport) -> None:
    """Five fists, A3 WS3+ S8 AP-2 D2, at a heavy tank, T12 Sv2+: 15 attacks, 2/3 hit, 1/3 wound, 1/2 unsaved, D 2."""
    row = found.matchups.filter(
        pl.col("unit") == "Terminator Squad", pl.col("phase") == "fight", pl.col("target_id") == "heavy-tank"
    )
    assert row["expected_damage"].item() == pytest.approx(15 * 2 / 3 / 3 / 2 * 2, abs=1e-4)


def test_the_list_is_the_sum_of_its_units(found: RosterReport, published: Published) -> None:
    summed = found.matchups.group_by("phase", "target_id").agg(pl.col("expected_damage").sum().alias("summed"))
    joined = found.targets.join(summed, on=["phase", "target_id"])
    assert joined["expected_damage"].to_list() == pytest.approx(joined["summed"].to_list())
    assert found.units["share_of_points"].to_list() == pytest.approx([80 / 250, 170 / 250])
    larger = report(
        published.warehouse, read_roster(LIST.replace("(250 points)", "(1000 points)"))
    )  # the size of the game
    assert larger.units["share_of_points"].to_list() == pytest.approx([80 / 250, 170 / 250])


def test_what_is_left_out_is_said(found: RosterReport) -> None:
    assert found.left_out == ("Terminator Squad: Banner of practice has no attacks in the warehouse",)
    assert "left out: Terminator Squad: Banner of practice" in as_text(found)


def test_tables_and_page_are_written_and_names_escaped(found: RosterReport, tmp_path: Path) -> None:
    hostile = found.units.with_columns(unit=pl.lit("<img src=x onerror=alert(1)>"))
    changed = RosterReport(found.roster, hostile, found.matchups, found.targets, found.left_out)
    paths = write(changed, tmp_path / "out")
    assert {path.suffix for path in paths} == {".html", ".csv", ".parquet"}
    page = (tmp_path / "out" / "index.html").read_text(encoding="utf-8")
    assert "<img" not in page
    assert "&lt;img src=x" in page
    assert pl.read_csv(tmp_path / "out" / "roster_targets.csv").height == found.targets.height


def test_the_command(published: Published, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    listed = tmp_path / "list.txt"
    listed.write_text(LIST, encoding="utf-8")
    assert main(["roster", str(listed), "--warehouse", str(published.warehouse)]) == DONE
    assert "weakest matchup:" in capsys.readouterr().out
    listed.write_text("no list", encoding="utf-8")
    assert main(["roster", str(listed), "--warehouse", str(published.warehouse)]) == USAGE
    assert f"{listed}: no army list in a known format" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ("4x Intercessor", "300000x Intercessor", "Intercessor Squad: 300001 × models; at most 1000 are read"),
        ("4x Bolt rifle", "99999999999x Bolt rifle", "at most 1000 are read"),
    ],
)
def test_counts_are_bounded(old: str, new: str, said: str) -> None:
    with pytest.raises(UnreadableRosterError, match=said):
        read_roster(LIST.replace(old, new))


def test_a_unit_without_a_price_has_no_worth(published: Published) -> None:
    free = report(published.warehouse, read_roster(LIST.replace("Squad (80 points)", "Squad (0 points)")))
    assert free.units["points"].to_list() == [None, 170]
    assert free.units["wounds_worth"].is_null().to_list() == [True, False]


def test_bytes_that_are_no_text_are_refused_in_a_line(
    published: Published, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "list").write_bytes(bytes([0xFF, 0xFE, 0x81]))
    assert main(["roster", str(tmp_path / "list"), "--warehouse", str(published.warehouse)]) == USAGE
    assert "not UTF-8 text" in capsys.readouterr().err
