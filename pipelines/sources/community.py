"""The community data set (the ``wh40kdc`` package: MIT code, data CC BY 4.0) as records.

Belongs here: what that package's shapes mean, in the installed bundle or in a newer one that a user lays in. Doesn't:
choosing between it and other sources, joining it to them.

Traps of the data: ids are unique only within a faction; Feel No Pain and Stealth stand among the ability ids, not in
the stat line; prices may span sizes and depend on how many copies an army has; Combat Patrol sheets carry prices of 0,
which mean that they have none.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import replace
from importlib.metadata import version
from importlib.resources import files
from pathlib import Path
from typing import Any

from pipelines.identity import fold
from pipelines.records import (
    Composition,
    Cost,
    DamagedBracket,
    Datasheet,
    Document,
    Issue,
    Keyword,
    ModelProfile,
    UnitAbility,
    WargearOption,
    WeaponAbility,
    WeaponProfile,
)
from pipelines.sources.community_options import read_options
from pipelines.sources.serialization import check
from pipelines.sources.stat_lines import read_damaged, save_by_attack, with_save

EDITION = "11e"
COMBAT_PATROL = "Combat Patrol"
_FEEL_NO_PAIN = re.compile(r"feel-no-pain-(\d)")
_DAMAGED = re.compile(r"damaged: *[0-9]", re.IGNORECASE)

Raw = Mapping[str, Any]
Key = tuple[str, str]


_TABLES = ("units", "weapons", "unit_compositions", "abilities", "factions", "leader_attachments", "game_versions")


def package_bundle() -> tuple[Path, str]:
    """The installed package's bundle, and the path that its document is stored under."""
    path = Path(str(files("wh40kdc").joinpath("_bundle.json")))
    return path, f"(package) wh40kdc {version('wh40kdc')}"  # a bundle of the user's sorts behind it


def read_community_dataset() -> Document:
    """Read the installed package's bundle: one document with a datasheet for each unit of each faction."""
    path, shown = package_bundle()
    return read_bundle(path.read_bytes(), shown)


def is_bundle(raw: bytes) -> bool:
    """Whether the bytes look like a bundle of the data set: a JSON object that names its tables."""
    return raw.lstrip()[:1] == b"{" and all(f'"{name}"'.encode() in raw for name in _TABLES)


def read_bundle(content: bytes, path: str) -> Document:
    """Read a bundle; one that lacks what it should have becomes a quarantined document that says what."""
    document_id = hashlib.sha256(content).hexdigest()
    try:
        bundle = json.loads(content)
        reader = _Reader(bundle)
        document = Document(
            document_id=document_id,
            path=path,
            source_kind="community_dataset",
            byte_count=len(content),
            status="parsed",
            edition=EDITION,
            edition_source="printed",
            title="40kdc community data set",
            dated=reader.dated,
            datasheets=tuple(reader.datasheet(unit) for unit in bundle["units"]),
            issues=tuple(reader.issues),
        )
        check(document)
    except (KeyError, TypeError, ValueError, AttributeError, RecursionError) as error:
        message = f"a community bundle in a shape that isn't known: {type(error).__name__} {str(error)[:80]}"
        issue = Issue("error", "bundle_unreadable", message, 1)
        return Document(document_id, path, "community_dataset", len(content), "quarantined", issues=(issue,))
    return document


