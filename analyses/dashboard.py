"""Writes the dashboard: one self-contained page from a published warehouse.

Belongs here: how the page's parts are put together (template, style, scripts, data, policy). Doesn't: what the page is
told, which is ``page_data.py``, ``page_details.py`` and ``page_changes.py``; what it shows and how it behaves, which is
``page/``.

All data are gzip in base64, so no name from a source can end a script element or be read as markup. They stand in three
elements: what the first view needs, and what is unpacked when a view first asks for it.
"""

from __future__ import annotations

import base64
import hashlib
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
from analyses.page_data import page_data, read_ledger
from analyses.page_details import page_details
from pipelines.storage.build import UnreadableWarehouseError, connect

PAGE = Path(__file__).parent / "page"

# Joined in this order into one script: each file may use what the files before it define.
SCRIPTS = (
    "format.js",
    "data.js",
    "state.js",
    "table.js",
    "order.js",
    "leaderboard.js",
    "heatmap.js",
    "tradeoff.js",
    "distribution.js",
    "picker.js",
    "datasheet.js",
    "compare.js",
    "weapons.js",
    "stratagems.js",
    "changes.js",
    "quality.js",
    "main.js",
)
LIBRARY = PAGE / "vendor" / "echarts.min.js"


def build_dashboard(warehouse: Path, folder: Path) -> Path:
    """Write ``index.html`` into the folder; returns its path. An earlier page stays whole until the new one is.

    Raises UnreadableWarehouseError where the file can't be opened or lacks what the page shows.
    """
    with connect(warehouse) as connection:
        try:
            ledger = read_ledger(connection)
            page = render(
                {
                    "data": page_data(connection, ledger),
                    "details": page_details(connection, ledger),
                    "changes": changes(connection),
                }
            )
        except (duckdb.CatalogException, duckdb.BinderException) as error:
            reason = str(error).splitlines()[0]
            raise UnreadableWarehouseError(
                f"{warehouse}: another version wrote it ({reason}); run the pipeline again"
            ) from error
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / "index.html"
    unfinished = folder / ".index.html.new"
    unfinished.write_text(page, encoding="utf-8", newline="\n")
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
        policy=content_security_policy(scripts=(script, library), styles=(style,)),
        style=Markup(style),
        script=Markup(script),
        packed={"library": packed(library.encode()), **{name: packed_json(part) for name, part in data.items()}},
    )


def content_security_policy(scripts: Sequence[str], styles: Sequence[str]) -> str:
    """A policy that allows exactly these inline texts, images in the page itself, and no request at all."""
    allowed = [
        " ".join([directive, *(_hash_source(text) for text in texts)])
        for directive, texts in (("script-src", scripts), ("style-src", styles))
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
