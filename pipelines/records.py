"""The one record model: whatever a source looks like, it yields these records and nothing else.

Belongs here: what a source says, as immutable records, with the line it says it on. Doesn't: ids of rows
(``dimensions`` derives them), deduplication (``rulebook``), anything about one particular source.

Conventions: text is un-glued and NFC, gaps of dropped keywords are kept; a value that the source doesn't give
is ``None``, never 0 or ""; lines and columns are 1-based, columns count code points, ``end_column`` is exclusive.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal

AttackType = Literal["ranged", "melee"]
NameSource = Literal["title", "stat_line", "composition", "keywords", "file_name"]
SourceKind = Literal["text_dump", "html_page", "csv_export", "community_dataset"]
Status = Literal["parsed", "partial", "quarantined", "superseded"]
Severity = Literal["info", "warning", "error"]
Encoding = Literal["utf-8", "windows-1252"]
Newline = Literal["lf", "crlf", "cr", "mixed"]


@dataclass(frozen=True, slots=True)
class Issue:
    """Something in a document that a reader should know of: ``code`` is a snake_case slug, listed in docs."""

    severity: Severity
    code: str
    message: str
    line: int | None = None
    excerpt: str | None = None


@dataclass(frozen=True, slots=True)
class Span:
    """A stretch of a text dump. The spans of a document tile it: each character lies in exactly one.

    A span owns the newline that ends it: its end is then ``(line + 1, 1)``. ``entity`` names what it belongs to
    within the document (``"weapon:HYLas rotary cannon"``), or is None. ``text``: its characters as they stand there,
    line breaks as LF unless the document mixes kinds of them; equal texts are one object.
    """

    start_line: int
    start_column: int
    end_line: int
    end_column: int
    kind: str
    text: str
    entity: str | None = None


@dataclass(frozen=True, slots=True)
class WeaponAbility:
    """One printed weapon ability. ``ability`` is a slug (``sustained_hits``), ``value`` text (``"1"``, ``"D3"``).

    Anti-X Y+: ability ``anti``, against_keywords ``("INFANTRY",)`` (several when slashed), value ``"4"``.
    ``condition`` is the printed condition of an 11th-edition conditional ability (``"non-MONSTER/VEHICLE"``).
    """

    ability: str
    value: str | None = None
    against_keywords: tuple[str, ...] = ()
    condition: str | None = None
    printed: str | None = None


@dataclass(frozen=True, slots=True)
class WeaponProfile:
    """One profile of a weapon of one datasheet. attacks, strength, damage: text such as ``3`` or ``D6+1``.

    ``skill`` None: hits automatically. ``range_inches`` None: melee or N/A. ``armour_penetration`` <= 0.
    """

    weapon_name: str
    attack_type: AttackType
    attacks: str
    strength: str
    damage: str
    skill: int | None
    armour_penetration: int
    range_inches: int | None = None
    profile_name: str | None = None
    dice_range: str | None = None
    abilities: tuple[WeaponAbility, ...] = ()
    line: int | None = None


@dataclass(frozen=True, slots=True)
class ModelProfile:
    """A stat line. movement in inches; save as printed (7 stays 7); scopes: ``ranged``, ``melee``, ``mortal``.

    ``improved_invulnerable_save``: a better one that holds against the attacks of its scope only, beside the other.
    ``base_size``: as printed without its brackets and ``⌀``: ``32mm``, ``60 x 35mm``, ``Hull``.
    """

    model_name: str
    movement: int | None = None
    toughness: int | None = None
    save: int | None = None
    invulnerable_save: int | None = None
    invulnerable_save_scope: str | None = None
    improved_invulnerable_save: int | None = None
    improved_invulnerable_save_scope: str | None = None
    wounds: int | None = None
    leadership: int | None = None
    objective_control: int | None = None
    feel_no_pain: int | None = None
    feel_no_pain_scope: str | None = None
    base_size: str | None = None


@dataclass(frozen=True, slots=True)
class DamagedBracket:
    """What changes while a model has ``wounds_from`` to ``wounds_to`` wounds left.

    ``hit_modifier``, ``objective_control_modifier``: what ``text`` says of them, None where it doesn't (-1: one worse).
    """

    wounds_from: int
    wounds_to: int
    hit_modifier: int | None = None
    objective_control_modifier: int | None = None
    text: str | None = None
    line: int | None = None


@dataclass(frozen=True, slots=True)
class Cost:
    """A printed price. ``models`` to ``models_max`` models cost ``points`` in all, for the copies_from-th copy on."""

    models: int
    points: int
    models_max: int | None = None
    kind: Literal["base", "add_on", "alternative"] = "base"
    condition: str | None = None
    item: str | None = None
    copies_from: int | None = None
    copies_to: int | None = None
    priced_at: str | None = None
    line: int | None = None


@dataclass(frozen=True, slots=True)
class Composition:
    """A kind of model in a unit; default_weapons None: the source doesn't say."""

    model_name: str
    min_models: int
    max_models: int
    default_weapons: tuple[str, ...] | None = None
    line: int | None = None


