-- question: Which weapon profiles do most damage to each archetype in one activation of one bearer?
-- grain: one row per archetype, attack type and weapon profile, the best 50 of each
-- units: expected_damage in wounds the target really loses; share_of_unit_cost in points: the unit's smallest price
--   divided by its models, not a price of the weapon, empty where it is unknown; hazardous_mortal_wounds: what its
--   Hazardous test does on average to the bearer's own unit
-- caveats: plain scenario; a weapon with is_one_shot does it once in a battle; damage per point of a share ranks nothing
--   by itself, since a squad buys its other models too; not_modelled = abilities that aren't in the numbers
SELECT t.name AS target, w.attack_type, row_number() OVER ranked AS rank, w.weapon_name, w.profile_name,
       u.name AS unit, u.faction, u.edition, m.expected_hits, m.expected_wounds, m.expected_unsaved, m.expected_damage,
       m.expected_models_destroyed, m.p_destroy_unit, w.is_one_shot,
       coalesce(w.expected_hazardous_mortal_wounds, 0) AS hazardous_mortal_wounds, m.points AS share_of_unit_cost,
       array_to_string(w.not_modelled, ', ') AS not_modelled
FROM matchups AS m
JOIN weapon_profiles AS w USING (weapon_profile_id)
JOIN units AS u USING (unit_id)
JOIN targets AS t USING (target_id)
WHERE t.kind = 'archetype' AND m.scenario_id = 'plain' AND u.is_preferred
WINDOW ranked AS (
  PARTITION BY t.target_id, w.attack_type
  ORDER BY m.expected_damage DESC, m.expected_models_destroyed DESC, w.weapon_name, w.weapon_profile_id
)
QUALIFY row_number() OVER ranked <= 50
ORDER BY t.name, w.attack_type, rank