class _Reader:
    """Look-ups over the bundle that turn one raw unit into a datasheet."""

    def __init__(self, bundle: Mapping[str, list[dict[str, Any]]]) -> None:
        self.issues: list[Issue] = []
        self.dated = max(entry["effective_date"] for entry in bundle["game_versions"])
        self._dates = {entry["dataslate"]: entry["effective_date"] for entry in bundle["game_versions"]}
        self._factions = {entry["id"]: entry["name"] for entry in bundle["factions"]}
        self._weapons = {(entry["faction_id"], entry["id"]): entry for entry in bundle["weapons"]}
        self._wargear = {entry["id"]: entry["name"] for entry in bundle.get("wargear", ())}
        self._options: dict[Key, list[Raw]] = defaultdict(list)
        for option in bundle.get("wargear_options", ()):
            self._options[option["faction_id"], option["unit_id"]].append(option)
        self._compositions: dict[Key, Raw] = {}
        for entry in bundle["unit_compositions"]:
            self._compositions.setdefault((entry["faction_id"], entry["unit_id"]), entry)
        self._leads = {entry["leader_id"]: entry["eligible_bodyguard_ids"] for entry in bundle["leader_attachments"]}
        self._names = {(entry["faction_id"], entry["id"]): entry["name"] for entry in bundle["units"]}
        self._abilities: dict[Key, Raw] = {}
        for entry in bundle["abilities"]:
            self._abilities.setdefault((entry.get("faction_id") or "", entry["ability_id"]), entry)
        self._damaged_of: dict[Key, list[Raw]] = defaultdict(list)
        for entry in bundle["abilities"]:
            for unit_id in (entry.get("unit_ids") or ()) if _DAMAGED.match(entry["name"]) else ():
                self._damaged_of[entry.get("faction_id") or "", unit_id].append(entry)

    def datasheet(self, unit: Raw) -> Datasheet:
        faction_id = unit["faction_id"]
        faction = self._factions[faction_id]
        combat_patrol = "combat-patrol" in (unit.get("game_modes") or [])
        return Datasheet(
            name=unit["name"],
            collection=COMBAT_PATROL if combat_patrol else faction,
            faction=faction,
            edition=EDITION,
            source_key=unit["id"],
            models=tuple(self._models(unit)),
            costs=() if combat_patrol else tuple(self._costs(unit)),
            composition=tuple(self._composition(unit)),
            keywords=tuple(_keywords(unit)),
            abilities=tuple(self._unit_abilities(unit)),
            wargear_options=self._wargear_options(unit),
            weapons=tuple(self._weapon_profiles(unit)),
            leads=self._bodyguards(unit),
            has_points_by_design=not combat_patrol,
            damaged=self._damaged(unit),
        )

    def _wargear_options(self, unit: Raw) -> tuple[WargearOption, ...]:
        key = (unit["faction_id"], unit["id"])

        def name_of(item: str) -> str:
            weapon = self._weapons.get((key[0], item))
            return weapon["name"] if weapon else self._wargear.get(item, item)

        models = self._compositions[key]["models"] if key in self._compositions else ()
        return read_options(self._options[key], models, name_of)

    def _bodyguards(self, unit: Raw) -> tuple[str, ...]:
        """Names of the units of its own faction that it can be attached to."""
        ids = self._leads.get(unit["id"], ())
        return tuple(self._names[unit["faction_id"], each] for each in ids if (unit["faction_id"], each) in self._names)

    def _issue(self, unit: Raw, code: str, message: str) -> None:
        self.issues.append(Issue("info", code, f"{unit['name']} ({unit['faction_id']}): {message}"))

    def _models(self, unit: Raw) -> Iterable[ModelProfile]:
        thresholds = [
            int(found[1]) for ability in unit.get("ability_ids") or [] if (found := _FEEL_NO_PAIN.match(ability))
        ]
        for profile in unit["profiles"]:
            save = save_by_attack(*(profile.get(name) for name in ("invuln_sv", "invuln_sv_ranged", "invuln_sv_melee")))
            model = ModelProfile(
                model_name=profile["name"],
                movement=profile["M"],
                toughness=profile["T"],
                save=profile["Sv"],
                wounds=profile["W"],
                leadership=profile["Ld"],
                objective_control=profile["OC"],
                feel_no_pain=min(thresholds, default=None),
                base_size=_base_size(unit.get("base_size_mm")),
            )
            yield model if save is None else with_save(model, save)

    def _damaged(self, unit: Raw) -> DamagedBracket | None:
        """The bracket among the abilities that name the unit or that it names; its wounds stand in its name."""
        listed = [(unit["faction_id"], each) for each in unit.get("ability_ids") or ()]
        found = [self._abilities[key] for key in listed if key in self._abilities]
        for entry in (*found, *self._damaged_of.get((unit["faction_id"], unit["id"]), ())):
            if _DAMAGED.match(entry["name"]):
                modifier = _hit_modifier(entry["effect"])
                return replace(read_damaged(entry["name"], None), hit_modifier=modifier)
        return None

    def _costs(self, unit: Raw) -> Iterable[Cost]:
        priced_at = self._dates.get(unit["game_version"]["dataslate"])
        for tier in unit.get("points") or []:
            if tier["cost"] <= 0:
                self._issue(unit, "price_of_zero", f"price of {tier['models']} models is {tier['cost']}: taken as none")
                continue
            yield Cost(
                models=tier["models"],
                models_max=tier.get("models_max"),
                points=tier["cost"],
                copies_from=tier.get("unit_count_min"),
                copies_to=tier.get("unit_count_max"),
                priced_at=priced_at,
            )
        for tier in unit.get("allied_points") or []:
            yield Cost(
                models=tier["models"],
                models_max=tier.get("models_max"),
                points=tier["cost"],
                kind="alternative",
                condition=f"in an army of {tier['host_faction']}",
                copies_from=tier.get("unit_count_min"),
                copies_to=tier.get("unit_count_max"),
                priced_at=priced_at,
            )
        for item in unit.get("wargear_costs") or []:
            weapon = self._weapons.get((unit["faction_id"], item["item_id"]))
            yield Cost(
                models=1,
                points=item["cost"],
                kind="add_on",
                item=weapon["name"] if weapon else item["item_id"],
                priced_at=priced_at,
            )

    def _composition(self, unit: Raw) -> Iterable[Composition]:
        composition = self._compositions.get((unit["faction_id"], unit["id"]))
        if composition is None:
            self._issue(unit, "composition_missing", "no composition")
            return
        counts = _counts_at_smallest_size(composition)
        for model in composition["models"]:
            least = counts.get(model["name"], model["min"])
            ids = model.get("default_weapon_ids")
            yield Composition(
                model_name=model["name"],
                min_models=least,
                max_models=max(model["max"], least),
                default_weapons=None if ids is None else tuple(self._weapon_names(unit, ids)),
            )

    def _weapon_names(self, unit: Raw, ids: Iterable[str]) -> Iterable[str]:
        for weapon_id in ids:
            weapon = self._weapons.get((unit["faction_id"], weapon_id))
            if weapon is not None:  # other ids are wargear without attacks
                yield weapon["name"]

    def _unit_abilities(self, unit: Raw) -> Iterable[UnitAbility]:
        for ability_id in unit.get("ability_ids") or []:
            entry = self._abilities.get((unit["faction_id"], ability_id)) or self._abilities.get(("", ability_id))
            name = entry["name"] if entry else ability_id.replace("-", " ").title()
            threshold = _FEEL_NO_PAIN.match(ability_id)
            kind = entry["ability_type"] if entry else None
            yield UnitAbility(
                kind=kind if kind in ("core", "faction") else "datasheet",
                name="Feel No Pain" if threshold else name,
                parameter=f"{threshold[1]}+" if threshold else None,
            )

    def _weapon_profiles(self, unit: Raw) -> Iterable[WeaponProfile]:
        seen: dict[tuple[str, str, str | None], WeaponProfile] = {}
        for weapon_id in unit.get("weapon_ids") or []:
            weapon = self._weapons.get((unit["faction_id"], weapon_id))
            if weapon is None:
                self._issue(unit, "weapon_missing", f"weapon {weapon_id} is named but not described")
                continue
            for raw in weapon["profiles"]:
                profile = _weapon_profile(weapon, raw)
                key = (profile.attack_type, fold(profile.weapon_name), profile.profile_name)
                if key not in seen:
                    seen[key] = profile
                elif seen[key] != profile:
                    self._issue(unit, "weapon_described_twice", f"{profile.weapon_name}: the first description is kept")
        return seen.values()


