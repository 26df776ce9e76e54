"""The pieces there are to read, and what tells whether one has changed."""

from __future__ import annotations

import os
from pathlib import Path

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from pipelines.sources.community import read_community_dataset
from pipelines.sources.discovery import discover
from pipelines.sources.inputs import Input, content_id, inputs, package_input
from pipelines.sources.serialization import Decoder, encode
from tests.sources import html_samples
from tests.sources.csv_samples import plain_table, weapon, write_export
from tests.sources.sheets import page, written


def pieces(folder: Path) -> list[Input]:
    return list(inputs(folder, discover([folder])))


def test_an_export_is_one_piece_and_each_other_file_another(tmp_path: Path) -> None:
    write_export(tmp_path / "export", {"Datasheets_wargear": [weapon()]})
    written(tmp_path / "export", page(), "note.txt")
    written(tmp_path, page(), "a.txt")
    found = pieces(tmp_path)
    assert [piece.kind for piece in found] == ["export", "file", "file"]
    assert [path.name for path in found[0].files] == ["Datasheets.csv", "Datasheets_wargear.csv", "Factions.csv"]
    assert found[0].byte_count == sum(path.stat().st_size for path in found[0].files)
    assert all(piece.holds(piece.read()) for piece in found)


def test_the_key_changes_with_content_and_path_and_with_nothing_else(tmp_path: Path) -> None:
    file = written(tmp_path, page(), "a.txt")
    [before] = pieces(tmp_path)
    os.utime(file, (1, 1))
    assert pieces(tmp_path)[0].key == before.key
    file.rename(tmp_path / "b.txt")
    assert pieces(tmp_path)[0].key != before.key
    (tmp_path / "b.txt").rename(file)
    written(tmp_path, page() + " ", "a.txt")
    assert pieces(tmp_path)[0].key != before.key


def test_the_key_of_an_export_covers_all_its_tables(tmp_path: Path) -> None:
    write_export(tmp_path, {"Datasheets_wargear": [weapon()]})
    [before] = pieces(tmp_path)
    write_export(tmp_path, {"Datasheets_wargear": [weapon(A="2")]})
    [after] = pieces(tmp_path)
    assert after.key != before.key
    (tmp_path / "Factions.csv").unlink()
    assert pieces(tmp_path)[0].key != after.key


def test_what_is_read_after_a_change_is_of_other_contents(tmp_path: Path) -> None:
    written(tmp_path, page(), "a.txt")
    [piece] = pieces(tmp_path)
    written(tmp_path, page() + "\nmore", "a.txt")
    assert not piece.holds(piece.read())


def test_a_file_that_may_not_be_read_has_no_key_and_is_refused(tmp_path: Path) -> None:
    outside = tmp_path / "outside"
    outside.mkdir()
    raw = tmp_path / "raw"
    raw.mkdir()
    (raw / "link.txt").symlink_to(written(outside, page()))
    (raw / "loop").symlink_to(raw / "loop")
    os.mkfifo(raw / "pipe")
    found = pieces(raw)
    assert [piece.key for piece in found] == [None] * 3
    assert [piece.read()[0].status for piece in found] == ["quarantined"] * 3
    assert [content_id(piece.files[0], raw) for piece in found] == [None] * 3


def test_the_package_is_a_piece_too() -> None:
    piece = package_input()
    assert piece.read() == (read_community_dataset(),)
    assert piece.holds(piece.read())
    assert piece.key is not None


WHOLE = {
    "page.txt": page(),
    "page.html": html_samples.page(html_samples.card()),
    "Datasheets_wargear.csv": plain_table("Datasheets_wargear", [weapon()]),
}
SCRAPS = st.sampled_from(
    [b"9" * 30, b"&#xD800;", b"&#x110000;", b"\xed\xa0\x80", b"\xff", b"\0", b"|", b"\r", b"\n| 1 model | " + b"7" * 25]
) | st.binary(min_size=1, max_size=3)


@given(st.sampled_from(sorted(WHOLE)), st.lists(st.tuples(st.integers(0, 3000), st.integers(0, 3), SCRAPS), max_size=6))
@settings(max_examples=300, suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None)
def test_what_is_read_from_damaged_files_goes_through_bytes_and_back(
    tmp_path: Path, name: str, damage: list[tuple[int, int, bytes]]
) -> None:
    data = bytearray(WHOLE[name].encode())
    for at, lost, scrap in damage:
        data[at : at + lost] = scrap
    write_export(tmp_path, {})
    (tmp_path / name).write_bytes(bytes(data))
    for piece in pieces(tmp_path):
        documents = piece.read()
        assert piece.holds(documents)
        [*back] = Decoder().decode(encode(documents))
        assert [document.path for document in back] == [document.path for document in documents]
        assert [document.issues for document in back] == [document.issues for document in documents]
    for file in tmp_path.iterdir():
        file.unlink()
