"""Documents as bytes: the same documents come back, whatever they hold, and nothing else does."""

import pickle
from pathlib import Path

import msgspec
import pytest
import zstandard

from pipelines.records import Composition, Cost, Document, RuleBlock, Span
from pipelines.sources.community import read_community_dataset
from pipelines.sources.serialization import Decoder, PayloadError, encode
from tests.builders import datasheet, document
from tests.sources import csv_samples, html_samples, sheets

LONG = "Our own words about a crew that waits behind its gun until the smoke clears."


def pages() -> list[Document]:
    return [
        sheets.parse(sheets.page()),
        html_samples.parse(html_samples.page(html_samples.card())),
        read_community_dataset(),
        document(path="nothing.txt", status="quarantined"),
        document(datasheet(composition=(Composition("Gunner", 1, 3, None), Composition("Mate", 1, 1, ())))),
    ]


@pytest.mark.parametrize("each", pages(), ids=lambda each: each.source_kind)
def test_documents_come_back_as_they_were(each: Document) -> None:
    assert Decoder().decode(encode((each,))) == (each,)


def test_an_export_comes_back_as_it_was(tmp_path: Path) -> None:
    documents = tuple(csv_samples.read(tmp_path, {"Datasheets_wargear": [csv_samples.weapon()]}).values())
    assert len(documents) == 3
    assert Decoder().decode(encode(documents)) == documents


def test_equal_strings_are_one_object_in_all_documents_of_a_decoder() -> None:
    decoder = Decoder()
    found = []
    for name in ("a.txt", "b.txt"):
        block = RuleBlock("Hit Roll", "core_rule", "".join([LONG]), 1, 3)
        span = Span(1, 1, 2, 1, "title", "".join([LONG]))
        [each] = decoder.decode(encode((document(datasheet(), path=name, rules=(block,), spans=(span,)),)))
        found.append(each)
    first, second = found
    assert first.rules[0].body is second.rules[0].body is first.spans[0].text
    assert first.datasheets[0].weapons[0].weapon_name is second.datasheets[0].weapons[0].weapon_name
    assert first.path == "a.txt"


def test_an_integer_that_no_table_takes_stays_one() -> None:
    odd = document(datasheet(costs=(Cost(1, 10**30), Cost(2, -(10**30)), Cost(3, 30))))
    [back] = Decoder().decode(encode((odd,)))
    assert [cost.points for cost in back.datasheets[0].costs] == [2**63 - 1, -(2**63 - 1), 30]
    assert back.datasheets[0].weapons == odd.datasheets[0].weapons


GOOD = encode((document(datasheet()),))


@pytest.mark.parametrize(
    "payload",
    [
        b"",
        b"no payload",
        GOOD[:-1],
        GOOD[: len(GOOD) // 2],
        GOOD[:-6] + bytes([GOOD[-6] ^ 1]) + GOOD[-5:],
        pickle.dumps([1]),
        zstandard.compress(b"\xc1"),
        zstandard.compress(msgspec.msgpack.encode([{"document_id": 1}])),
        zstandard.compress(msgspec.msgpack.encode({"document_id": "1"})),
        zstandard.compress(b"\x91" * 100_000),
    ],
    ids=range(10),
)
def test_other_bytes_are_refused(payload: bytes) -> None:
    with pytest.raises(PayloadError):
        Decoder().decode(payload)


def test_a_payload_that_claims_to_be_huge_is_refused_unread() -> None:
    # A frame's header of 14 bytes: magic number, descriptor "8 bytes of content size, one segment", the size.
    with pytest.raises(PayloadError, match="too large"):
        Decoder().decode(b"\x28\xb5\x2f\xfd\xe0" + (2**40).to_bytes(8, "little") + b"\x01\x00\x00")
