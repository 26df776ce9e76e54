import hashlib
import tomllib
from pathlib import Path

import pytest

from pipelines.dimensions.assemble import assemble
from pipelines.paths import PROJECT
from pipelines.sources.discovery import discover, read_document
from pipelines.storage.build import UnreadableWarehouseError, connect, create
from pipelines.storage.originals import NoOriginalError, read_original
from tests.conftest import Published
from tests.sources.sheets import page, written

MARK = b"\xef\xbb\xbf"
ODD = page().replace("Siege Line", "Dêlve’s Line")
DUMPS = {
    "plain": page().encode(),
    "crlf": MARK + ODD.replace("\n", "\r\n").encode() + b"\r\n",
    "cr": ODD.replace("\n", "\r").encode(),
    "mixed": ODD.replace("\n", "\r\n", 5).encode() + b"\n\r\n",
    "windows": MARK + ODD.replace("\n", "\r\n").encode("cp1252"),
    "undefined": ODD.encode("cp1252").replace(b"Gun Crew", b"Gun\x81Crew", 1),
    "marked twice": MARK + MARK + page().encode(),
}


@pytest.fixture
def warehouse(tmp_path: Path) -> Path:
    files = [written(tmp_path, data, name) for name, data in DUMPS.items()]
    documents = [read_document(path, root=tmp_path) for path in [*files, written(tmp_path, b"no page", "no page")]]
    assert [document.status for document in documents] == ["parsed"] * len(DUMPS) + ["quarantined"]
    create(tmp_path / "warehouse.duckdb", assemble(documents).frames)
    return tmp_path / "warehouse.duckdb"


def test_each_sample_dump_comes_back_from_the_published_warehouse(published: Published) -> None:
    files = discover([PROJECT / "raw"])
    assert len(files) >= 14
    for path in files:
        data = path.read_bytes()
        assert read_original(published.warehouse, hashlib.sha256(data).hexdigest()) == data, path.name


@pytest.mark.parametrize("name", DUMPS)
def test_each_form_of_a_dump_comes_back(warehouse: Path, name: str) -> None:
    data = DUMPS[name]
    assert read_original(warehouse, hashlib.sha256(data).hexdigest()) == data


def test_dumps_that_differ_in_form_alone_share_their_texts(warehouse: Path) -> None:
    with connect(warehouse) as connection:
        counts = dict(
            connection.sql(
                "SELECT path, list(text_id ORDER BY start_line) FROM document_spans JOIN documents USING (document_id)"
                " GROUP BY path"
            ).fetchall()
        )
    assert counts["crlf"][:-1] == counts["cr"][:-1]
    assert counts["crlf"][:-1] == counts["windows"][:-1]
    assert counts["marked twice"][1:] == counts["plain"][1:]


def test_the_gate_counts_what_does_not_come_back(warehouse: Path) -> None:
    expectations = tomllib.loads((PROJECT / "warehouse" / "expectations.toml").read_text("utf-8"))
    query = expectations["texts_add_up_to_their_document"]["violations"]
    with connect(warehouse, read_only=False) as connection:
        assert connection.execute(query).fetchall() == [(0,)]
        connection.execute("UPDATE documents SET byte_order_mark = NOT byte_order_mark WHERE path IN ('cr', 'windows')")
        connection.execute("UPDATE documents SET encoding = 'utf-8' WHERE path = 'undefined'")
        connection.execute("UPDATE documents SET newline = 'lf' WHERE path = 'crlf'")
        assert connection.execute(query).fetchall() == [(4,)]
        connection.execute("DELETE FROM texts")
        assert connection.execute(query).fetchall() == [(len(DUMPS),)]


def test_what_has_no_text_is_said_plainly(warehouse: Path, published: Published) -> None:
    with pytest.raises(NoOriginalError, match="no document"):
        read_original(warehouse, "' OR '' = '")
    with pytest.raises(NoOriginalError, match="no page: the text of a quarantined text_dump isn't kept"):
        read_original(warehouse, hashlib.sha256(b"no page").hexdigest())
    with connect(published.warehouse) as connection:
        found = connection.sql("SELECT document_id FROM documents WHERE source_kind = 'community_dataset'").fetchall()
    with pytest.raises(NoOriginalError, match="parsed community_dataset"):
        read_original(published.warehouse, found[0][0])
    with pytest.raises(UnreadableWarehouseError):
        read_original(warehouse.parent / "plain", "0" * 64)
