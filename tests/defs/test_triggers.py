"""The sensor and the jobs over a folder of their own."""

import shutil
from pathlib import Path

from dagster import DagsterInstance, RunRequest, SkipReason, build_sensor_context

from pipelines.definitions import build_defs
from pipelines.defs.jobs import daily, raw_changed
from pipelines.defs.resources import RunOptions
from pipelines.paths import PROJECT


def options(folder: Path) -> RunOptions:
    (folder / "raw").mkdir(exist_ok=True)
    return RunOptions(raw=[str(folder / "raw")], state=str(folder / "state"), community_data=False)


def evaluate(folder: Path, cursor: str | None) -> tuple[list[RunRequest | SkipReason], str | None]:
    context = build_sensor_context(cursor=cursor, resources={"options": options(folder)})
    return list(raw_changed(context)), context.cursor


def test_the_sensor_asks_for_a_run_when_content_changes_and_only_then(tmp_path: Path) -> None:
    options(tmp_path)
    page = tmp_path / "raw" / "boyz.txt"
    shutil.copy(PROJECT / "raw" / "00-sample_orks_boyz.txt", page)
    [first], cursor = evaluate(tmp_path, None)
    assert isinstance(first, RunRequest)
    assert first.run_key == cursor

    page.touch()
    [unchanged], cursor = evaluate(tmp_path, cursor)
    assert isinstance(unchanged, SkipReason)

    page.write_text(page.read_text(encoding="utf-8").replace("| 85 |", "| 90 |") + "\n", encoding="utf-8")
    [changed], _ = evaluate(tmp_path, cursor)
    assert isinstance(changed, RunRequest)
    assert changed.run_key != first.run_key


def test_the_sensor_says_why_it_waits_when_the_folder_is_gone(tmp_path: Path) -> None:
    given = options(tmp_path)
    shutil.rmtree(tmp_path / "raw")
    [reason] = list(raw_changed(build_sensor_context(resources={"options": given})))
    assert isinstance(reason, SkipReason)
    assert "no such folder" in str(reason.skip_message)


def test_ingest_only_reads_and_stores_nothing_else(tmp_path: Path) -> None:
    given = options(tmp_path)
    shutil.copy(PROJECT / "raw" / "00-sample_orks_boyz.txt", tmp_path / "raw")
    job = build_defs(given).resolve_job_def("ingest_only")
    with DagsterInstance.ephemeral() as instance:
        result = job.execute_in_process(instance=instance)
    [document] = result.output_for_node("source_documents")
    assert document.unit_name == "Boyz"
    assert not list((tmp_path / "state").rglob("*.duckdb"))


def test_the_schedule_runs_everything_every_day() -> None:
    assert daily.job_name == "everything"
    assert daily.cron_schedule == "0 5 * * *"
