"""Small datasheet pages in the described HTML structure, in words of our own."""

from __future__ import annotations

from collections.abc import Sequence

from pipelines.records import Document, WeaponProfile
from pipelines.sources.html_page import parse_page

LEFT, RIGHT = "dsLeft\u0421ol", "dsRight\u0421ol"  # U+0421, as on the pages
LABELS = ("M", "T", "Sv", "W", "Ld", "OC")
STATS = ('6"', "4", "3+", "2", "6+", "1")

Weapon = tuple[str, Sequence[str], Sequence[str]]

LONG_GUN = ("Long gun", ("heavy", "sustained hits 1"), ('36"', "2", "3+", "9", "-2", "D3+1"))
FLAMER = ("Spark hose", ("ignores cover", "torrent"), ('12"', "D6", "N/A", "4", "0", "1"))
CHARGED: list[Weapon] = [
    ("➤ Arc coil – steady", ("assault",), ('24"', "1", "3+", "7", "-2", "1")),
    ("➤ Arc coil – surge", ("assault", "hazardous"), ('24"', "1", "3+", "8", "-3", "2")),
]
KNIVES = ("Crew knives", (), ("Melee", "3", "4+", "3", "0", "1"))


def spans(abilities: Sequence[str]) -> str:
    """Ability spans behind a weapon's name."""
    inner = ", ".join(f'<span class="tt kwbu">{ability}</span>' for ability in abilities)
    return f' <span class="kwbw">[{inner}]</span>' if abilities else ""


def weapon(name: str, abilities: Sequence[str], cells: Sequence[str]) -> str:
    """Name row and data row of one profile."""
    shown = f"<span>{name}{spans(abilities)}</span>"
    values = "\n".join(f'<td><div class="ct pad2626">{cell}</div></td>' for cell in cells)
    return (
        f'<tr class="wTable2_long"><td></td><td colspan="6" class="pad2626">{shown}</td></tr>\n'
        f'<tr><td></td><td class="wTable2_short pad2626">{shown}</td>\n{values}\n</tr>\n'
    )


def heading_row(kind: str) -> str:
    """Header of a weapon table."""
    names = ("RANGE", "A", "WS" if kind == "MELEE" else "BS", "S", "AP", "D")
    cells = "".join(f'<td><div class="ct dsHeader">{name}</div></td>' for name in names)
    return (
        f'<tbody><tr><td class="dsHeader"><div class="icon"></div></td><td class="wTable_WEAPON">'
        f'<div class="dsHeader">{kind} WEAPONS</div></td>{cells}</tr></tbody>\n'
    )


def weapon_table(ranged: Sequence[Weapon | list[Weapon]] = (), melee: Sequence[Weapon | list[Weapon]] = ()) -> str:
    """One table with both kinds; a list of profiles shares its body."""
    parts = ['<table class="wTable" width="100%">\n']
    for kind, weapons in (("RANGED", ranged), ("MELEE", melee)):
        if not weapons:
            continue
        parts.append(heading_row(kind))
        for each in weapons:
            profiles = each if isinstance(each, list) else [each]
            parts.append(f'<tbody class="bkg">{"".join(weapon(*profile) for profile in profiles)}</tbody>\n')
    return "".join([*parts, "</table>\n"])


def profile(values: Sequence[str] = STATS, name: str = "", labels: bool = True) -> str:
    """One stat line; only the first of a card carries labels."""
    boxes = "\n".join(
        f'<div class="dsCharWrap">{f"<div class={chr(34)}dsCharName{chr(34)}>{label}</div>" if labels else ""}'
        f'<div class="dsCharFrame"><div class="dsCharValue">{value}</div></div></div>'
        for label, value in zip(LABELS, values, strict=False)
    )
    shown = f'<span class="dsModelName">{name}</span>' if name else ""
    return f'<div class="dsProfileBaseWrap"><div class="dsProfileWrap">\n{boxes}\n</div>{shown}</div>\n'


def invulnerable(value: str, remark: str = "") -> str:
    """The box of an invulnerable save."""
    below = f'<div class="dsInvulComment">{remark}</div>' if remark else ""
    return (
        '<div class="dsInvulWrap"><div class="dsCharInvulText">INVULNERABLE SAVE</div>'
        f'<div class="dsCharInvul"><div class="dsCharInvulValue">{value}</div></div></div>{below}\n'
    )


