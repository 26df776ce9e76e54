"""Writes the sample dumps in ``raw/``: facts and glossary in, a text dump with all the flaws of real ones out.

Belongs here: the layout of such a dump, its flaws, and what a parser must get back from it. Doesn't: facts
(``facts/*.toml``) and rules texts (``glossary.toml``), nor anything of the parser: the two must not share code.

``python -m tests.corpus.compose`` rewrites ``raw/00-sample_*.txt``.
"""

from __future__ import annotations

import copy
import random
import re
import tomllib
from collections.abc import Iterable, Iterator
from itertools import cycle
from pathlib import Path
from typing import Any

HERE = Path(__file__).parent
RAW = HERE.parent.parent / "raw"

FLAWS = frozenset({
    "doubled_rows",  # each weapon: a bare row with its name, then the row with its profile
    "doubled_faction",  # the faction keyword twice
    "doubled_fields",  # TARGET, EFFECT and RESTRICTIONS of a stratagem twice
    "keyword_gaps",  # the faction keyword's name is lost in rules texts, and its blank with it
    "lost_breaks",  # in each block the first break behind its first run of text is lost
    "nested_twice",  # blocks inside a block are printed once as stubs and once in full
})  # fmt: skip

LAYOUTS = "ABCDEFG"
UNTITLED = "BEG"
NOISE = "This datasheet does not meet the selection criteria (see Filter combo-box or Settings tab)."

Entry = dict[str, Any]
"""A table of one of the TOML files."""

_GLUE = "\x00"  # at the end of a line: the break behind it is lost
_WEAPON_COLUMNS = ("range", "A", "skill", "S", "AP", "D")
_FIELDS = ("when", "target", "effect", "restrictions")
_STRATAGEMS = 30  # of a generated page


# --- facts and glossary


def load_facts(folder: Path = HERE / "facts") -> dict[str, Entry]:
    """Read the facts of all datasheets, by the name of the dump to write.

    ``faction`` is the faction keyword, ``spared`` the flaws that a page doesn't have, ``older_wording`` the choice of
    older rules texts, ``glued_abilities`` puts all abilities on one line, ``points`` are rows of models and points.
    ``opening`` lists the rules that section 14 begins with; all others follow from what the page refers to.
    """
    return {path.stem: tomllib.loads(path.read_text("utf-8")) for path in sorted(folder.glob("*.toml"))}


def load_glossary(path: Path = HERE / "glossary.toml") -> Entry:
    """Read the rules texts: the entries of a title, in ``texts``, and the headings under keyword lines."""
    tables = tomllib.loads(path.read_text("utf-8"))
    texts: dict[str, list[Entry]] = {}
    for kind, entries in tables.items():
        for entry in entries if isinstance(entries, list) else ():
            texts.setdefault(entry["title"], []).append({**entry, "kind": kind})
    return {"texts": texts, "usage": tables["usage"]}


def _entry(title: str, facts: Entry, glossary: Entry) -> Entry:
    """Return the text of a title, in the wording that the page uses."""
    wordings = glossary["texts"][title]
    older = facts.get("older_wording", False)
    return next((entry for entry in wordings if entry.get("older", False) == older), wordings[0])


def _entries(titles: Iterable[str], facts: Entry, glossary: Entry) -> list[Entry]:
    return [_entry(title, facts, glossary) for title in titles]


# --- sections 1 to 13: the datasheet and its indexes


def _weapon_name(weapon: Entry, layout: str) -> str:
    name = weapon["name"] + (f" – {weapon['profile']}" if "profile" in weapon else "")
    abilities = weapon.get("abilities", [])
    if not abilities:
        return name
    if layout == "D":
        return f"{name} {''.join(ability.replace(' ', '') for ability in abilities)}"
    if layout == "E":
        return f"{name} {' '.join(abilities)}"
    listed = ", ".join(abilities)
    return f"{name} [{listed.upper() if layout == 'B' else listed}]"


