"""What the documents promise: queries that run, a dictionary that is current, links that lead somewhere."""

import re

import duckdb
import pytest

from pipelines.paths import PROJECT
from tests.conftest import Published
from warehouse.dictionary import as_markdown

README = (PROJECT / "README.md").read_text(encoding="utf-8")
QUERIES = re.findall(r"```sql\n(.*?)```", README, re.DOTALL)


def test_the_readme_has_its_queries() -> None:
    assert len(QUERIES) == 4


@pytest.mark.parametrize("query", QUERIES)
def test_each_query_of_the_readme_answers(published: Published, query: str) -> None:
    with duckdb.connect(str(published.warehouse), read_only=True) as connection:
        assert connection.execute(query).fetchall()


def test_the_data_dictionary_is_current() -> None:
    assert (PROJECT / "docs" / "data_dictionary.md").read_text(encoding="utf-8") == as_markdown()


@pytest.mark.parametrize(
    "page",
    ["README.md", "NOTICE.md"]
    + [f"docs/{name}.md" for name in ("architecture", "benchmark", "how_we_compute", "issues", "matchups")],
)
def test_links_lead_somewhere(page: str) -> None:
    text = (PROJECT / page).read_text(encoding="utf-8")
    for target in re.findall(r"\]\(([^)#]+)\)", text):
        assert (PROJECT / page).parent.joinpath(target).exists(), target
