"""The main job from the outside: exit codes, what is published, what bad input does."""

import contextlib
import io
import json
import shutil
from collections.abc import Sequence
from pathlib import Path

import duckdb
import pytest

from pipelines.adhoc import NotFoundError, explain
from pipelines.cli import main
from pipelines.ingest import _OWN_FILES
from pipelines.paths import PROJECT
from pipelines.storage.gate import GateResult
from pipelines.storage.lock import run_lock
from tests.conftest import Published
from tests.sources import csv_samples
from tests.sources.csv_samples import datasheet, priced, write_export

DUMP = "00-sample_leagues-of-votann_memnyr-strategist.txt"


def one_page(folder: Path) -> Sequence[str]:
    """Arguments of a run on one page without community data: the smallest that does everything."""
    raw = folder / "raw"
    raw.mkdir()
    shutil.copy(PROJECT / "raw" / DUMP, raw)
    return ("--raw", str(raw), "--warehouse", str(folder / "w.duckdb"), "--dashboard", str(folder / "d"))


@pytest.fixture
def small(tmp_path: Path) -> Sequence[str]:
    return one_page(tmp_path)


@pytest.fixture(scope="module")
def finished(tmp_path_factory: pytest.TempPathFactory) -> Sequence[str]:
    """The arguments of the small run after it, for tests that only read what it published."""
    arguments = one_page(tmp_path_factory.mktemp("finished"))
    assert main(["run", "--no-community-data", *arguments]) == 0
    return arguments


@pytest.fixture
def ran(finished: Sequence[str], tmp_path: Path) -> Sequence[str]:
    """The same with copies of the warehouse and the dashboard, for tests that run again."""
    _, raw, _, warehouse, _, dashboard = finished
    shutil.copy2(warehouse, tmp_path / "w.duckdb")
    shutil.copytree(dashboard, tmp_path / "d")
    return ("--raw", raw, "--warehouse", str(tmp_path / "w.duckdb"), "--dashboard", str(tmp_path / "d"))


def query(path: Path, sql: str) -> list[tuple[object, ...]]:
    with duckdb.connect(str(path), read_only=True) as connection:
        return connection.execute(sql).fetchall()


def test_a_run_publishes_matchups_reports_and_the_page(published: Published) -> None:
    [(matchups,)] = query(published.warehouse, "SELECT count(*) FROM matchups WHERE scenario_id = 'plain'")
    [(expected,)] = query(
        published.warehouse,
        """
        SELECT sum(w.n * m.n) FROM (SELECT edition, count(*) AS n FROM weapon_profiles JOIN units USING (unit_id)
          GROUP BY edition) AS w
        JOIN (SELECT ruleset_edition AS edition, count(*) AS n FROM matchup_targets GROUP BY 1) AS m USING (edition)
        """,
    )
    assert matchups == expected
    assert matchups > 5_000_000
    assert (published.dashboard / "index.html").stat().st_size > 100_000
    assert (published.dashboard / "reports" / "best_units_per_point.csv").exists()


def test_nothing_lies_beside_the_warehouse(published: Published) -> None:
    beside = {path.name for path in published.warehouse.parent.iterdir()}
    assert beside == {"warehouse.duckdb", "dashboard"}


def test_scenarios_have_rows_only_where_they_change_something(published: Published) -> None:
    assert (
        query(
            published.warehouse,
            """
        SELECT w.attack_type, a.scenario_id, count(*) FROM attack_classes AS a JOIN weapon_profiles AS w
        USING (weapon_profile_id)
        WHERE w.attack_type = 'melee' AND a.scenario_id IN ('half_range', 'stationary', 'cover')
        OR w.attack_type = 'ranged' AND a.scenario_id = 'charged' AND NOT EXISTS (SELECT 1 FROM weapon_abilities AS b
          WHERE b.weapon_profile_id = w.weapon_profile_id AND b.ability = 'lance') GROUP BY ALL
        """,
        )
        == []
    )