def _weapons(heading: str, skill: str, weapons: list[Entry], flaws: frozenset[str], layout: str) -> Iterator[str]:
    columns = ["RANGE", "A", skill, "S", "AP", "D"]
    if weapons:
        yield from _table_head(heading, columns, layout)
    for at, weapon in enumerate(weapons):
        name = _weapon_name(weapon, layout)
        cells = [str(weapon[column]) for column in _WEAPON_COLUMNS]
        if layout == "C":
            yield from [name] * (2 if "doubled_rows" in flaws else 1)
            yield from cells
            continue
        pipe = "" if layout == "B" else "| "
        if "doubled_rows" in flaws:
            yield f"{pipe}{name} | |||||||"
        is_short = layout == "B" and at == len(weapons) - 1
        yield f"{pipe}{name} | {' | '.join(cells)} |{'' if is_short or layout == 'D' else ' |'}"


def _table_head(heading: str, columns: list[str], layout: str) -> list[str]:
    piped = f"{heading} | {' | '.join(columns)} |"
    return {
        "C": [heading, *columns],
        "D": [f"| {piped}", "| --- " * 7 + "|"],
        "E": [f"| {piped} |"],
        "F": [],
        "G": [heading],
    }.get(layout, [f"{piped} |"])


def _costs(points: list[list[int]], layout: str) -> Iterator[str]:
    for count, price in points:
        label = f"{count} model{'s' if count > 1 else ''}"
        if layout == "C":
            yield from (label, str(price))
        else:
            yield f"{'' if layout == 'B' else '| '}{label} | {price} |"


def stat_lines(facts: Entry) -> list[tuple[Any, ...]]:
    """Return made-up stat lines for the layouts that print them: name, M, T, Sv, W, Ld, OC, invulnerable save."""
    kinds = [kind.split(" ", 1)[1] for kind in facts.get("composition", ())]
    names = kinds if len(kinds) > 1 else [facts["unit"]]
    return [
        (name, 5 + at, 4 + len(name) % 5, 2 + at % 3, 1 + at, 6, 1 + at, (None, 4)[len(name) % 2])
        for at, name in enumerate(names)
    ]


def _stats(facts: Entry, layout: str) -> Iterator[str]:
    labels = ("M", "T", "Sv", "W", "Ld", "OC")
    lines = stat_lines(facts) if layout in ("C", "D") else []
    for at, (name, m, t, save, w, ld, oc, invulnerable) in enumerate(lines):
        values = (f'{m}"', str(t), f"{save}+", str(w), f"{ld}+", str(oc))
        if layout == "C":
            yield from (name, "(⌀32mm)")
            cells = zip(labels, values, strict=True)
            yield from (cell for pair in cells for cell in pair) if at == 0 else values
            yield from ("INVULNERABLE SAVE", f"{invulnerable}+") if invulnerable else ()
            continue
        if at == 0:
            yield f"| NAME | {' | '.join(labels).upper()} | INVULNERABLE SAVE |"
            yield "| --- " * 8 + "|"
        yield f"| {name} | {' | '.join(values)} | {f'{invulnerable}+' if invulnerable else '-'} |"


def _abilities(facts: Entry) -> Iterator[str]:
    yield "ABILITIES"
    if facts.get("core"):
        yield f"CORE: {', '.join(facts['core'])}"
    if "faction_ability" in facts:
        yield f"FACTION: {facts['faction_ability']}"
    abilities = [f"{name}: {text}" for name, text in facts.get("abilities", {}).items()]
    if facts.get("glued_abilities"):
        abilities = ["".join(abilities)]
    yield from abilities
    if facts.get("wargear_abilities"):
        yield "WARGEAR ABILITIES"
        yield from (f"{name}: {text}" for name, text in facts["wargear_abilities"].items())


