-- question: Which units waste most of their damage on each archetype?
-- grain: one row per archetype, phase, unit and size, the 50 that waste the largest share
-- units: raw_damage, damage and wasted in wounds; wasted = damage that would have been done to a target without end,
--   less what this one loses; wasted_share = wasted / raw_damage
-- caveats: plain scenario, at each size the loadout that does most, one activation; both kinds of waste are in it:
--   damage beyond a model's last wound, which never spills over, and attacks left when the whole unit is dead; a small
--   share of little damage is still little damage; points are empty where the price is unknown
SELECT t.name AS target, d.phase, row_number() OVER ranked AS rank, u.name AS unit, u.faction, u.edition, um.models,
       um.points, um.loadout, um.used, um.expected_raw_damage AS raw_damage, um.expected_damage AS damage,
       d.expected_overkill AS wasted, d.expected_overkill / um.expected_raw_damage AS wasted_share, d.p_destroy_unit
FROM unit_matchup_distributions AS d
JOIN unit_matchups AS um USING (unit_id, models, loadout, phase, target_id, scenario_id, ruleset)
JOIN units AS u USING (unit_id)
JOIN targets AS t USING (target_id)
WHERE t.kind = 'archetype' AND d.scenario_id = 'plain' AND u.is_preferred AND um.is_best AND um.expected_raw_damage > 0
WINDOW ranked AS (
  PARTITION BY d.target_id, d.phase
  ORDER BY d.expected_overkill / um.expected_raw_damage DESC, d.expected_overkill DESC, u.name, u.edition, d.unit_id,
           d.models
)
QUALIFY row_number() OVER ranked <= 50
ORDER BY t.name, d.phase, rank
