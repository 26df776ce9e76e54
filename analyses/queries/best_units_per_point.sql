-- question: Which units take most wounds off each archetype per point, in each phase?
-- grain: one row per archetype, phase, unit and size, the best 50 of each
-- units: points_destroyed_per_100_points = points of the target destroyed per 100 points of the attacker;
--   damage_per_100_points = wounds the target really loses per 100 points of the attacker; hazardous_mortal_wounds: what
--   the unit's own Hazardous tests do to it on average
-- caveats: plain scenario, at each size the loadout that does most, one activation; units without a price are left out;
--   stratagems, detachment rules, datasheet abilities and range are not in it; what uses_one_shot can't be repeated;
--   points destroyed count whole models, so that against a single large model they favour attackers that can destroy it
--   in one go
WITH weapons AS (
  SELECT l.unit_id, l.models, l.loadout, l.phase, l.used, bool_or(w.is_one_shot) AS uses_one_shot,
         sum(l.count * coalesce(l.die_faces, 6) / 6 * w.expected_hazardous_mortal_wounds) AS hazardous_mortal_wounds
  FROM unit_loadouts AS l JOIN weapon_profiles AS w USING (weapon_profile_id) GROUP BY ALL
)
SELECT t.name AS target, um.phase, row_number() OVER ranked AS rank, u.name AS unit, u.faction, u.edition, um.models,
       um.points, um.loadout, um.used, um.expected_damage, um.expected_models_destroyed, um.p_destroy_unit,
       um.damage_per_100_points, um.points_destroyed_per_100_points, w.uses_one_shot,
       coalesce(w.hazardous_mortal_wounds, 0) AS hazardous_mortal_wounds
FROM unit_matchups AS um
LEFT JOIN weapons AS w USING (unit_id, models, loadout, phase, used)
JOIN units AS u USING (unit_id)
JOIN targets AS t USING (target_id)
WHERE t.kind = 'archetype' AND um.scenario_id = 'plain' AND u.is_preferred AND um.is_best AND um.points IS NOT NULL
WINDOW ranked AS (
  PARTITION BY um.target_id, um.phase
  ORDER BY um.damage_per_100_points DESC, um.points_destroyed_per_100_points DESC, u.name, u.edition, um.unit_id
)
QUALIFY row_number() OVER ranked <= 50
ORDER BY t.name, um.phase, rank
