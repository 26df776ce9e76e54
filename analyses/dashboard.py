"""Writes the dashboard: one page from a published warehouse, and beside it what few visits need.

Belongs here: how the page's parts are put together (template, style, scripts, data, policy). Doesn't: what the page is
told, which is the modules ``page_*.py``; what it shows and how it behaves, which is ``page/``.

All data are gzip in base64, so no name from a source can end a script element or be read as markup. What the first view
needs, and what is unpacked when a view first asks for it, stand in elements of the page. The rest are scripts in
``data/``, since a page opened from a file can't read other files: each hands over its texts under a stamp, by which the
page knows the file that was written with it.
"""

from __future__ import annotations

import base64
import hashlib
import json
import os
import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import duckdb
from jinja2 import Environment, FileSystemLoader, StrictUndefined
from markupsafe import Markup

from analyses.page_changes import changes
from analyses.page_columns import packed, packed_json
from analyses.page_combinations import combinations
from analyses.page_data import Ledger, page_data, read_ledger
from analyses.page_details import page_details
from analyses.page_durability import durability
from analyses.page_laws import weapon_laws
from analyses.page_rules import rules
from analyses.page_unit_targets import unit_targets
from pipelines.storage.build import UnreadableWarehouseError, connect

PAGE = Path(__file__).parent / "page"

# Joined in this order into one script: each file may use what the files before it define.
SCRIPTS = (
    "format.js",
    "print.js",
    "data.js",
    "state.js",
    "notice.js",
    "table.js",
    "sections.js",
    "order.js",
    "leaderboard.js",
    "heatmap.js",
    "durability.js",
    "tradeoff_charts.js",
    "tradeoff.js",
    "distribution.js",
    "picker.js",
    "against.js",
    "rules_data.js",
    "rules_of_unit.js",
    "datasheet_results.js",
    "datasheet.js",
    "compare_units.js",
    "compare_weapons.js",
    "compare.js",
    "weapons.js",
    "rules_facets.js",
    "rules.js",
    "rule_dialog.js",
    "combinations.js",
    "stratagems.js",
    "efficiency.js",
    "changes.js",
    "coverage.js",
    "quality.js",
    "reading.js",
    "main.js",
)
LIBRARY = PAGE / "vendor" / "echarts.min.js"
DATA_FILES = ("unit_targets", "weapon_laws", "durability", "rules", "combinations")


def dashboard_files(folder: Path) -> list[Path]:
    """The files that ``build_dashboard`` writes into a folder."""
    return [*(folder / "data" / f"{name}.js" for name in DATA_FILES), folder / "index.html"]


def build_dashboard(warehouse: Path, folder: Path) -> Path:
    """Write the page and its data files into the folder; returns the page's path. An earlier one stays until then.

    Raises UnreadableWarehouseError where the file can't be opened or lacks what the page shows.
    """
    with connect(warehouse) as connection:
        try:
            ledger = read_ledger(connection)
            files = data_files(connection, ledger)
            page = render(
                {
                    "data": {**page_data(connection, ledger), "files": {name: stamp_of(files[name]) for name in files}},
                    "details": page_details(connection, ledger),
                    "changes": changes(connection),
                }
            )
        except (duckdb.CatalogException, duckdb.BinderException) as error:
            reason = str(error).splitlines()[0]
            raise UnreadableWarehouseError(
                f"{warehouse}: another version wrote it ({reason}); run the pipeline again"
            ) from error
    (folder / "data").mkdir(parents=True, exist_ok=True)
    for name, parts in files.items():
        _write(folder / "data" / f"{name}.js", data_script(name, parts))
    return _write(folder / "index.html", page)


def data_files(connection: duckdb.DuckDBPyConnection, ledger: Ledger) -> dict[str, list[str]]:
    """The packed parts of each file beside the page."""
    head, codes = unit_targets(connection, ledger)
    found = {
        "weapon_laws": weapon_laws(connection, ledger),
        "durability": durability(connection, ledger),
        "rules": rules(connection, ledger),
        "combinations": combinations(connection, ledger),
    }
    return {"unit_targets": [packed_json(head), packed(codes)], **{name: [packed_json(found[name])] for name in found}}


def data_script(name: str, parts: Sequence[str]) -> str:
    """A data file's text: one call, of whose arguments none can hold a quote."""
    return f"warledgerData({json.dumps([name, stamp_of(parts), *parts])[1:-1]});\n"


def stamp_of(parts: Sequence[str]) -> str:
    """Tells a file's contents from others."""
    return hashlib.sha256("\n".join(parts).encode()).hexdigest()[:16]


def _write(path: Path, text: str) -> Path:
    unfinished = path.with_name(f".{path.name}.new")
    unfinished.write_text(text, encoding="utf-8", newline="\n")
    os.replace(unfinished, path)
    return path


def render(data: Mapping[str, Any]) -> str:
    """The page's text: template, style, scripts and each named data in one, under a policy that names their hashes."""
    style = (PAGE / "page.css").read_text(encoding="utf-8")
    script = _script()
    library = LIBRARY.read_text(encoding="utf-8")
    loader = Environment(loader=FileSystemLoader(PAGE), autoescape=True, undefined=StrictUndefined, trim_blocks=True)
    # Style and script are the project's own and stand as they are: the policy's hashes hold for their exact text.
    return loader.get_template("page.html.j2").render(
        policy=content_security_policy(scripts=(script, library), styles=(style,), files=True),
        style=Markup(style),
        script=Markup(script),
        packed={"library": packed(library.encode()), **{name: packed_json(part) for name, part in data.items()}},
    )


def content_security_policy(scripts: Sequence[str], styles: Sequence[str], *, files: bool = False) -> str:
    """A policy that allows exactly these inline texts, images in the page itself, and no request at all.

    ``files``: scripts may also come from where the page itself came from.
    """
    allowed = [
        " ".join([directive, *(_hash_source(text) for text in texts)])
        for directive, texts in (("script-src 'self'" if files else "script-src", scripts), ("style-src", styles))
    ]
    return "; ".join(["default-src 'none'", *allowed, "img-src data:", "base-uri 'none'", "form-action 'none'"])


def _hash_source(text: str) -> str:
    return f"'sha256-{base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()}'"


def _script() -> str:
    parts = [f"// ---- {name}\n{(PAGE / 'js' / name).read_text(encoding='utf-8')}" for name in SCRIPTS]
    script = "(() => {\n'use strict';\n" + "\n".join(parts) + "\n})();\n"
    if re.search(r"</script|<!--", script, re.IGNORECASE):
        raise ValueError("the page's scripts contain text that would end their element")
    return script