def test_each_weapon_runs_under_its_own_edition(published: Published) -> None:
    rows = query(
        published.warehouse,
        "SELECT DISTINCT u.edition, a.ruleset FROM attack_classes a JOIN weapon_profiles USING (weapon_profile_id)"
        " JOIN units u USING (unit_id) ORDER BY ALL",
    )
    assert rows == [("10e", "10e"), ("11e", "11e")]


def test_the_combat_patrol_sheet_has_a_stat_line_and_no_points_metric(published: Published) -> None:
    rows = query(
        published.warehouse,
        """
        SELECT DISTINCT t.toughness IS NOT NULL, t.points, m.points, m.damage_per_100_points,
               m.points_destroyed_per_100_points
        FROM units AS u JOIN targets AS t USING (unit_id) JOIN weapon_profiles AS w USING (unit_id)
        JOIN matchups AS m USING (weapon_profile_id) WHERE u.collection = 'Warspeke’s Prospect'
        """,
    )
    assert rows == [(True, None, None, None, None)]


def test_a_rerun_with_nothing_changed_does_nothing(ran: Sequence[str], capsys: pytest.CaptureFixture[str]) -> None:
    before = Path(ran[3]).stat().st_mtime_ns
    assert main(["run", "--no-community-data", *ran]) == 0
    assert Path(ran[3]).stat().st_mtime_ns == before
    assert "nothing has changed" in capsys.readouterr().out
    assert main(["run", "--no-community-data", "--force", *ran]) == 0
    runs = query(Path(ran[3]), "SELECT count(*), count(DISTINCT input_fingerprint) FROM runs")
    assert runs == [(2, 1)]
    assert query(Path(ran[3]), "SELECT count(DISTINCT run_id) FROM history_costs") == [(2,)]


def test_without_community_data_the_archetypes_are_the_targets(finished: Sequence[str]) -> None:
    assert query(Path(finished[3]), "SELECT DISTINCT kind FROM targets") == [("archetype",)]
    assert query(Path(finished[3]), "SELECT count(*) > 0 FROM matchups") == [(True,)]


def test_one_ruleset_can_be_asked_for_all(small: Sequence[str]) -> None:
    assert main(["run", "--no-community-data", "--ruleset", "11e", *small]) == 0
    assert query(Path(small[3]), "SELECT DISTINCT ruleset FROM matchups") == [("11e",)]


BAD = {
    "prose.txt": b"Dear diary,\ntoday I painted a miniature.\n",
    "empty.txt": b"",
    "binary.txt": bytes(range(256)) * 10,
    "one_line.txt": b"x" * 50_000_000,
}


def test_bad_files_are_quarantined_with_a_reason_and_the_good_ones_published(
    small: Sequence[str], capsys: pytest.CaptureFixture[str]
) -> None:
    for name, content in BAD.items():
        (Path(small[1]) / name).write_bytes(content)
    good = (PROJECT / "raw" / "00-sample_orks_boyz.txt").read_text(encoding="utf-8")
    (Path(small[1]) / "crlf_bom.txt").write_bytes(b"\xef\xbb\xbf" + good.replace("\n", "\r\n").encode())
    assert main(["run", "--no-community-data", *small]) == 0
    said = capsys.readouterr().err
    assert "Traceback" not in said
    issues = query(Path(small[3]), "SELECT path, severity, message FROM ingest_issues WHERE severity = 'error'")
    assert {path for path, _, _ in issues} == set(BAD)
    for name in BAD:
        assert said.count(f"quarantined {name}:1: ") == 1
    units = query(Path(small[3]), "SELECT name FROM units ORDER BY name")
    assert units == [("Boyz",), ("Memnyr Strategist",)]