def _datasheet(facts: Entry, flaws: frozenset[str], layout: str) -> Iterator[str]:
    title = f"{facts['collection']} – {facts['unit']}"
    yield from {"C": [title, " ]", "", NOISE], "D": [f"# {title}"]}.get(layout, [] if layout in UNTITLED else [title])
    yield from _stats(facts, layout)
    yield from _weapons("RANGED WEAPONS", "BS", facts.get("ranged", []), flaws, layout)
    yield from _weapons("MELEE WEAPONS", "WS", facts.get("melee", []), flaws, layout)
    heading, bold, bullet = {"C": ("", "", "  • "), "D": ("## ", "**", "* ")}.get(layout, ("", "", "- "))
    if facts.get("options"):
        yield f"{heading}WARGEAR OPTIONS"
        yield from (f"{bullet}{option}" for option in facts["options"])
    for line in _abilities(facts):
        yield (
            f"{heading}{line}" if line.endswith("ABILITIES") else re.sub("^(CORE:|FACTION:)", rf"{bold}\1{bold}", line)
        )
    if facts.get("composition"):
        yield f"{heading}UNIT COMPOSITION"
        yield from (f"{bullet}{kind}" for kind in facts["composition"])
        yield from _costs(facts["points"], layout)
    if "Leader" in facts.get("core", ()):
        yield from (f"{heading}LEADER", "This model can be attached to the following units:")
    yield f"{bold}KEYWORDS:{bold} {', '.join(facts['keywords'])}"
    yield f"{bold}FACTION KEYWORDS:{bold}"
    yield from [facts["faction"]] * (2 if "doubled_faction" in flaws else 1)


def _indexes(facts: Entry, glossary: Entry) -> Iterator[str]:
    yield "STRATAGEMS"
    for entry in _entries(facts["stratagems"], facts, glossary):
        yield from (entry["title"], f"{entry['cp']}CP", f"{entry['detachment']} – {entry['type']}")
        if entry["detachment"] == "Core":
            yield "C"
    if facts.get("detachment_rules"):
        yield from ("DETACHMENT ABILITY", *facts["detachment_rules"])
    if facts.get("enhancements"):
        yield "ENHANCEMENTS"
        for entry in _entries(facts["enhancements"], facts, glossary):
            yield from (entry["title"], str(entry["points"]))


# --- section 14: the rules texts


def _roots(facts: Entry, glossary: Entry) -> Iterator[str]:
    """Yield what the page refers to; stratagems marked ``late`` and enhancements come last."""
    titles = {title.casefold(): title for title in glossary["texts"]}
    stratagems = _entries(facts["stratagems"], facts, glossary)
    yield from facts["opening"]
    for weapon in (*facts.get("ranged", ()), *facts.get("melee", ())):
        for ability in weapon.get("abilities", ()):
            name = re.sub(r"(?<=anti)-.*| d?\d\S*$", "", ability)
            if name in titles:
                yield titles[name]
    yield from (entry["title"] for entry in stratagems if not entry.get("late"))
    yield from facts.get("detachment_rules", ())
    if facts.get("detachment_rules"):
        yield "Army List"
    yield from (re.sub(r" D?\d\S*$", "", ability).upper() for ability in facts.get("core", ()))
    yield from (entry["title"] for entry in stratagems if entry.get("late"))
    yield from facts.get("enhancements", ())


def _reading_order(facts: Entry, glossary: Entry) -> list[str]:
    """Order the blocks: each one once, behind what it needs and before what belongs behind it."""
    order: list[str] = []
    seen: set[str] = set()

    def visit(reference: str) -> None:
        if reference in seen:
            return
        seen.add(reference)
        entry = {} if reference.startswith("usage:") else _entry(reference, facts, glossary)
        for needed in entry.get("needs", ()):
            visit(needed)
        order.append(reference)
        for following in entry.get("then", ()):
            visit(following)

    for root in _roots(facts, glossary):
        visit(root)
    return order


def _usage(reference: str, facts: Entry, glossary: Entry) -> list[str]:
    """Write a keyword line: ``usage:A+B``, with ``#2`` for a second one on the same page."""
    keywords = reference.removeprefix("usage:").split("#")[0]
    are = "keywords are" if "+" in keywords else "keyword is"
    names = keywords.replace("+", " and ")
    line = f"The {names} {are} used in the following {facts['collection']} datasheets:"
    return [line, *glossary["usage"].get(keywords, ())]


def _stratagem(entry: Entry, flaws: frozenset[str]) -> list[str]:
    fields = [f"{field.upper()}: {entry[field]}" for field in _FIELDS if field in entry]
    again = fields[1:] if "doubled_fields" in flaws else []
    kind = f"{entry['detachment']} – {entry['type']} Stratagem"
    return [entry["title"], f"{entry['cp']}CP", kind, entry["flavour"], *fields, *again]


