"""Rules of the small warehouse: what they cost, what they add to its units, what they do together, and what lasts."""

from __future__ import annotations

from typing import Any

HOSTILE = "<img src=x onerror=\"window.pwned='rule'\"></script><script>window.pwned='script'</script>"

ATTACKERS: list[dict[str, Any]] = [
    {"attacker_id": "rifles", "name": "Rifles (S4 AP0 D1)", "description": HOSTILE, "attack_type": "ranged",
     "count": 10, "attacks": "1", "skill": 4, "strength": "4", "armour_penetration": 0, "damage": "1", "points": 65},
    {"attacker_id": "blades", "name": "Blades (S5 AP-1 D1)", "description": "five blades", "attack_type": "melee",
     "count": 5, "attacks": "2", "skill": 3, "strength": "5", "armour_penetration": -1, "damage": "1", "points": 50},
]  # fmt: skip
DETACHMENTS: list[dict[str, Any]] = [
    {"detachment_id": "d1", "name": "War Horde", "faction": "Orks", "edition": "11e"},
    {"detachment_id": "d2", "name": HOSTILE, "faction": HOSTILE, "edition": "10e"},
    {"detachment_id": "d3", "name": "Without a compared rule", "faction": "Orks", "edition": "11e"},
]
_WAR_HORDE = {"detachment_id": "d1", "faction": "Orks", "edition": "11e", "has_users": True}
_CP = {**_WAR_HORDE, "source_kind": "stratagem", "cost_kind": "cp"}
RULE_USES: list[dict[str, Any]] = [
    {**_CP, "source_id": "s1", "name": HOSTILE, "side": "attacker", "way": 1, "cost": 1, "assumes": [HOSTILE],
     "left_out": [HOSTILE], "detachment_id": "d2", "faction": None, "edition": "10e"},
    {**_CP, "source_id": "s2", "name": "Charge", "side": "attacker", "way": 1, "cost": 2},
    {**_CP, "source_id": "s2", "name": "Charge", "side": "attacker", "way": 2, "cost": 2, "label": "while it is led",
     "assumes": ["while it is led"]},
    {**_CP, "source_id": "s2", "name": "Charge", "side": "defender", "way": 1, "cost": 2},
    {**_CP, "source_id": "s9", "name": "Nobody's", "side": "attacker", "way": 1, "cost": 1, "has_users": False},
    {**_WAR_HORDE, "source_id": "e1", "source_kind": "enhancement", "name": "Big Axe", "side": "attacker", "way": 1,
     "cost_kind": "points", "cost": 25},
    {"source_id": "u3", "source_kind": "leader", "name": "A leader", "side": "attacker", "way": 1,
     "cost_kind": "points", "cost": 83, "faction": HOSTILE, "edition": "11e", "has_users": True},
]  # fmt: skip


def _uplift(
    source: str, side: str, way: int, unit: int, opponent: str, gained: float | None, phase: str = "shooting"
) -> dict[str, Any]:
    """Two wounds without the rule: against five models of two wounds for 80 points, 16 points' worth."""
    return {
        "source_id": source, "side": side, "way": way, "unit_id": f"u{unit}", "models": 5, "phase": phase,
        "opponent_id": opponent, "scenario_id": "plain", "ruleset": "11e",
        "effect_text": f"its own weapons; Big Plan: hit roll +{way}" if source == "u3" else f"hit roll +{way}",
        "expected_damage": 3.0, "expected_damage_without": 2.0, "points_gained": gained,
    }  # fmt: skip


UPLIFTS: list[dict[str, Any]] = [
    _uplift("s1", "attacker", 1, 0, "heavy-infantry", 10.0),
    _uplift("s1", "attacker", 1, 1, "heavy-infantry", 4.0),
    _uplift("s1", "attacker", 1, 4, "heavy-infantry", None),
    _uplift("s1", "attacker", 1, 0, "heavy-infantry", 30.0, "fight"),
    _uplift("s1", "attacker", 1, 0, "battle-tank", -1.25),
    _uplift("s2", "attacker", 1, 1, "heavy-infantry", 12.0),
    _uplift("s2", "attacker", 2, 2, "heavy-infantry", 16.5),
    _uplift("s2", "defender", 1, 0, "rifles", 7.0),
    _uplift("s2", "defender", 1, 0, "blades", 9.0, "fight"),
    _uplift("e1", "attacker", 1, 0, "heavy-infantry", 10.0),
    _uplift("e1", "attacker", 1, 1, "heavy-infantry", 1.0),
    _uplift("u3", "attacker", 1, 0, "heavy-infantry", 8.3),
]
_TOGETHER = {"detachment_id": "d1", "models": 5, "phase": "shooting", "opponent_id": "heavy-infantry", "ruleset": "11e"}
COMBINATIONS: list[dict[str, Any]] = [
    {**_TOGETHER, "unit_id": "u0", "cp": 1, "parts": ["Charge"], "source_ids": ["s2"], "points_lost_without": [6.0],
     "effect_text": "hit roll +1", "points_gained": 6.0, "expected_damage": 2.75},
    {**_TOGETHER, "unit_id": "u0", "cp": 2, "parts": ["Charge", HOSTILE], "source_ids": ["s2", "s1"],
     "points_lost_without": [3.25, 5.5], "effect_text": "hit roll +1; wound roll +1", "points_gained": 10.0,
     "expected_damage": 3.25},
    {**_TOGETHER, "unit_id": "u1", "cp": 1, "parts": ["Charge"], "source_ids": ["s2"], "points_lost_without": [7.0],
     "effect_text": "hit roll +1", "points_gained": 7.0, "expected_damage": 2.875},
]  # fmt: skip


def lasting(target: str, points: int, weapons: tuple[int | None, int | None]) -> list[dict[str, Any]]:
    """Durability of a target of a price: of rifles and of blades so many destroy it."""
    rows = []
    for attacker, needed in zip(ATTACKERS, weapons, strict=True):
        price = None if needed is None else needed * attacker["points"] / attacker["count"]
        rows.append(
            {"target_id": target, "attacker_id": attacker["attacker_id"], "ruleset": "11e", "expected_damage": 1.5,
             "expected_models_destroyed": 0.5, "p_destroy_unit": 0.25, "weapons_to_destroy": needed,
             "points_to_destroy": price,
             "points_to_destroy_per_100_points": None if price is None else 100 * price / points}
        )  # fmt: skip
    return rows


DURABILITY = lasting("u0", 80, (20, 16))
COVERAGE: list[dict[str, Any]] = [
    {"source_kind": "ability", "source_id": "a1", "name": HOSTILE, "faction": "Orks", "edition": "11e",
     "status": "partly", "clause": f"not read: {HOSTILE}"},
    {"source_kind": "stratagem", "source_id": "s1", "name": "x", "faction": HOSTILE, "edition": "10e",
     "status": "not_modelled"},
    {"source_kind": "stratagem", "source_id": "s2", "name": "x", "faction": "Orks", "edition": "11e",
     "status": "modelled"},
    {"source_kind": "stratagem", "source_id": "s3", "name": "x", "faction": "Orks", "edition": "11e",
     "status": "not_about_damage"},
]  # fmt: skip

TABLES = {
    "attackers": ATTACKERS,
    "detachments": DETACHMENTS,
    "rule_uses": RULE_USES,
    "uplifts": UPLIFTS,
    "combinations": COMBINATIONS,
    "unit_durability": DURABILITY,
    "text_coverage": COVERAGE,
}
