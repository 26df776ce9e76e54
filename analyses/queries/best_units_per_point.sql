-- question: Which units take most wounds off each archetype per point, in each phase?
-- grain: one row per archetype, phase and unit, the best 50 of each
-- units: points_destroyed_per_100_points = points of the target destroyed per 100 points of the attacker;
--   damage_per_100_points = wounds the target really loses per 100 points of the attacker
-- caveats: plain scenario, default equipment at the smallest size, one activation; units without a price are left out;
--   stratagems, detachment rules, datasheet abilities, range and Hazardous tests are not in it; points destroyed count
--   whole models, so that against a single large model they favour attackers that can destroy it in one go
SELECT t.name AS target, um.phase, row_number() OVER ranked AS rank, u.name AS unit, u.faction, u.edition, um.models,
       um.points, um.loadout, um.expected_damage, um.expected_models_destroyed, um.p_destroy_unit,
       um.damage_per_100_points, um.points_destroyed_per_100_points
FROM unit_matchups AS um
JOIN units AS u USING (unit_id)
JOIN targets AS t USING (target_id)
WHERE t.kind = 'archetype' AND um.scenario_id = 'plain' AND u.is_preferred AND um.points IS NOT NULL
WINDOW ranked AS (
  PARTITION BY um.target_id, um.phase
  ORDER BY um.damage_per_100_points DESC, um.points_destroyed_per_100_points DESC, u.name, u.edition, um.unit_id
)
QUALIFY row_number() OVER ranked <= 50
ORDER BY t.name, um.phase, rank