def _enhancement(entry: Entry) -> list[str]:
    """Write an enhancement: without its name; nothing at all where the page lost its text."""
    if "rule" not in entry:
        return []
    return [f"{entry['detachment']} Detachment", entry["flavour"], f"{entry['eligibility']} {entry['rule']}"]


def _nested(entry: Entry, flaws: frozenset[str]) -> list[str]:
    """Write the blocks inside a block, and the list that belongs before or behind them.

    ``lists_last``: a first pass without lists and examples, then all that was left out, each with its heading, and
    the last line twice. ``parent_again``: in full, with the parent's last line glued on, then its first line again.
    """
    inner: list[Entry] = entry["nested"]
    full = [
        [part["title"], *part["lines"][:1], *part.get("list", ()), *part["lines"][1:], *part.get("examples", ())]
        for part in inner
    ]
    flat = [line for part in full for line in part]
    if "nested_twice" not in flaws:
        return [*entry.get("list", ()), *flat, *entry.get("summary", ())]
    if entry["pattern"] == "lists_last":
        stubs = [line for part in inner for line in (part["title"], *part["lines"])]
        return [*stubs, *entry["list"], *flat, flat[-1]]
    glued = [*flat[:-1], flat[-1] + _GLUE, entry["lines"][-1]]
    return [*glued, inner[0]["title"], inner[0]["lines"][0], *entry["summary"]]


def _rule(entry: Entry, flaws: frozenset[str]) -> list[str]:
    """Write any other block. The break behind the first line of its text is lost, whatever follows."""
    head = [] if entry["kind"] == "profile_note" else [entry["title"]]
    if entry["kind"] == "detachment_rule":
        head.append(f"{entry['detachment']} Detachment")
    if "flavour" in entry:
        head.append(entry["flavour"])
    first, *rest = entry["lines"]
    if "lost_breaks" in flaws and not entry.get("break_kept"):
        first += _GLUE
    return [*head, first, *rest, *(_nested(entry, flaws) if "nested" in entry else ())]


def _block(reference: str, facts: Entry, glossary: Entry, flaws: frozenset[str]) -> list[str]:
    if reference.startswith("usage:"):
        return _usage(reference, facts, glossary)
    entry = _entry(reference, facts, glossary)
    if entry["kind"] == "stratagem":
        return _stratagem(entry, flaws)
    if entry["kind"] == "enhancement":
        return _enhancement(entry)
    return _rule(entry, flaws)


def _fill(text: str, faction: str, flaws: frozenset[str]) -> str:
    """Put the faction keyword in its places, or lose it there together with a blank."""
    if "{faction}" not in text:
        return text
    if "keyword_gaps" not in flaws:
        return text.replace("{faction}", faction)
    return re.sub(" {2,}", " ", text.replace("{faction}", "")).strip().replace(": :", ":")


def _flaws_of(facts: Entry, flaws: frozenset[str]) -> frozenset[str]:
    return flaws - set(facts.get("spared", ()))


def compose(facts: Entry, glossary: Entry, flaws: frozenset[str] = FLAWS, layout: str = "A") -> str:
    """Compose the dump of one datasheet: in the first layout no blank line, and no newline at its end.

    ``layout``: A piped rows under a title; B no title, no leading pipe, a short last row; C one cell per line; D
    Markdown; E leading pipes, abilities without brackets, no title; F tables without headers; G headers without
    columns, no title.
    """
    flaws = _flaws_of(facts, flaws)
    blocks = [_block(reference, facts, glossary, flaws) for reference in _reading_order(facts, glossary)]
    rules = [_fill(line, facts["faction"], flaws) for block in blocks for line in block]
    text = "\n".join([*_datasheet(facts, flaws, layout), *_indexes(facts, glossary), *rules])
    return text.replace(_GLUE + "\n", "").removesuffix(_GLUE)


# --- what a parser must give back


def expected_ability(printed: str) -> tuple[str, str | None, tuple[str, ...]]:
    """Take a printed weapon ability apart: slug, value, keywords that it is good against."""
    if match := re.fullmatch(r"anti-(.+) (\d)\+", printed):
        return "anti", match[2], (match[1].upper(),)
    if match := re.fullmatch(r"(.+) (d?\d\S*)", printed):
        return match[1].replace(" ", "_"), match[2].upper(), ()
    return re.sub("[ -]", "_", printed), None, ()