def section(heading: str, *boxes: str) -> str:
    """A heading and the boxes under it."""
    return f'<div class="dsHeader">{heading}</div>\n' + "".join(
        f'<div class="dsAbility">{box}</div>\n' for box in boxes
    )


def costs(*rows: tuple[str, str], heading: str = "YOUR UNIT COSTS") -> str:
    """A price table."""
    lines = "".join(f'<tr><td>{label}</td><td><div class="PriceTag">{price}</div></td></tr>\n' for label, price in rows)
    return f'<table><tbody><tr><td colspan="2" class="dsUnitCostHeader">{heading}</td></tr>\n{lines}</tbody></table>'


def keywords(names: Sequence[str], factions: Sequence[str] = ("IRON PACT",)) -> str:
    """The two keyword columns at the foot of a card."""
    left, right = (", ".join(f'<span class="kwb kwbu">{name}</span>' for name in group) for group in (names, factions))
    return (
        f'<div class="ds2colKW"><div class="{LEFT}KW">KEYWORDS: {left}</div>\n'
        f'<div class="{RIGHT}KW">FACTION KEYWORDS:<br>{right}</div></div>\n'
    )


OPTIONS = (
    '<div class="dsHeader">WARGEAR OPTIONS</div>\n<ul class="dsUl"><li>This model’s long gun can be replaced with '
    "one of the following:<ul><li>1 spark hose</li><li>1 arc coil</li></ul></li>\n"
    "<li>This model can be equipped with 1 lucky charm.</li></ul>\n"
)
ABILITIES = section(
    "ABILITIES",
    'CORE: <b>Deadly Demise D3</b>, <b>Feel No Pain 5+</b>, <b>Scouts 6"</b>',
    "FACTION: <b>Sworn Debt</b>",
    "<b>Steady Hands:</b> While the crew stands <b>still</b>, it aims twice."
    "<ul><li>Once near</li><li>Once far</li></ul>"
    '<div class="dsLineHor"></div><b>Old Grudge (Aura):</b> Friends remember&nbsp;it &amp; fight on.',
)
COMPOSITION = section(
    "UNIT COMPOSITION",
    '<ul class="dsUl"><li><b>1-2 Gun Crews</b></li></ul><b>Every model is equipped with:</b> long gun; crew knives.',
    costs(("1 model", "55"), ("2 models", "110")),
)


def card(
    name: str = "Gun Crew",
    *,
    stats: str | None = None,
    weapons: str | None = None,
    left: str = OPTIONS,
    right: str = ABILITIES + COMPOSITION,
    foot: str | None = None,
    extra_class: str = "",
) -> str:
    """One card; parts not given are the usual ones."""
    shown = profile() if stats is None else stats
    table = weapon_table([LONG_GUN], [KNIVES]) if weapons is None else weapons
    words = keywords(["VEHICLE", name.upper()]) if foot is None else foot
    return (
        f'<a name="{name.replace(" ", "-")}"></a>\n<div class="dsOuterFrame datasheet pagebreak {extra_class}">\n'
        f'<div class="dsBannerWrap"><div class="dsH2Header"><div>{name}</div>'
        f'<span class="dsModelBase2 ShowBaseSize">(⌀60mm)</span></div>\n{shown}</div>\n'
        f'<div class="ds2col"><div class="{LEFT}">\n{table}{left}</div>\n<div class="{RIGHT}">\n{right}</div></div>\n'
        f"{words}</div>\n"
    )


def page(*cards: str, title: str = "Iron Pact – Gun Crew", head: str = "") -> str:
    """A page around cards, with what else a saved page holds."""
    return (
        f"<!DOCTYPE html>\n<html><head><title>{title}</title>{head}\n"
        "<script>var frames = 1 < 2;</script></head>\n<body>\n"
        f"<h1>{title} [ Filter ]</h1>\n<!-- a comment -->\n{''.join(cards or (card(),))}"
        "<script>document.title += '!';</script></body></html>\n"
    )


def parse(text: str) -> Document:
    """Parse a page without a file."""
    return parse_page(text, document_id="0" * 64, path="page.html", byte_count=len(text.encode("utf-8", "replace")))


def weapons_of(document: Document) -> list[WeaponProfile]:
    """All weapon profiles of a page."""
    return [weapon for sheet in document.datasheets for weapon in sheet.weapons]
