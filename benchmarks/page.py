"""The dashboard in a browser. Belongs here: how long a reader waits for the page and for a filter of 100,000 rows."""

from __future__ import annotations

import shutil
import statistics
import tempfile
from pathlib import Path
from typing import Any

from analyses.dashboard import build_dashboard
from benchmarks.goals import PAGE_FILTER, PAGE_READY, Row
from pipelines.paths import PROJECT
from tests.analyses.small_warehouse import small_warehouse

UNITS = 25_000  # in two phases against two targets: 100,000 rows
REPEATS = 5
_ROWS = f"{4 * UNITS:,}"
_EVERY_ROW = "view=leaderboard&target=all&phase=all"
# What a reader does with the controls; each changes the rows.
_STEPS = {
    "search": ("f-q", "unit 24"),
    "faction": ("f-faction", "Orks"),
    "keyword": ("f-keyword", "infantry"),
    "points": ("f-pmin", "12000"),
    "phase": ("f-phase", "fight"),
    "target": ("f-target", "battle-tank"),
    "scenario": ("f-scenario", "cover"),
}
# From the input to the laid out table, back to no filter, and so on; milliseconds.
_FILTER = """
async ([id, value, repeats]) => {
  const control = document.getElementById(id);
  const view = document.getElementById('view-leaderboard');
  const usual = control.value;
  const set = async (text) => {
    const started = performance.now();
    control.value = text;
    control.dispatchEvent(new Event('input', { bubbles: true }));
    while (view.hasAttribute('aria-busy')) await Promise.resolve();
    view.getBoundingClientRect();
    return performance.now() - started;
  };
  const times = [];
  for (let i = 0; i < repeats; i += 1) {
    times.push(await set(value));
    await new Promise(requestAnimationFrame);
    times.push(await set(usual));
    await new Promise(requestAnimationFrame);
  }
  return times;
}
"""


def page() -> list[Row]:
    """Seconds until a page is ready, that of the last run and one with 100,000 rows; milliseconds of each filter there.

    Without Chromium nothing is measured.
    """
    from playwright.sync_api import sync_playwright  # a tool of development, not of the pipeline

    path = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
    if path is None:
        return [Row("page: a filter", "Chromium was not found", PAGE_FILTER)]
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as driver:
        names = [f"Unit {number}" for number in range(UNITS)]
        large = build_dashboard(small_warehouse(Path(folder) / "w.duckdb", names=names), Path(folder) / "site")
        browser = driver.chromium.launch(executable_path=path, args=["--no-sandbox", "--disable-gpu"])
        rows = [_ready(browser, large, f"{_ROWS} rows")]
        usual = PROJECT / "analyses" / "dashboard" / "index.html"
        if usual.is_file():
            rows.insert(0, _ready(browser, usual, "the page of the last run"))
        times = _filters(browser, large)
        browser.close()
    worst = max(times, key=lambda name: times[name])
    rows.append(Row(f"page: filters over {_ROWS} rows", ", ".join(f"{name} {ms:.0f} ms" for name, ms in times.items())))
    rows.append(Row("page: the slowest of them", f"{times[worst]:.0f} ms, {worst}", PAGE_FILTER, times[worst]))
    return rows


def _ready(browser: Any, file: Path, label: str) -> Row:
    """Seconds from the start of loading to the first view, as the page itself notes it: the median of several."""
    times = []
    for _ in range(REPEATS):
        tab = browser.new_page(viewport={"width": 1440, "height": 900})
        tab.goto(file.as_uri())
        tab.wait_for_selector("html[data-ready]")
        times.append(int(tab.evaluate("document.documentElement.dataset.ready")))
        tab.close()
    seconds = statistics.median(times) / 1000
    return Row(f"page: ready, {label}", f"{seconds:.2f} s, {file.stat().st_size / 1e6:.1f} MB", PAGE_READY, seconds)


def _filters(browser: Any, file: Path) -> dict[str, float]:
    """The median of each filter's times. Raises RuntimeError where the page doesn't show what is to be filtered."""
    tab = browser.new_page(viewport={"width": 1440, "height": 900})
    tab.goto(f"{file.as_uri()}#{_EVERY_ROW}")
    tab.wait_for_selector("html[data-ready]")
    tab.wait_for_timeout(2000)  # a reader looks before filtering; meanwhile the page prepares its orders
    shown = int(tab.get_attribute("#leaderboard-table table", "aria-rowcount")) - 1  # less the head
    if f"{shown:,}" != _ROWS:
        raise RuntimeError(f"the page shows {shown} rows")
    return {name: statistics.median(tab.evaluate(_FILTER, [*step, REPEATS])) for name, step in _STEPS.items()}