def _expected_weapons(facts: Entry) -> list[tuple[Any, ...]]:
    return [
        (
            weapon["name"],
            weapon.get("profile"),
            attack_type,
            int(weapon["range"][:-1]) if weapon["range"][-1] == '"' else None,
            weapon["A"],
            int(weapon["skill"][0]) if weapon["skill"] != "N/A" else None,
            weapon["S"],
            weapon["AP"],
            weapon["D"],
            tuple(expected_ability(printed) for printed in weapon.get("abilities", ())),
        )
        for attack_type in ("ranged", "melee")
        for weapon in facts.get(attack_type, ())
    ]


def _expected_composition(facts: Entry) -> list[tuple[str, int, int]]:
    kinds = [re.fullmatch(r"(\d+)(?:-(\d+))? (.+)", kind) for kind in facts.get("composition", ())]
    return [(kind[3], int(kind[1]), int(kind[2] or kind[1])) for kind in kinds if kind]


def _expected_abilities(facts: Entry) -> list[tuple[str, str, str | None, str | None]]:
    core = [re.fullmatch(r"(.+?)(?: (D?\d\S*))?", printed) for printed in facts.get("core", ())]
    faction = [facts["faction_ability"]] if "faction_ability" in facts else []
    return [
        *(("core", match[1], match[2], None) for match in core if match),
        *(("faction", name, None, None) for name in faction),
        *(("datasheet", name, None, text) for name, text in facts.get("abilities", {}).items()),
        *(("wargear", name, None, text) for name, text in facts.get("wargear_abilities", {}).items()),
    ]


def _expected_rules(facts: Entry, glossary: Entry, flaws: frozenset[str]) -> list[tuple[str, str | None, str]]:
    """Return kind, title (None: there is none) and body of each block, without the copies of a stratagem's fields."""
    rules = []
    for reference in _reading_order(facts, glossary):
        lines = _block(reference, facts, glossary, flaws - {"doubled_fields"})
        text = [_fill(line.replace(_GLUE, ""), facts["faction"], flaws) for line in lines]
        kind = "keyword_usage" if reference.startswith("usage:") else _entry(reference, facts, glossary)["kind"]
        titled = kind not in ("keyword_usage", "profile_note", "enhancement")
        if text:
            rules.append((kind, text[0] if titled else None, "\n".join(text[titled:])))
    return rules


def expected_records(facts: Entry, glossary: Entry) -> dict[str, list[Any]]:
    """Return what a parser must read from the dump: facts as tuples, texts with the gaps of lost keywords."""
    flaws = _flaws_of(facts, FLAWS)

    def filled(entry: Entry, field: str) -> str | None:
        return _fill(entry[field], facts["faction"], flaws) if field in entry else None

    def restored(entry: Entry) -> str | None:
        lost = "keyword_gaps" in flaws and "{faction}" in entry.get("eligibility", "")
        return entry["eligibility"].replace("{faction}", facts["faction"]) if lost else None

    stratagems = _entries(facts["stratagems"], facts, glossary)
    rules = _entries(facts.get("detachment_rules", ()), facts, glossary)
    enhancements = _entries(facts.get("enhancements", ()), facts, glossary)
    return {
        "weapons": _expected_weapons(facts),
        "costs": [tuple(row) for row in facts.get("points", ())],
        "composition": _expected_composition(facts),
        "keywords": [*((word, False) for word in facts["keywords"]), (facts["faction"], True)],
        "abilities": _expected_abilities(facts),
        "options": list(facts.get("options", ())),
        "stratagems": [
            (
                *(entry["title"], entry["cp"], entry["detachment"], entry["type"], entry["detachment"] == "Core"),
                *(filled(entry, field) for field in (*_FIELDS, "flavour")),
            )
            for entry in stratagems
        ],
        "detachment_rules": [(entry["title"], entry["detachment"]) for entry in rules],
        "enhancements": [
            (
                *(entry["title"], entry["points"], entry["detachment"] if "rule" in entry else None),
                *(filled(entry, field) for field in ("eligibility", "rule", "flavour")),
                restored(entry),
            )
            for entry in enhancements
        ],
        "rules": _expected_rules(facts, glossary, flaws),
    }


