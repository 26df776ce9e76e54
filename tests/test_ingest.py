"""Which documents a run sees, from one run to the next."""

from __future__ import annotations

from pathlib import Path

import duckdb
import pytest

from pipelines.cli import main
from pipelines.ingest import NothingReadableError, fingerprint, ingest, raw_fingerprint
from pipelines.sources.inputs import Input
from tests.sources.sheets import TITLE, page, written

OTHER = page().replace(TITLE, "Iron Pact – Gun Mates")


@pytest.fixture
def raw(tmp_path: Path) -> Path:
    folder = tmp_path / "raw"
    folder.mkdir()
    written(folder, page(), "crew.txt")
    written(folder, OTHER, "mates.txt")
    return folder


def test_a_removed_file_leaves_the_current_tables_and_stays_in_history(
    raw: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("WARLEDGER_STATE", str(tmp_path / "state"))
    warehouse = tmp_path / "w.duckdb"
    command = ["run", "--no-community-data", "--raw", str(raw), "--warehouse", str(warehouse)]
    command += ["--dashboard", str(tmp_path / "dashboard")]
    assert main(command) == 0
    (raw / "mates.txt").unlink()
    assert main(command) == 0
    with duckdb.connect(str(warehouse), read_only=True) as connection:

        def names(query: str) -> list[str]:
            return [name for (name,) in connection.execute(query).fetchall()]

        assert names("SELECT name FROM units") == ["Gun Crew"]
        assert names("SELECT path FROM documents") == ["crew.txt"]
        runs = names("SELECT run_id FROM runs ORDER BY started_at")
        per_run = [
            names(f"SELECT DISTINCT unit_name FROM history_costs WHERE run_id = '{run}' ORDER BY 1") for run in runs
        ]
    assert per_run == [["Gun Crew", "Gun Mates"], ["Gun Crew"]]
    assert (tmp_path / "state" / "documents.sqlite").is_file()


def test_a_rerun_parses_what_changed_whatever_folder_it_lies_in(
    raw: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    parsed: list[str] = []
    real = Input.read
    monkeypatch.setattr(Input, "read", lambda self: parsed.append(self.files[0].name) or real(self))
    second, cache = tmp_path / "second", tmp_path / "documents.sqlite"
    second.mkdir()
    written(second, OTHER.replace("| 55 |", "| 60 |"), "mates.txt")
    before = ingest([raw, second], community_data=False, cache=cache)
    assert sorted(parsed) == ["crew.txt", "mates.txt", "mates.txt"]
    assert {document.path for document in before} == {
        f"{raw}/crew.txt", f"{raw}/mates.txt", f"{second}/mates.txt",
    }  # fmt: skip
    parsed.clear()
    assert ingest([raw, second], community_data=False, cache=cache) == before
    assert parsed == []
    alone = ingest([raw], community_data=False, cache=cache)
    assert [document.path for document in alone] == ["crew.txt", "mates.txt"]
    written(raw, OTHER.replace("| 55 |", "| 65 |"), "mates.txt")
    ingest([raw], community_data=False, cache=cache)
    assert parsed == ["mates.txt"]


def test_the_community_data_set_is_kept_too(raw: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    cache = tmp_path / "documents.sqlite"
    before = ingest([raw], community_data=True, cache=cache)
    monkeypatch.setattr(Input, "read", lambda self: pytest.fail(f"{self.files} parsed"))
    assert ingest([raw], community_data=True, cache=cache) == before


def test_of_equal_contents_each_path_is_kept(raw: Path, tmp_path: Path) -> None:
    written(raw, page(), "again.txt")
    for _ in range(2):
        documents = ingest([raw], community_data=False, cache=tmp_path / "documents.sqlite")
        [crew] = [document for document in documents if document.unit_name == "Gun Crew"]
        assert {crew.path, *crew.other_paths} == {"again.txt", "crew.txt"}


def test_a_folder_with_nothing_readable_is_said_with_file_and_line(tmp_path: Path) -> None:
    written(tmp_path, "prose", "a.txt")
    with pytest.raises(NothingReadableError, match=r"a\.txt:1: "):
        ingest([tmp_path], community_data=True)


def test_a_damaged_cache_changes_no_document(raw: Path, tmp_path: Path) -> None:
    cache = tmp_path / "documents.sqlite"
    expected = ingest([raw], community_data=False)
    for content in (b"", b"rubbish" * 1000):
        cache.write_bytes(content)
        assert ingest([raw], community_data=False, cache=cache) == expected


def test_fingerprints_change_with_name_and_content(raw: Path) -> None:
    def both() -> tuple[str, str]:
        return fingerprint([raw], ruleset="", community_data=False), raw_fingerprint([raw])

    seen = [both()]
    written(raw, OTHER + "\n", "mates.txt")
    seen.append(both())
    (raw / "mates.txt").rename(raw / "others.txt")
    seen.append(both())
    assert both() == seen[-1]
    assert len({one for one, _ in seen}) == len({other for _, other in seen}) == 3
