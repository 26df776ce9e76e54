-- question: Which enhancements buy most, per point, and do they beat more of the same unit?
-- grain: one row per enhancement, way to use it, side, phase and opponent, with the unit that gains most
-- units: points_gained = points' worth of wounds more inflicted in one activation (attacker) or saved from one volley
--   (defender); points_gained_per_100_points = 100 * that / price of the enhancement; unit_per_100_points = what the
--   unit itself inflicts for each 100 points of its own price, the bar that an attacker's enhancement has to clear; empty
--   for a defender's
-- caveats: every condition in assumes is taken to hold, also once a battle; the unit may be one that the bearer leads;
--   opponents are archetypes (attacker) or reference attackers (defender); what left_out names isn't counted; points are
--   empty where nothing is paid (Boarding Actions); the bar of mortal wounds beside attacks is the unit's attack
SELECT r.name AS enhancement, r.faction, d.name AS detachment, r.edition, r.cost AS points, r.label, l.side, l.phase,
       coalesce(t.name, a.name) AS opponent, u.name AS best_unit, x.effect_text,
       l.most_points_gained_per_100_points AS points_gained_per_100_points,
       CASE WHEN l.side = 'attacker'
            THEN 100 * coalesce(nullif(x.expected_damage_without, 0), m.expected_damage, 0)
                 * t.points / (t.models * t.wounds) / p.points END AS unit_per_100_points,
       l.most_points_gained, l.mean_points_gained, l.units, array_to_string(r.assumes, '; ') AS assumes,
       array_to_string(r.left_out, '; ') AS left_out
FROM uplift_leaders AS l
JOIN rule_uses AS r USING (source_id, side, way)
JOIN uplifts AS x ON (x.source_id, x.side, x.way, x.phase, x.opponent_id, x.unit_id)
  = (l.source_id, l.side, l.way, l.phase, l.opponent_id, l.best_unit_id)
JOIN units AS u ON u.unit_id = l.best_unit_id
LEFT JOIN (SELECT unit_id, models, min(points) AS points FROM unit_loadouts GROUP BY ALL) AS p
  ON p.unit_id = x.unit_id AND p.models = x.models
LEFT JOIN detachments AS d USING (detachment_id)
LEFT JOIN targets AS t ON t.target_id = l.opponent_id
LEFT JOIN attackers AS a ON a.attacker_id = l.opponent_id
LEFT JOIN unit_matchups AS m ON m.unit_id = x.unit_id AND m.models = x.models AND m.phase = x.phase AND m.is_best
  AND m.target_id = x.opponent_id AND m.scenario_id = 'plain'
WHERE r.source_kind = 'enhancement'
ORDER BY l.side, opponent, points_gained_per_100_points DESC NULLS LAST, enhancement, r.edition, detachment, r.label,
         l.phase, l.source_id, l.way