@dataclass(frozen=True, slots=True)
class Keyword:
    """A keyword in capitals; model_name None: every model has it."""

    keyword: str
    is_faction_keyword: bool = False
    model_name: str | None = None
    line: int | None = None


@dataclass(frozen=True, slots=True)
class UnitAbility:
    """An ability of a datasheet; ``parameter`` as printed (``9"``, ``D3``, ``5+``); text None for a bare name."""

    kind: Literal["core", "faction", "datasheet", "wargear"]
    name: str
    parameter: str | None = None
    text: str | None = None
    line: int | None = None


Items = tuple[tuple[str, int], ...]
"""Names of wargear with how many of each."""


@dataclass(frozen=True, slots=True)
class CarryLimit:
    """At most so many weapons a model: of these ``names`` together, or where there are none, of this ``kind``."""

    most: int
    names: tuple[str, ...] = ()
    kind: Literal["ranged", "pistol", "other_ranged"] = "ranged"


@dataclass(frozen=True, slots=True)
class WargearSwap:
    """What an option lets models do. A taker gives up ``replaces`` and gains one of the alternatives ``choices``.

    ``takers``: the kind of model that may take it as named, None: any. ``most``: how many may, None: all of them;
    ``per_models``: so many for each so many models of the unit, None: for the unit; ``of_models``: so many in a unit of
    that size, a smaller one has its share, rounded down. ``times``: how often each taker
    may, None: as long as it has what is replaced. ``together``: all of them or none. ``from_models``, ``to_models``:
    sizes of the unit at which it is open. ``distinct``: no alternative twice. ``carrying``, ``not_carrying``: what a
    taker must and must not have, in the end too. ``besides``: what each of the choices costs on top of ``replaces``,
    empty: nothing. ``per_kind``: the models that ``per_models`` counts, None: all. ``repeats``: (size of the unit, how
    often each alternative may be chosen in one of that size or more). ``at_most``: what a taker may carry in the end;
    ``keeps``: what of its equipment, old or gained, it can't give up afterwards.
    """

    replaces: Items
    choices: tuple[Items, ...]
    takers: str | None = None
    most: int | None = None
    per_models: int | None = None
    of_models: int | None = None
    times: int | None = 1
    together: bool = False
    from_models: int | None = None
    to_models: int | None = None
    distinct: bool = False
    carrying: tuple[str, ...] = ()
    not_carrying: tuple[str, ...] = ()
    besides: tuple[Items, ...] = ()
    per_kind: str | None = None
    repeats: tuple[tuple[int, int], ...] = ()
    at_most: tuple[CarryLimit, ...] = ()
    keeps: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class WargearOption:
    """An option line. ``quantity``: items gained per model that takes it; names in replaces/gains without counts.

    ``text`` None: the source gives the option without words. ``swap``: the option as what models may do, None where its
    words aren't understood.
    """

    position: int
    text: str | None
    action: Literal["replace", "add"] | None
    replaces: tuple[str, ...] = ()
    gains: tuple[str, ...] = ()
    quantity: int | None = None
    eligibility: str | None = None
    line: int | None = None
    swap: WargearSwap | None = None


