"""What changed since earlier published runs: prices, weapon profiles, rules texts, whole datasheets.

Belongs here: comparing two runs of the history tables, and the word difference of two texts. Doesn't: keeping the
history, which is the pipeline's; the efficiency that moved with it (``page_efficiency.py``).
"""

from __future__ import annotations

import difflib
from functools import lru_cache
from typing import Any

import duckdb

from analyses.page_columns import records
from analyses.page_efficiency import efficiency

EARLIER_RUNS = 3  # that the newest one is compared with
MOST_ROWS = 1000  # of prices and of profiles, each
MOST_TEXTS = 150  # changed texts that are shown word by word
MOST_WORDS = 1200  # of a text that is compared; longer ones are only named
MOST_PAIRINGS = 100  # of texts under one title, to find which became which
CONTEXT = 10  # unchanged words kept on each side of a change
FEWEST_SAME = 3  # unchanged words between two changes that are shown as unchanged; fewer only break the sense
ALIKE = 0.3  # share of words that two texts under one title have in common for one to be the other's new wording

_RUNS = """
SELECT run_id, strftime(finished_at, '%Y-%m-%dT%H:%M:%SZ') AS finished_at, input_fingerprint FROM runs
ORDER BY runs.finished_at DESC, run_id
"""
_FIELDS = ("attack_type", "range_inches", "attacks", "skill", "strength", "armour_penetration", "damage", "abilities")
_KNOWN = """
SELECT (SELECT count(*) > 0 FROM history_costs WHERE run_id = $before) AS costs,
       (SELECT count(*) > 0 FROM history_profiles WHERE run_id = $before) AS profiles,
       (SELECT count(*) > 0 FROM history_rules WHERE run_id = $before) AS rules
"""
# A datasheet is told by its prices and profiles; where the earlier run kept no profiles, by its prices alone.
_SHEETS = """
WITH seen AS (
  SELECT run_id, unit_id FROM history_costs
  UNION SELECT run_id, unit_id FROM history_profiles
  WHERE EXISTS (FROM history_profiles WHERE run_id = $before)
),
names AS (SELECT unit_id, any_value(unit_name) AS name FROM history_costs GROUP BY unit_id),
sides AS (
  SELECT unit_id, bool_or(run_id = $before) AS was, bool_or(run_id = $after) AS is_now
  FROM seen WHERE run_id IN ($before, $after) GROUP BY unit_id
)
SELECT unit_id, coalesce(u.name, n.name, 'A datasheet without a name') AS name, u.faction, u.edition, is_now
FROM sides LEFT JOIN units AS u USING (unit_id) LEFT JOIN names AS n USING (unit_id)
WHERE was <> is_now AND coalesce(u.is_preferred, true)
ORDER BY is_now DESC, name, unit_id
"""
_BOTH = """
(SELECT unit_id FROM history_costs WHERE run_id = $before
 UNION SELECT unit_id FROM history_profiles WHERE run_id = $before)
INTERSECT
(SELECT unit_id FROM history_costs WHERE run_id = $after
 UNION SELECT unit_id FROM history_profiles WHERE run_id = $after)
"""
# Prices of the same thing are compared; one printed twice is numbered. A price that only got another label, such
# as a condition that the source didn't say before, is no change.
_COSTS = f"""
WITH both_runs AS ({_BOTH}),
priced AS (
  SELECT *, row_number() OVER (
    PARTITION BY run_id, unit_id, kind, models, models_max, condition, item, copies_from, copies_to ORDER BY position
  ) AS again
  FROM history_costs WHERE run_id IN ($before, $after) AND unit_id IN (FROM both_runs)
),
sides AS (
  SELECT unit_id, any_value(unit_name) AS unit_name, kind, models, models_max, condition, item, copies_from, copies_to,
         max(points) FILTER (run_id = $before) AS before, max(points) FILTER (run_id = $after) AS after
  FROM priced GROUP BY unit_id, kind, models, models_max, condition, item, copies_from, copies_to, again
),
changed AS (
  SELECT *, coalesce(before, after) AS points, row_number() OVER (
    PARTITION BY unit_id, kind, models, coalesce(before, after), before IS NULL, after IS NULL
    ORDER BY copies_from, condition, item
  ) AS place
  FROM sides WHERE before IS DISTINCT FROM after
),
told AS (
  FROM changed QUALIFY (before IS NOT NULL AND after IS NOT NULL)
    OR count(DISTINCT before IS NULL) OVER (
      PARTITION BY unit_id, kind, models, points, place, before IS NOT NULL AND after IS NOT NULL
    ) = 1
)
SELECT unit_id, coalesce(u.name, unit_name) AS unit, u.faction, u.edition, s.kind, s.models, s.models_max, s.condition,
       s.item, s.copies_from, s.copies_to, s.before, s.after
FROM told AS s LEFT JOIN units AS u USING (unit_id)
WHERE coalesce(u.is_preferred, true)
ORDER BY unit, unit_id, s.kind, s.models, s.copies_from NULLS FIRST, s.item, s.condition
"""
_PROFILES = f"""
WITH both_runs AS ({_BOTH}),
before AS (FROM history_profiles WHERE run_id = $before AND unit_id IN (FROM both_runs)),
after AS (FROM history_profiles WHERE run_id = $after AND unit_id IN (FROM both_runs)),
names AS (SELECT unit_id, any_value(unit_name) AS name FROM history_costs GROUP BY unit_id)
SELECT unit_id, coalesce(u.name, n.name, 'A datasheet without a name') AS unit, u.faction, u.edition,
       coalesce(a.weapon_name, b.weapon_name) AS weapon, coalesce(a.profile_name, b.profile_name) AS profile,
       b.run_id IS NOT NULL AS was, a.run_id IS NOT NULL AS is_now,
       {", ".join(f"b.{field} AS before_{field}, a.{field} AS after_{field}" for field in _FIELDS)}
FROM before AS b FULL JOIN after AS a USING (weapon_profile_id, unit_id)
LEFT JOIN units AS u USING (unit_id) LEFT JOIN names AS n USING (unit_id)
WHERE coalesce(u.is_preferred, true)
  AND ({" OR ".join(f"b.{field} IS DISTINCT FROM a.{field}" for field in _FIELDS)})
ORDER BY unit, unit_id, weapon, profile, weapon_profile_id
"""
# Nested rules stand in the texts they are nested in.
_RULES = """
SELECT rule_id, any_value(kind) AS kind, any_value(title) AS title, any_value(body) AS body,
       bool_or(run_id = $before) AS was
FROM history_rules WHERE run_id IN ($before, $after) AND kind NOT IN ('nested_rule', 'army_list_nav')
GROUP BY rule_id HAVING count(DISTINCT run_id) = 1 ORDER BY kind, title, rule_id
"""


