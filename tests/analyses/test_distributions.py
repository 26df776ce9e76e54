"""The views over laws and copies, on the warehouse of the sample input."""

from collections.abc import Iterator

import duckdb
import pytest

from tests.conftest import Published

PAIRS = {
    "matchup_distributions": ("matchups", "weapon_profile_id, target_id, scenario_id, ruleset"),
    "unit_matchup_distributions": ("unit_matchups", "unit_id, models, loadout, phase, target_id, scenario_id, ruleset"),
}


@pytest.fixture(params=PAIRS)
def joined(published: Published, request: pytest.FixtureRequest) -> Iterator[duckdb.DuckDBPyRelation]:
    """Rows of a view with those of the matchups it is about, against two archetypes in the plain scenario."""
    view = request.param
    matchups, keys = PAIRS[view]
    some = "WHERE target_id IN ('terminators', 'questoris-knight') AND scenario_id = 'plain'"
    with duckdb.connect(str(published.warehouse), read_only=True) as connection:
        yield connection.sql(
            f"""
            SELECT d, m, t FROM (FROM {view} {some}) AS d FULL JOIN (FROM {matchups} {some}) AS m USING ({keys})
            JOIN targets AS t USING (target_id)
            """
        )


def broken(rows: duckdb.DuckDBPyRelation, condition: str) -> int:
    """How many rows break a condition; no rows break none, which would prove nothing."""
    [(all_rows, bad)] = rows.aggregate(f"count(*), count(*) FILTER (NOT coalesce({condition}, false))").fetchall()
    assert all_rows > 1000
    return int(bad)


def test_every_matchup_has_its_distribution(joined: duckdb.DuckDBPyRelation) -> None:
    assert broken(joined, "m.target_id IS NOT NULL AND d.damage_law IS NOT NULL") == 0


@pytest.mark.parametrize(
    "condition",
    [
        "abs(list_sum(list_transform(d.damage_law, lambda p, i: (i - 1) * p)) - m.expected_damage) < 1e-4",
        "abs(coalesce(list_sum(d.p_models_at_least), 0) - m.expected_models_destroyed) < 1e-4",
        "abs(coalesce(d.p_models_at_least[t.models], 0) - m.p_destroy_unit) < 1e-6",
        "len(d.damage_law) <= t.wounds * t.models + 1 AND len(d.models_law) <= t.models + 1",
        "d.damage_p10 <= d.damage_p50 AND d.damage_p50 <= d.damage_p90",
        "list_sum(d.damage_law[:d.damage_p50 + 1]) > 0.49999",
        "coalesce(list_sum(d.damage_law[:d.damage_p50]), 0) < 0.5",
        "list_sum(d.models_law[:d.models_p90 + 1]) > 0.89999",
        "coalesce(list_sum(d.models_law[:d.models_p90]), 0) < 0.9",
        "abs(d.expected_overkill - (m.expected_raw_damage - m.expected_damage)) < 1e-9",
        "(d.p_destroy_unit >= 0.8) = coalesce(d.copies_to_destroy = 1, false)",
        "d.points_to_destroy IS NOT DISTINCT FROM d.copies_to_destroy * m.points",
    ],
)
def test_what_a_distribution_says_agrees_with_the_matchup(joined: duckdb.DuckDBPyRelation, condition: str) -> None:
    assert broken(joined, condition) == 0


@pytest.mark.parametrize("report", ["points_to_destroy", "overkill"])
def test_the_reports_rank_within_archetype_and_phase(published: Published, report: str) -> None:
    file = published.dashboard / "reports" / f"{report}.parquet"
    rated = "points_to_destroy" if report == "points_to_destroy" else "-wasted_share"
    [(rows, wrong)] = duckdb.sql(
        f"""
        SELECT count(*), count(*) FILTER (rated < before) FROM (
          SELECT {rated} AS rated, lag(rated) OVER (PARTITION BY target, phase ORDER BY rank) AS before FROM '{file}')
        """
    ).fetchall()
    assert rows > 1000
    assert wrong == 0