def test_an_export_beside_a_page_is_accounted_for_and_its_conflicts_can_be_listed(
    small: Sequence[str], capsys: pytest.CaptureFixture[str]
) -> None:
    tables = {
        "Datasheets": [datasheet(name="Memnyr Strategist", damaged_w="1-2", damaged_description="It limps.")],
        "Factions": [{"id": "TF", "name": "Leagues of Votann"}],
        "Datasheets_models": [csv_samples.model(name="Memnyr Strategist", base_size="32mm", inv_sv="4")],
        "Datasheets_wargear": [
            csv_samples.weapon("Close combat weapon", range="Melee", type="Melee", BS_WS="4", S="5"),
            csv_samples.weapon(""),
        ],
        "Datasheets_models_cost": priced(("1 model", "60")),
        "Last_update": [{"last_update": "2031-02-03"}],
    }
    write_export(Path(small[1]) / "export", tables)
    assert main(["run", "--no-community-data", *small]) == 0
    said = capsys.readouterr().err
    assert "rows of the CSV export in export" in said
    assert "Datasheets_wargear: 2 in = 1 kept + 1 reported" in said
    assert "all tables: 7 in = 6 kept + 1 reported" in said

    warehouse = Path(small[3])
    uneven = "SELECT count(*) FROM source_rows WHERE rows_in <> rows_kept + rows_reported"
    assert query(warehouse, uneven) == [(0,)]
    assert query(warehouse, "SELECT sum(rows_in), sum(rows_reported) FROM source_rows") == [(7, 1)]
    assert query(warehouse, "SELECT DISTINCT priced_at FROM unit_costs ORDER BY ALL") == [("2031-02-03",), (None,)]
    assert query(warehouse, "SELECT base_size FROM unit_models WHERE base_size IS NOT NULL") == [("32mm",)] * 2
    assert query(warehouse, "SELECT wounds_from, wounds_to FROM unit_damaged_brackets") == [(1, 2)]
    outdated = "SELECT applied, outcome FROM corrections WHERE unit = 'Venerable Dreadnought'"
    assert query(warehouse, outdated) == [(False, "the unit is gone")]

    listing = "SELECT field, source_kind, value, dated, won FROM source_conflicts ORDER BY field, won"
    assert main(["sql", listing, "--format", "csv", "--warehouse", small[3]]) == 0
    listed = capsys.readouterr().out.splitlines()
    assert "close combat weapon (melee): strength,csv_export,5,2031-02-03,false" in listed
    assert "close combat weapon (melee): strength,text_dump,3,,true" in listed
    assert '"points of 1 models, copy 1 on",csv_export,60,2031-02-03,false' in listed
    assert '"points of 1 models, copy 1 on",text_dump,45,,true' in listed


ODD_VALUES = [
    ("attacks", '| 12" | 1 | 4+ |', '| 12" | 2000 | 4+ |', "weapon_value_unreadable"),
    ("many attacks", '| 12" | 1 | 4+ |', '| 12" | 900 | 4+ |', "value_out_of_range"),
    ("price of nothing", "| 1 model | 45 |", "| 1 model | 0 |", "value_out_of_range"),
    ("price of no models", "| 1 model | 45 |", "| 0 models | 45 |", "value_out_of_range"),
    ("huge price", "| 1 model | 45 |", "| 1 model | 99999999 |", None),
    ("blanks after the title", "Memnyr Strategist\n", "Memnyr Strategist" + " " * 300 + "| x\n", None),
    ("composition", "- 1 Memnyr Strategist", "- 5000 Memnyr Strategist", None),
]


@pytest.fixture(scope="module")
def odd(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, str]:
    """The warehouse of one run on good pages and one page an odd value, each of its own unit; what the run said."""
    arguments = one_page(tmp_path_factory.mktemp("odd"))
    raw = Path(arguments[1])
    shutil.copy(PROJECT / "raw" / "00-sample_orks_boyz.txt", raw)
    good = (raw / DUMP).read_text(encoding="utf-8")
    for label, old, new, _ in ODD_VALUES:
        assert old in good
        text = good.replace(old, new).replace("Memnyr Strategist", f"Memnyr Strategist of {label}")
        (raw / f"{label}.txt").write_text(text, encoding="utf-8")
    said = io.StringIO()
    with contextlib.redirect_stderr(said):
        assert main(["run", "--no-community-data", *arguments]) == 0
    return Path(arguments[3]), said.getvalue()