def changes(connection: duckdb.DuckDBPyConnection) -> dict[str, Any]:
    """The newest run, and its differences from each of the last few before it, the nearest first."""
    runs = records(connection, _RUNS)
    if not runs:
        return {"run": None, "runs": 0, "since": []}
    newest, *earlier = runs
    since = [
        {"run": before, **_since(connection, before["run_id"], newest["run_id"])} for before in earlier[:EARLIER_RUNS]
    ]
    return {"run": newest, "runs": len(runs), "since": since}


def _since(connection: duckdb.DuckDBPyConnection, before: str, after: str) -> dict[str, Any]:
    sides = {"before": before, "after": after}
    known = records(connection, _KNOWN, {"before": before})[0]
    sheets = records(connection, _SHEETS, sides)
    costs = records(connection, _COSTS, sides) if known["costs"] else []
    profiles = [_profile(row) for row in records(connection, _PROFILES, sides)] if known["profiles"] else []
    rules = _rules(records(connection, _RULES, sides)) if known["rules"] else []
    return {
        "known": known,
        "totals": {"sheets": len(sheets), "costs": len(costs), "profiles": len(profiles), "rules": len(rules)},
        "sheets": sheets[:MOST_ROWS],
        "costs": costs[:MOST_ROWS],
        "profiles": profiles[:MOST_ROWS],
        "rules": [_worded(rule) for rule in rules[:MOST_TEXTS]],
        "efficiency": efficiency(connection, before, after, {row["unit_id"] for row in profiles}),
    }