@dataclass(frozen=True, slots=True)
class Datasheet:
    """One unit as one document describes it. ``source_key``: the source's own id, None where it has none.

    ``stratagems``: indexes into its document's stratagems, None where all of them are its own. ``availability``:
    ``legends`` (no longer supported), ``virtual`` (no unit that can be fielded), None for a regular or unmarked unit.
    ``name_source``: where a page names the unit; ``stat_line``: above it.
    """

    name: str
    collection: str | None
    faction: str | None
    edition: str
    source_key: str | None = None
    models: tuple[ModelProfile, ...] = ()
    costs: tuple[Cost, ...] = ()
    composition: tuple[Composition, ...] = ()
    keywords: tuple[Keyword, ...] = ()
    abilities: tuple[UnitAbility, ...] = ()
    wargear_options: tuple[WargearOption, ...] = ()
    weapons: tuple[WeaponProfile, ...] = ()
    leads: tuple[str, ...] | None = None
    has_points_by_design: bool = True
    line: int | None = None
    stratagems: tuple[int, ...] | None = None
    availability: Literal["legends", "virtual"] | None = None
    damaged: DamagedBracket | None = None
    name_source: NameSource = "title"


RuleKind = Literal[
    "core_rule", "core_ability", "weapon_ability", "faction_rule", "profile_note", "stratagem", "detachment_rule",
    "enhancement", "keyword_usage", "army_list_nav", "nested_rule", "unknown",
]  # fmt: skip


@dataclass(frozen=True, slots=True)
class RuleBlock:
    """A rules block as printed: ``body`` is everything after the title line, un-glued at block seams, line by line.

    Untitled blocks carry a synthetic title in brackets and their body is all lines. Repeated TARGET/EFFECT copies
    are folded away in ``body``. ``parent``: index of the enclosing block in ``Document.rules``; a nested piece is
    contained in its parent's body as well.
    """

    title: str
    kind: RuleKind
    body: str
    start_line: int
    end_line: int
    parent: int | None = None
    restored_body: str | None = None


@dataclass(frozen=True, slots=True)
class Stratagem:
    """``rule``: index in ``Document.rules`` of its detail block, None when only the index names it.

    ``faction``: where a document holds several factions, the one that owns the stratagem; so below.
    """

    name: str
    cp_cost: int
    detachment: str | None
    type: str
    is_core: bool
    when_text: str | None = None
    target_text: str | None = None
    effect_text: str | None = None
    restrictions_text: str | None = None
    flavour: str | None = None
    rule: int | None = None
    line: int | None = None
    faction: str | None = None


@dataclass(frozen=True, slots=True)
class DetachmentRule:
    """``detachment`` None: only the index names it, without its detachment."""

    name: str
    detachment: str | None
    text: str | None
    rule: int | None = None
    line: int | None = None
    faction: str | None = None


@dataclass(frozen=True, slots=True)
class Enhancement:
    """``text_match``: how surely the nameless text was aligned with the name; ``missing``: there is no text."""

    name: str
    points: int | None
    detachment: str | None
    eligibility_text: str | None = None
    eligibility_restored: str | None = None
    description: str | None = None
    flavour: str | None = None
    text_match: Literal["certain", "inferred", "missing"] = "certain"
    rule: int | None = None
    line: int | None = None
    faction: str | None = None


@dataclass(frozen=True, slots=True)
class RowCount:
    """Rows of a table's file: those that came in, and those that became (part of) a record; issues count the rest."""

    rows_in: int
    rows_kept: int


@dataclass(frozen=True, slots=True)
class Document:
    """One input file and all that was read from it. ``document_id``: SHA-256 of the bytes, hexadecimal.

    ``encoding``, ``byte_order_mark`` and ``newline`` say how the bytes hold the text; None where it isn't one text.
    """

    document_id: str
    path: str
    source_kind: SourceKind
    byte_count: int
    status: Status
    edition: str | None = None
    edition_source: Literal["printed", "declared_default"] | None = None
    title: str | None = None
    collection: str | None = None
    unit_name: str | None = None
    line_count: int | None = None
    dated: str | None = None
    encoding: Encoding | None = None
    byte_order_mark: bool | None = None
    newline: Newline | None = None
    spans: tuple[Span, ...] = ()
    issues: tuple[Issue, ...] = ()
    datasheets: tuple[Datasheet, ...] = ()
    rules: tuple[RuleBlock, ...] = ()
    stratagems: tuple[Stratagem, ...] = ()
    detachment_rules: tuple[DetachmentRule, ...] = ()
    enhancements: tuple[Enhancement, ...] = ()
    other_paths: tuple[str, ...] = field(default=())
    row_count: RowCount | None = None