def test_pages_with_odd_values_stop_nothing(odd: tuple[Path, str]) -> None:
    warehouse, said = odd
    assert "Traceback" not in said
    names = {name for (name,) in query(warehouse, "SELECT name FROM units")}
    assert {"Boyz", "Memnyr Strategist"} <= names
    assert "superseded" not in said


@pytest.mark.parametrize(("label", "code"), [(label, code) for label, _, _, code in ODD_VALUES])
def test_an_odd_value_in_one_page_is_an_issue_of_that_page(odd: tuple[Path, str], label: str, code: str | None) -> None:
    warehouse, _ = odd
    of_page = f"WHERE path = '{label}.txt'"
    assert query(warehouse, f"SELECT status IN ('parsed', 'partial') FROM documents {of_page}") == [(True,)]
    assert code is None or (code,) in query(warehouse, f"SELECT code FROM ingest_issues {of_page}")


def test_files_of_one_name_in_two_folders_are_two_documents(small: Sequence[str], tmp_path: Path) -> None:
    other = tmp_path / "other"
    other.mkdir()
    shutil.copy(PROJECT / "raw" / "00-sample_orks_boyz.txt", other / DUMP)
    assert main(["run", "--no-community-data", *small, "--raw", str(other)]) == 0
    paths = query(Path(small[3]), "SELECT path FROM documents ORDER BY path")
    assert paths == [(f"{other}/{DUMP}",), (f"{small[1]}/{DUMP}",)]


def test_strict_refuses_a_quarantined_document_and_publishes_nothing(
    small: Sequence[str], capsys: pytest.CaptureFixture[str]
) -> None:
    (Path(small[1]) / "prose.txt").write_bytes(BAD["prose.txt"])
    assert main(["run", "--no-community-data", "--strict", *small]) == 1
    assert "prose.txt" in capsys.readouterr().err
    assert not Path(small[3]).exists()


def test_nothing_readable_is_one_line_with_file_line_and_reason(
    small: Sequence[str], capsys: pytest.CaptureFixture[str]
) -> None:
    (Path(small[1]) / DUMP).write_bytes(BAD["prose.txt"])
    assert main(["run", *small]) == 2
    [said] = [line for line in capsys.readouterr().err.splitlines() if line.startswith("warledger:")]
    assert f"{DUMP}:1:" in said


def test_a_missing_raw_folder_is_a_usage_error(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["run", "--raw", str(tmp_path / "nowhere")]) == 2
    assert "nowhere: no such folder" in capsys.readouterr().err


