"""One open dashboard page in a browser, with what it said and asked for."""

from __future__ import annotations

from typing import Any

VIEWS = (
    *("leaderboard", "heatmap", "tradeoff", "datasheet", "compare", "weapons", "rules", "stratagems", "changes"),
    *("quality", "reading"),
)


class Visit:
    """One open page with what it said and asked for."""

    def __init__(self, browser: Any, address: str, **settings: Any) -> None:
        self.context = browser.new_context(**{"viewport": {"width": 1440, "height": 900}, **settings})
        self.page = self.context.new_page()
        self.problems: list[str] = []
        self.requests: list[str] = []
        self.page.on("console", lambda message: self.problems.append(message.text))
        self.page.on("pageerror", lambda error: self.problems.append(str(error)))
        self.page.on("request", lambda request: self.requests.append(request.url))
        self.address = address
        self.open()

    def open(self, state: str = "") -> None:
        """Load the page anew with a state in its address."""
        self.page.goto("about:blank")
        self.page.goto(self.address + (f"#{state}" if state else ""))
        self.page.wait_for_selector("html[data-ready]")
        self.settle()

    def settle(self) -> None:
        """Wait until the shown view has the data that it asked for."""
        self.page.wait_for_selector("main section:not([hidden]):not([aria-busy])")

    def show(self, view: str) -> None:
        self.page.click(f'nav a[data-view="{view}"]')
        self.page.wait_for_selector(f"#view-{view}:not([hidden])")
        self.settle()
        if view == "tradeoff":
            self.page.wait_for_selector("#tradeoff-chart canvas")

    def more_filters(self) -> None:
        """Show the filters that wait behind a button where they need more than one row."""
        self.page.click("#more-filters[aria-expanded=false]")

    def meet(self, name: str) -> None:
        """Choose a unit as the target by its name."""
        self.page.select_option("#f-target", "by-name")
        self.page.fill("#f-any-unit", name)
        self.page.press("#f-any-unit", "Enter")
        self.settle()

    def count(self, view: str = "leaderboard") -> str:
        return str(self.page.inner_text(f"#{view}-count"))

    def names(self) -> list[str]:
        return list(self.page.locator("#leaderboard-table tbody th bdi").all_text_contents())

    def column(self, index: int) -> list[str]:
        cells = f"#leaderboard-table tbody tr:not(.spacer) > :nth-child({index})"
        return list(self.page.locator(cells).all_text_contents())

    def rows(self, label: str) -> list[list[str]]:
        """The texts of a small table's cells, row by row."""
        script = """table => [...table.tBodies[0].rows].map(row => [...row.cells].map(cell => cell.textContent))"""
        return list(self.page.locator(f'table[aria-label="{label}"]').evaluate(script))

    def first_weapon(self) -> str:
        """The state that compares the first weapon of the list."""
        self.open("view=weapons")
        return str(self.page.locator("#weapons-table tbody th a").first.get_attribute("href")).removeprefix("#")

    def unharmed(self) -> None:
        """No name ran, nothing was said on the console, nothing was asked of the network."""
        assert self.page.evaluate("window.pwned") is None
        assert self.page.locator("img").count() == 0
        assert self.problems == []
        assert [url for url in self.requests if not url.startswith(("file:", "data:", "about:"))] == []