def _profile(row: dict[str, Any]) -> dict[str, Any]:
    """A profile with the fields that differ; one that came or went has its whole line."""
    fields = {field: (row.pop(f"before_{field}"), row.pop(f"after_{field}")) for field in _FIELDS}
    return {**row, "fields": [[name, *sides] for name, sides in fields.items() if sides[0] != sides[1]]}


def _rules(rows: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Texts that only one of two runs has, paired where one is the other's new wording."""
    titles: dict[tuple[str, str], tuple[list[str], list[str]]] = {}
    for row in rows:
        titles.setdefault((row["kind"], row["title"]), ([], []))[0 if row["was"] else 1].append(row["body"])
    return [
        {"kind": kind, "title": title, "before": before, "after": after}
        for (kind, title), (gone, come) in titles.items()
        for before, after in _paired(gone, come)
    ]


def _paired(gone: list[str], come: list[str]) -> list[tuple[str | None, str | None]]:
    """The likest pairs first; where there are too many to compare, in their order."""
    if len(gone) * len(come) > MOST_PAIRINGS:
        likeness = {(place, place): 1.0 for place in range(min(len(gone), len(come)))}
    else:
        likeness = {(b, a): _likeness(old, new) for b, old in enumerate(gone) for a, new in enumerate(come)}
    pairs: list[tuple[str | None, str | None]] = []
    left, right = set(range(len(gone))), set(range(len(come)))
    for b, a in sorted(likeness, key=lambda pair: (-likeness[pair], pair)):
        if b in left and a in right and likeness[b, a] >= ALIKE:
            pairs.append((gone[b], come[a]))
            left.remove(b)
            right.remove(a)
    return [*pairs, *((gone[place], None) for place in sorted(left)), *((None, come[place]) for place in sorted(right))]


def _likeness(before: str, after: str) -> float:
    """Upper bound of the share of words in common, whatever their order: cheap, and good enough to tell texts apart."""
    return difflib.SequenceMatcher(None, before.split(), after.split(), autojunk=False).quick_ratio()


def _worded(rule: dict[str, Any]) -> dict[str, Any]:
    before, after = rule.pop("before"), rule.pop("after")
    return {
        **rule,
        "was": before is not None,
        "is_now": after is not None,
        "words": word_difference(before or "", after or ""),
    }


@lru_cache(maxsize=1024)
def word_difference(before: str, after: str) -> list[tuple[str, str]] | None:
    """The way from one text to another in runs of words: ("same" | "gone" | "come" | "left out", words).

    White space counts for nothing; long unchanged runs are left out but for their ends, "left out" has their number of
    words. None where a text is too long to be compared.
    """
    old, new = before.split(), after.split()
    if max(len(old), len(new)) > MOST_WORDS:
        return None
    runs: list[tuple[str, str]] = []
    steps = _steps(old, new)
    for position, (a, b, c, d) in enumerate(steps):
        if old[a:b] == new[c:d]:
            runs += _unchanged(old[a:b], first=position == 0, last=position == len(steps) - 1)
            continue
        runs += [(kind, " ".join(words)) for kind, words in (("gone", old[a:b]), ("come", new[c:d])) if words]
    return runs


def _steps(old: list[str], new: list[str]) -> list[tuple[int, int, int, int]]:
    """Matching slices, equal and changed ones in turn; few equal words between two changes are part of the change."""
    steps: list[tuple[int, int, int, int]] = []
    codes = difflib.SequenceMatcher(None, old, new, autojunk=False).get_opcodes()
    joined = False
    for position, (tag, a, b, c, d) in enumerate(codes):
        is_change = tag != "equal" or (0 < position < len(codes) - 1 and b - a < FEWEST_SAME)
        if is_change and joined:
            steps[-1] = (steps[-1][0], b, steps[-1][2], d)
        else:
            steps.append((a, b, c, d))
        joined = is_change
    return steps


def _unchanged(words: list[str], first: bool, last: bool) -> list[tuple[str, str]]:
    """Unchanged words, of which only those next to a change are kept."""
    head = 0 if first else CONTEXT
    tail = 0 if last else CONTEXT
    if len(words) <= head + tail + 1:
        return [("same", " ".join(words))]
    parts = [
        ("same", " ".join(words[:head])),
        ("left out", str(len(words) - head - tail)),
        ("same", " ".join(words[len(words) - tail :])),
    ]
    return [part for part in parts if part[1]]