def _base_size(base: Raw | None) -> str | None:
    """``32mm``, ``60 x 35.5mm``, ``Hull``: the data set's measures in the form in which bases are printed."""
    if not base:
        return None
    if "diameter" in base:
        return f"{base['diameter']}mm"
    shape = str(base["shape"]).replace("-", " ")
    if "length" not in base:
        return f"{base.get('size', '')} {shape}".strip().capitalize()
    longest, shortest = sorted((base["length"], base["width"]), reverse=True)
    return f"{longest} x {shortest}mm" + ("" if shape == "oval" else f" {shape}")


def _hit_modifier(effect: Raw) -> int | None:
    """What a conditional effect does to the Hit roll of the bearer."""
    inner = effect.get("effect") or {}
    modifier = inner.get("modifier") or {}
    if inner.get("type") != "roll-modifier" or modifier.get("roll") != "hit":
        return None
    sign = {"subtract": -1, "add": 1}.get(str(modifier.get("operation")))
    return None if sign is None else sign * int(modifier["value"])


def _counts_at_smallest_size(composition: Raw) -> Mapping[str, int]:
    """Models of each kind at the smallest legal size: the first tier where its names are the model rows' own."""
    tiers = composition.get("tiers") or []
    names = {model["name"] for model in composition["models"]}
    if tiers and {model["name"] for model in tiers[0]["models"]} <= names:
        return dict.fromkeys(names, 0) | {model["name"]: model["min"] for model in tiers[0]["models"]}
    return {}


