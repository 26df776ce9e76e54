"""Documents on their way from asset to asset."""

from pathlib import Path

import pytest
from dagster import build_input_context, build_output_context
from upath import UPath

from pipelines.defs.values import DocumentsIOManager
from pipelines.sources.serialization import PayloadError
from tests.builders import datasheet, document


def test_documents_come_back_in_order(tmp_path: Path) -> None:
    manager, path = DocumentsIOManager(str(tmp_path)), UPath(tmp_path / "value")
    documents = [document(datasheet(f"Unit {number}"), path=f"{number}.txt") for number in range(5)]
    for value in (documents, []):
        manager.dump_to_path(build_output_context(), value, path)
        assert manager.load_from_path(build_input_context(), path) == value


@pytest.mark.parametrize("kept", [4, 8, 20, -1])
def test_a_file_that_was_cut_off_is_refused(tmp_path: Path, kept: int) -> None:
    manager, path = DocumentsIOManager(str(tmp_path)), UPath(tmp_path / "value")
    manager.dump_to_path(build_output_context(), [document(datasheet())], path)
    path.write_bytes(path.read_bytes()[:kept])
    with pytest.raises(PayloadError):
        manager.load_from_path(build_input_context(), path)