def test_a_run_that_meets_another_leaves(small: Sequence[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("WARLEDGER_STATE", str(tmp_path / "state"))
    script = "import sys; from pipelines.cli import main; sys.exit(main(sys.argv[1:]))"
    with run_lock(tmp_path / "state"):
        import subprocess
        import sys

        ended = subprocess.run(
            [sys.executable, "-c", script, "run", *small], capture_output=True, text=True, check=False
        )
    assert ended.returncode == 2
    assert "another run is in progress" in ended.stderr


def test_a_refused_build_leaves_the_last_good_warehouse(
    ran: Sequence[str], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    before = Path(ran[3]).read_bytes()
    refused = GateResult("rules", "something_was_read", "units", "*", False, "1", "test")
    monkeypatch.setattr("pipelines.storage.release.audit", lambda path: [refused])
    assert main(["run", "--no-community-data", "--force", *ran]) == 1
    assert "something_was_read on units.*" in capsys.readouterr().err
    assert Path(ran[3]).read_bytes() == before


def test_sql_answers_in_every_format(published: Published, capsysbinary: pytest.CaptureFixture[bytes]) -> None:
    arguments = ["sql", "SELECT 1 AS one, 'Kâhl' AS name", "--warehouse", str(published.warehouse), "--format"]
    assert main([*arguments, "csv"]) == 0
    assert capsysbinary.readouterr().out.decode() == "one,name\n1,Kâhl\n"
    assert main([*arguments, "json"]) == 0
    assert json.loads(capsysbinary.readouterr().out) == [{"one": 1, "name": "Kâhl"}]
    assert main([*arguments, "table"]) == 0
    assert "Kâhl" in capsysbinary.readouterr().out.decode()


@pytest.mark.parametrize(
    "statement",
    ["DROP TABLE units", "COPY units TO 'leak.csv'", "SELECT * FROM read_csv('/etc/passwd')", "SELEC 1", "SELECT nope"],
)
def test_sql_reads_only_and_refuses_in_one_line(
    published: Published, capsys: pytest.CaptureFixture[str], statement: str
) -> None:
    assert main(["sql", statement, "--warehouse", str(published.warehouse)]) == 2
    assert len(capsys.readouterr().err.strip().splitlines()) == 1
    assert not Path("leak.csv").exists()


def test_lists_come_out_of_sql_as_json_text(published: Published, capsysbinary: pytest.CaptureFixture[bytes]) -> None:
    arguments = ["--warehouse", str(published.warehouse), "--format", "csv"]
    assert main(["sql", "SELECT ['a', 'b,c'] AS list, {'x': 1} AS struct, NULL AS nothing", *arguments]) == 0
    assert capsysbinary.readouterr().out.decode() == 'list,struct,nothing\n"[""a"", ""b,c""]","{""x"":1}",\n'
    for table in ("targets", "unit_composition", "weapon_profiles", "wargear_options", "weapon_abilities"):
        assert main(["sql", f"FROM {table} LIMIT 3", *arguments]) == 0


ODD_TYPES = """
SELECT sum(points) AS s, [1] AS l, [{'x': 1}] AS ls, {'a': 1} AS st, MAP {'k': [1]} AS m, 'x'::BLOB AS b,
       '101'::BIT AS bit, INTERVAL 1 DAY AS iv, 'infinity'::TIMESTAMP AS ts, now() AS n, NULL AS nu,
       'NaN'::DOUBLE AS nan, 1.5::DECIMAL(4, 2) AS d, uuid() AS u, 'a'::ENUM('a', 'b') AS en,
       TIME '10:00:00' AS t, 1 AS "odd ""name"
FROM unit_costs
"""


@pytest.mark.parametrize("style", ["table", "csv", "json", "parquet"])
def test_every_type_comes_out_in_every_format(
    published: Published, capsysbinary: pytest.CaptureFixture[bytes], style: str
) -> None:
    query = ODD_TYPES if style != "parquet" else ODD_TYPES.replace("'infinity'", "'2026-01-01'")
    assert main(["sql", query, "--warehouse", str(published.warehouse), "--format", style]) == 0
    out = capsysbinary.readouterr().out
    if style == "json":
        [row] = json.loads(out)
        assert row["d"] == 1.5
        assert json.loads(row["st"]) == {"a": 1}


@pytest.mark.parametrize("query", ["", "SELECT 1; SELECT 2"])
def test_sql_takes_one_statement(published: Published, capsys: pytest.CaptureFixture[str], query: str) -> None:
    assert main(["sql", query, "--warehouse", str(published.warehouse)]) == 2
    assert "expected one statement" in capsys.readouterr().err


def test_sql_passes_on_the_hint(published: Published, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["sql", "FROM unitz", "--warehouse", str(published.warehouse)]) == 2
    assert 'Did you mean "units"' in capsys.readouterr().err


def test_the_users_own_page_beats_the_sample(small: Sequence[str], capsys: pytest.CaptureFixture[str]) -> None:
    text = (Path(small[1]) / DUMP).read_text(encoding="utf-8")
    (Path(small[1]) / "000_mine.txt").write_text(text.replace("| 1 model | 45 |", "| 1 model | 50 |"), encoding="utf-8")
    assert main(["run", "--no-community-data", *small]) == 0
    assert f"superseded {DUMP}: 000_mine.txt describes the same datasheet" in capsys.readouterr().err
    assert query(Path(small[3]), "SELECT points FROM unit_costs") == [(50,)]


def test_what_a_run_writes_does_not_change_the_fingerprint() -> None:
    own = {path for pattern in _OWN_FILES for path in PROJECT.glob(pattern)}
    assert PROJECT / "pipelines" / "cli.py" in own
    assert not [path for path in own if (PROJECT / "analyses" / "dashboard") in path.parents]


def test_sql_without_a_warehouse_says_what_to_do(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["sql", "SELECT 1", "--warehouse", str(tmp_path / "none.duckdb")]) == 2
    assert "warledger run" in capsys.readouterr().err


def test_matchup_for_people_shows_the_stages(published: Published, capsys: pytest.CaptureFixture[str]) -> None:
    arguments = ["matchup", "Kapricus Defenders: Magna-rail cannon", "heavy-tank", "--stationary", "--ruleset", "10e"]
    assert main([*arguments, "--warehouse", str(published.warehouse)]) == 0
    said = capsys.readouterr().out
    assert "hits                  0.6667" in said  # 4+ and Heavy: 3+
    assert "against Heavy tank" in said


def test_matchup_for_people_says_what_the_warehouse_says(published: Published) -> None:
    rows = query(
        published.warehouse,
        """
        SELECT concat(u.name, ' (', u.edition, '): ', w.weapon_name, ' – ' || w.profile_name), t.target_id,
               m.expected_hits, m.expected_damage, m.p_destroy_unit
        FROM matchups AS m JOIN weapon_profiles AS w USING (weapon_profile_id) JOIN units AS u USING (unit_id)
        JOIN targets AS t USING (target_id)
        WHERE t.kind = 'archetype' AND m.scenario_id = 'plain' AND hash(m.weapon_profile_id, t.target_id) % 4000 = 0
        """,
    )
    assert len(rows) > 10
    compared = 0
    for weapon, target, hits, damage, destroyed in rows:
        try:
            said = explain(published.warehouse, str(weapon), str(target), models=1, context={}, ruleset=None)
        except NotFoundError:  # names that several factions share
            continue
        compared += 1
        assert f"hits              {hits:10.4f}" in said, weapon
        assert f"damage            {damage:10.4f}" in said, weapon
        assert f"unit destroyed    {destroyed:10.2%}" in said, weapon
    assert compared > 5


@pytest.mark.parametrize("target", ["!!!", ""])
def test_a_target_without_letters_is_none(published: Published, target: str) -> None:
    assert (
        main(["matchup", "Kapricus Defenders: Magna-rail cannon", target, "--warehouse", str(published.warehouse)]) == 2
    )


def test_a_warehouse_of_another_kind_is_said_in_one_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with duckdb.connect(str(tmp_path / "other.duckdb")) as connection:
        connection.execute("CREATE TABLE x (y INTEGER)")
    assert main(["matchup", "Bolt rifle", "transport", "--warehouse", str(tmp_path / "other.duckdb")]) == 2
    assert len(capsys.readouterr().err.strip().splitlines()) == 1


def test_places_that_cannot_be_written_are_refused_before_anything_is_computed(
    small: Sequence[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "file").write_text("x")
    for option, place in (
        ("--dashboard", tmp_path / "file"),
        ("--warehouse", tmp_path),
        ("--warehouse", tmp_path / "file" / "w"),
    ):
        assert main(["run", *small, option, str(place)]) == 2
        [said] = capsys.readouterr().err.strip().splitlines()
        assert str(tmp_path) in said


def test_history_that_an_older_warehouse_lacks_is_said_and_the_old_file_kept(
    ran: Sequence[str], capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("WARLEDGER_STATE", str(tmp_path / "state"))
    with duckdb.connect(ran[3]) as connection:
        connection.execute("ALTER TABLE history_costs DROP COLUMN position")
    assert main(["run", "--no-community-data", "--force", *ran]) == 0
    assert "history_costs" in capsys.readouterr().err
    assert query(Path(ran[3]), "SELECT count(DISTINCT run_id) FROM history_rules") == [(2,)]
    assert query(Path(ran[3]), "SELECT count(DISTINCT run_id) FROM history_costs") == [(1,)]
    [kept] = (tmp_path / "state" / "kept").iterdir()
    assert query(kept, "SELECT count(*) FROM history_costs") == [(1,)]


def test_a_file_that_changes_during_a_run_is_read_by_the_next(
    small: Sequence[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    from pipelines.defs import assets

    page = Path(small[1]) / DUMP
    real = assets.assemble

    def meanwhile(documents: Sequence[object]) -> object:
        page.write_text(
            page.read_text(encoding="utf-8").replace("| 1 model | 45 |", "| 1 model | 55 |"), encoding="utf-8"
        )
        return real(documents)  # type: ignore[arg-type]

    monkeypatch.setattr(assets, "assemble", meanwhile)
    assert main(["run", "--no-community-data", *small]) == 0
    assert query(Path(small[3]), "SELECT points FROM unit_costs") == [(45,)]
    monkeypatch.setattr(assets, "assemble", real)
    assert main(["run", "--no-community-data", *small]) == 0
    assert query(Path(small[3]), "SELECT points FROM unit_costs") == [(55,)]


def test_a_page_without_stratagems_runs(small: Sequence[str]) -> None:
    page = Path(small[1]) / DUMP
    text = page.read_text(encoding="utf-8")
    page.write_text(text.split("\nSTRATAGEMS\n")[0], encoding="utf-8")
    assert main(["run", "--no-community-data", *small]) == 0
    assert query(Path(small[3]), "SELECT count(*) FROM stratagems") == [(0,)]


def test_matchup_says_what_it_does_not_find(published: Published, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["matchup", "Rubber chicken", "heavy-tank", "--warehouse", str(published.warehouse)]) == 2
    assert "no weapon 'Rubber chicken'" in capsys.readouterr().err


BAD_JSON = [
    "{", "{}", '[{"weapon": {"S": "x"}}]', '[{"wepon": {}}]', "[[1]]", '[{"id": NaN}]', '[{"a\\nb": 1}]',
    '[{"id": 1, "id": 2}]', "[" * 100_000,
]  # fmt: skip


@pytest.mark.parametrize("more", [["--cover"], ["--models", "5"], ["--ruleset", "11e"], ["--unseen"]])
def test_matchups_in_json_say_their_own_circumstances(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], more: list[str]
) -> None:
    (tmp_path / "in.json").write_text("[{}]")
    assert main(["matchup", "--json", str(tmp_path / "in.json"), *more]) == 2
    assert "the matchups say their own" in capsys.readouterr().err


@pytest.mark.parametrize("text", BAD_JSON, ids=range(len(BAD_JSON)))
def test_matchup_refuses_bad_json_in_one_line(tmp_path: Path, capsys: pytest.CaptureFixture[str], text: str) -> None:
    (tmp_path / "in.json").write_text(text)
    assert main(["matchup", "--json", str(tmp_path / "in.json")]) == 2
    assert len(capsys.readouterr().err.strip().splitlines()) == 1


def test_help_loads_no_heavy_package() -> None:
    import subprocess
    import sys

    script = "import sys, pipelines.cli as c\ntry: c.main(['--help'])\nexcept SystemExit: pass\n"
    script += "sys.exit(any(name.split('.')[0] in {'dagster', 'polars', 'great_expectations'} for name in sys.modules))"
    assert subprocess.run([sys.executable, "-c", script], capture_output=True, check=False).returncode == 0
