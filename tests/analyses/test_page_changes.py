"""What changed between runs, told apart from what only got another label or another place."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from analyses import page_changes
from analyses.page_changes import changes, word_difference
from pipelines.storage.build import connect, create
from tests.analyses.small_warehouse import small_warehouse

BEFORE, AFTER = "r0", "r1"


def _cost(run_id: str, points: int, **more: Any) -> dict[str, Any]:
    usual = {"unit_id": "u0", "unit_name": "Boyz", "position": 1, "models": 5, "kind": "base"}
    return {**usual, "run_id": run_id, "points": points, **more}


def _profile(run_id: str, **more: Any) -> dict[str, Any]:
    usual = {"weapon_profile_id": "w1", "unit_id": "u0", "weapon_name": "Shoota", "attack_type": "ranged",
             "range_inches": 18, "attacks": "2", "skill": 5, "strength": "4", "armour_penetration": 0, "damage": "1",
             "abilities": "rapid_fire 1"}  # fmt: skip
    return {**usual, "run_id": run_id, **more}


def _rule(run_id: str, title: str, body: str, kind: str = "core_ability") -> dict[str, Any]:
    return {
        "run_id": run_id,
        "rule_id": f"{kind} {title} {body}",
        "title": title,
        "kind": kind,
        "body_sha256": body,
        "body": body,
    }


def _since(
    path: Path,
    costs: Sequence[dict[str, Any]] = (),
    profiles: Sequence[dict[str, Any]] = (),
    rules: Sequence[dict[str, Any]] = (),
) -> dict[str, Any]:
    history = {"history_costs": costs, "history_profiles": profiles, "history_rules": rules}
    with connect(small_warehouse(path / "w.duckdb", history=history)) as connection:
        (since,) = changes(connection)["since"]
    return dict(since)


def _steps(since: dict[str, Any]) -> list[tuple[Any, Any]]:
    return [(row["before"], row["after"]) for row in since["costs"]]


def test_no_run_and_one_run_have_nothing_to_compare(tmp_path: Path) -> None:
    create(tmp_path / "none.duckdb", {})
    with connect(tmp_path / "none.duckdb") as connection:
        assert changes(connection) == {"run": None, "runs": 0, "since": []}
    with connect(small_warehouse(tmp_path / "one.duckdb")) as connection:
        told = changes(connection)
    assert (told["run"]["run_id"], told["runs"], told["since"]) == (AFTER, 1, [])


def test_equal_runs_differ_in_nothing(tmp_path: Path) -> None:
    rows = [make(run) for make in (lambda run: _cost(run, 80),) for run in (BEFORE, AFTER)]
    since = _since(
        tmp_path, rows, [_profile(BEFORE), _profile(AFTER)], [_rule(BEFORE, "t", "b"), _rule(AFTER, "t", "b")]
    )
    assert set(since["totals"].values()) == {0}
    assert since["run"]["run_id"] == BEFORE


def test_a_new_price_is_told_with_both_sides(tmp_path: Path) -> None:
    since = _since(tmp_path, [_cost(BEFORE, 80), _cost(AFTER, 90, priced_at="2026-12-01")])
    (cost,) = since["costs"]
    assert (cost["unit"], cost["faction"], cost["before"], cost["after"]) == ("Boyz", "Orks", 80, 90)


def test_prices_of_other_sizes_and_copies_are_other_prices(tmp_path: Path) -> None:
    both = [(5, None, 80), (10, None, 150), (5, 3, 85)]
    before = [_cost(BEFORE, points, position=n, models=m, copies_from=c) for n, (m, c, points) in enumerate(both)]
    after = [
        _cost(AFTER, points + 5 * (m == 10), position=n, models=m, copies_from=c)
        for n, (m, c, points) in enumerate(both)
    ]
    assert _steps(_since(tmp_path, [*before, *after])) == [(150, 155)]


def test_a_price_that_only_got_a_label_is_no_change(tmp_path: Path) -> None:
    before = [_cost(BEFORE, 10, kind="add_on"), _cost(BEFORE, 10, kind="add_on", position=2)]
    after = [_cost(AFTER, 10, kind="add_on", item="Rokkit"), _cost(AFTER, 10, kind="add_on", position=2, item="Claw")]
    assert _steps(_since(tmp_path, [*before, *after])) == []


def test_a_label_does_not_hide_a_price_that_comes_to_the_same(tmp_path: Path) -> None:
    """One price rose from 90 to 100 while another of 90 came: two changes."""
    since = _since(tmp_path, [_cost(BEFORE, 90), _cost(AFTER, 100), _cost(AFTER, 90, position=2, condition="if led")])
    assert sorted(_steps(since), key=str) == [(90, 100), (None, 90)]


def test_prices_that_come_and_go(tmp_path: Path) -> None:
    before = [_cost(BEFORE, 80), _cost(BEFORE, 20, kind="add_on", item="Claw", position=2)]
    after = [_cost(AFTER, 80), _cost(AFTER, 5, kind="add_on", item="Rokkit", position=2)]
    assert sorted(_steps(_since(tmp_path, [*before, *after])), key=str) == [(20, None), (None, 5)]


def test_whole_datasheets_come_and_go_without_their_prices(tmp_path: Path) -> None:
    costs = [
        _cost(BEFORE, 80),
        _cost(AFTER, 80),
        _cost(AFTER, 70, unit_id="u2", unit_name="x"),
        _cost(BEFORE, 60, unit_id="old", unit_name="Old ones"),
    ]
    profiles = [_profile(BEFORE), _profile(AFTER), _profile(AFTER, unit_id="u2", weapon_profile_id="w2")]
    since = _since(tmp_path, costs, profiles)
    sheets = {row["unit_id"]: row["is_now"] for row in since["sheets"]}
    assert sheets == {"u2": True, "old": False}
    assert [row["name"] for row in since["sheets"] if not row["is_now"]] == ["Old ones"]
    assert since["costs"] == since["profiles"] == []


def test_fields_of_a_profile_that_differ(tmp_path: Path) -> None:
    profiles = [
        _profile(BEFORE),
        _profile(AFTER, attacks="3", skill=None),
        _profile(AFTER, weapon_profile_id="w2", weapon_name="Choppa"),
    ]
    choppa, shoota = _since(tmp_path, profiles=profiles)["profiles"]
    assert shoota["fields"] == [["attacks", "2", "3"], ["skill", 5, None]]
    assert (choppa["weapon"], choppa["was"], choppa["is_now"]) == ("Choppa", False, True)
    assert ["damage", None, "1"] in choppa["fields"]


def test_a_profile_that_changed_in_nothing_shown_is_none(tmp_path: Path) -> None:
    assert _since(tmp_path, profiles=[_profile(BEFORE, dice_range="1-3"), _profile(AFTER)])["profiles"] == []


def test_an_earlier_run_without_profiles_is_not_called_all_new(tmp_path: Path) -> None:
    since = _since(tmp_path, [_cost(BEFORE, 80), _cost(AFTER, 80)], [_profile(AFTER)])
    assert not since["known"]["profiles"]
    assert since["profiles"] == since["sheets"] == []


def test_rewording_is_paired_under_its_title(tmp_path: Path) -> None:
    rules = [
        _rule(BEFORE, "Stealth", "attacks at this unit have minus one to hit"),
        _rule(AFTER, "Stealth", "attacks at this unit have minus two to hit"),
        _rule(BEFORE, "Scouts", "moves first"),
        _rule(AFTER, "Lone Operative", "hard to see"),
        _rule(AFTER, "part", "of another", kind="nested_rule"),
    ]
    told = {rule["title"]: rule for rule in _since(tmp_path, rules=rules)["rules"]}
    assert told.keys() == {"Stealth", "Scouts", "Lone Operative"}
    assert (told["Scouts"]["was"], told["Scouts"]["is_now"]) == (True, False)
    assert (told["Lone Operative"]["was"], told["Lone Operative"]["is_now"]) == (False, True)
    assert ("gone", "one") in told["Stealth"]["words"]
    assert ("come", "two") in told["Stealth"]["words"]


def test_of_several_texts_under_a_title_the_likest_belong_together() -> None:
    gone = ["roll a die for each model", "move through walls and models"]
    come = ["move through walls and vehicles", "roll two dice for each model", "entirely other words here"]
    assert page_changes._paired(gone, come) == [(gone[1], come[0]), (gone[0], come[1]), (None, come[2])]


def test_too_many_texts_under_a_title_are_paired_in_order(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(page_changes, "MOST_PAIRINGS", 3)
    assert page_changes._paired(["a b", "c d"], ["c d", "a b"]) == [("a b", "c d"), ("c d", "a b")]


def test_lists_are_bounded_and_totals_are_not(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(page_changes, "MOST_ROWS", 2)
    monkeypatch.setattr(page_changes, "MOST_TEXTS", 1)
    costs = [
        _cost(run, 80 + n + 5 * (run == AFTER), position=n, models=n + 1) for n in range(4) for run in (BEFORE, AFTER)
    ]
    rules = [
        _rule(BEFORE, "kept", "same"),
        _rule(AFTER, "kept", "same"),
        *(_rule(AFTER, f"t{n}", "b") for n in range(3)),
    ]
    since = _since(tmp_path, costs, rules=rules)
    assert (len(since["costs"]), since["totals"]["costs"]) == (2, 4)
    assert (len(since["rules"]), since["totals"]["rules"]) == (1, 3)


def test_only_the_last_few_runs_are_compared(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(page_changes, "EARLIER_RUNS", 0)
    with connect(small_warehouse(tmp_path / "w.duckdb", history={"history_costs": [_cost(BEFORE, 1)]})) as connection:
        assert changes(connection)["since"] == []


@pytest.mark.parametrize(
    ("before", "after", "expected"),
    [
        ("a b c", "a  b\nc", [("left out", "3")]),
        ("one two three x four five six", "one two three y four five six",
         [("same", "one two three"), ("gone", "x"), ("come", "y"), ("same", "four five six")]),
        ("", "new text", [("come", "new text")]),
        ("old text", "", [("gone", "old text")]),
        ("a x b y c", "a 1 b 2 c", [("same", "a"), ("gone", "x b y"), ("come", "1 b 2"), ("same", "c")]),
        ("", "", []),
    ],
)  # fmt: skip
def test_word_difference(before: str, after: str, expected: list[tuple[str, str]]) -> None:
    assert word_difference(before, after) == expected


def test_long_unchanged_runs_keep_their_ends() -> None:
    words = [f"w{n}" for n in range(60)]
    runs = word_difference(" ".join([*words, "x", *words]), " ".join([*words, "y", *words]))
    kept = page_changes.CONTEXT
    assert runs == [
        ("left out", str(60 - kept)), ("same", " ".join(words[-kept:])), ("gone", "x"), ("come", "y"),
        ("same", " ".join(words[:kept])), ("left out", str(60 - kept)),
    ]  # fmt: skip


def test_what_is_gone_and_come_rebuilds_both_texts() -> None:
    before, after = "the unit may shoot and then charge in its turn", "the unit may fight and then rest in any turn"
    runs = word_difference(before, after)
    assert runs is not None
    for side, text in (("gone", before), ("come", after)):
        assert " ".join(words for kind, words in runs if kind in ("same", side)) == text


def test_texts_too_long_to_compare_are_only_named() -> None:
    assert word_difference("a " * (page_changes.MOST_WORDS + 1), "b") is None