def _keywords(unit: Raw) -> Iterable[Keyword]:
    for keyword in dict.fromkeys(unit["keywords"]):
        yield Keyword(keyword.upper())
    for keyword in dict.fromkeys(unit["faction_keywords"]):
        yield Keyword(keyword.upper(), is_faction_keyword=True)


def _weapon_profile(weapon: Raw, raw: Raw) -> WeaponProfile:
    stats = raw["stats"]
    melee = raw["range"] == "Melee"
    return WeaponProfile(
        weapon_name=weapon["name"],
        profile_name=_profile_name(weapon, raw),
        attack_type="melee" if melee else "ranged",
        range_inches=None if melee else raw["range"],
        attacks=str(stats["A"]),
        skill=stats.get("WS" if melee else "BS"),
        strength=str(stats["S"]),
        armour_penetration=stats["AP"],
        damage=str(stats["D"]),
        abilities=tuple(_abilities(raw.get("keywords") or [])),
    )


def _profile_name(weapon: Raw, raw: Raw) -> str | None:
    if len(weapon["profiles"]) == 1:
        return None
    name = str(raw["name"])
    prefix = f"{weapon['name']} - "
    return name.removeprefix(prefix) if name.startswith(prefix) else name


def _abilities(keywords: Iterable[Raw]) -> Iterable[WeaponAbility]:
    for keyword in keywords:
        parameters = keyword.get("parameters") or {}
        named = parameters.get("target_keyword")
        value = parameters.get("threshold", parameters.get("value"))
        yield WeaponAbility(
            ability=keyword["keyword_id"].replace("-", "_"),
            value=None if value is None else str(value),
            against_keywords=tuple(part.upper() for part in named.split("/")) if named else (),
            condition=_condition(parameters),
        )


def _condition(parameters: Raw) -> str | None:
    """Condition in the game's notation: ``VEHICLE``, ``MONSTER/VEHICLE``, ``non-MONSTER/VEHICLE``; None: always."""
    excluded = parameters.get("excluded_target_keywords")
    required = parameters.get("required_target_keywords_any")
    if excluded:
        return "non-" + "/".join(keyword.upper() for keyword in excluded)
    if required and required != [parameters.get("target_keyword")]:
        return "/".join(keyword.upper() for keyword in required)
    return None