# --- writing


def sample_name(name: str) -> str:
    """Name of a sample's file; it sorts before what users drop in, since of two pages the later path counts."""
    return f"00-sample_{name}.txt"


def dumps() -> dict[str, bytes]:
    """Compose all sample dumps, by file name."""
    glossary = load_glossary()
    return {sample_name(name): compose(facts, glossary).encode() for name, facts in load_facts().items()}


def _varied(facts: Entry, glossary: Entry, number: int, chance: random.Random) -> Entry:
    """Return a datasheet like the given one, with another name, other numbers, and the rules of a full page."""
    facts = copy.deepcopy(facts)
    facts["unit"] += f" {number}"
    for weapon in (*facts.get("ranged", ()), *facts.get("melee", ())):
        weapon["S"] = str(chance.randint(3, 16)) if weapon["S"].isdigit() else weapon["S"]
        weapon["A"] = str(chance.randint(1, 8)) if weapon["A"].isdigit() else weapon["A"]
        weapon["AP"] = -chance.randint(0, 5)
        weapon["D"] = chance.choice(["1", "2", "3", "D3", "D6", "D6+1"])
    facts["points"] = [[n, 5 * chance.randint(2, 12) * n] for n, _ in facts.get("points", ())]
    titles: dict[str, list[str]] = {}
    for title, entries in glossary["texts"].items():
        titles.setdefault(entries[0]["kind"], []).append(title)
    own = [title for title in facts["stratagems"] if chance.random() < 0.8]
    others = [title for title in titles["stratagem"] if title not in facts["stratagems"]]
    facts["stratagems"] = own + chance.sample(others, _STRATAGEMS - len(own))
    common = [title for kind in ("core_rule", "weapon_ability") for title in titles[kind]]
    facts["opening"] = list(dict.fromkeys([*facts["opening"], *(t for t in common if chance.random() < 0.9)]))
    return facts


def full_glossary() -> Entry:
    """Return the glossary with texts as long as those of real pages: behind each stands some flavour."""
    glossary = load_glossary()
    entries = [entry for entries in glossary["texts"].values() for entry in entries]
    flavours = cycle([entry["flavour"] for entry in entries if entry.get("flavour", "").endswith(".")])

    def longer(text: str) -> str:
        is_sentence = text.endswith(".") and len(text) > 40 and text[0] != "-"
        return f"{text} {next(flavours)} {next(flavours)}" if is_sentence else text

    texts: dict[str, list[Entry]] = {}
    for entry in entries:
        full = dict(entry)
        if entry["kind"] == "stratagem":
            full |= {field: longer(entry[field]) for field in ("flavour", "target", "effect")}
        elif entry["kind"] in ("core_rule", "core_ability", "weapon_ability"):
            full["lines"] = [longer(line) for line in entry["lines"]]
        texts.setdefault(entry["title"], []).append(full)
    return {**glossary, "texts": texts}


def generate(n: int, seed: int = 0, layout: str = "A") -> Iterator[tuple[str, bytes]]:
    """Yield n dumps of made-up datasheets, the same ones for the same seed: for tests under load.

    A dump has the size of a real one, some 60 kB, and as in real ones most of it is printed in every other as well.
    """
    glossary = full_glossary()
    for name, facts in generate_facts(n, seed):
        yield name, compose(facts, glossary, layout=layout).encode()


def generate_facts(n: int, seed: int = 0) -> Iterator[tuple[str, Entry]]:
    """Yield the facts of these dumps, which are composed with the full glossary."""
    glossary, models, chance = load_glossary(), load_facts(), random.Random(seed)
    for number in range(n):
        name = chance.choice(sorted(models))
        yield f"{name}_{number:06}.txt", _varied(models[name], glossary, number, chance)


def main() -> None:
    """Rewrite the sample dumps; other files in ``raw/`` are left alone."""
    RAW.mkdir(exist_ok=True)
    for name, content in dumps().items():
        (RAW / name).write_bytes(content)
        print(f"{len(content):7,} bytes  raw/{name}")


if __name__ == "__main__":
    main()
