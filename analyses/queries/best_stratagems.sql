-- question: Which stratagems buy most, per command point?
-- grain: one row per stratagem, way to use it, side, phase and opponent, with the unit that gains most and the mean
-- units: points_gained = points' worth of wounds more inflicted (attacker) or saved from one volley (defender);
--   points_gained_per_cp = that / CP; mean_points_gained over all units that may use it; empty where the price of what is
--   attacked is unknown
-- caveats: every condition in assumes is taken to hold; units stand at their smallest size with what is best without the
--   stratagem; opponents are archetypes (attacker) or reference attackers (defender); what left_out names isn't counted
SELECT r.name AS stratagem, coalesce(r.faction, 'every faction') AS faction, s.detachment, r.edition, r.cost AS cp, r.label, l.side, l.phase,
       coalesce(t.name, a.name) AS opponent, u.name AS best_unit, x.effect_text, l.most_points_gained_per_cp,
       l.most_points_gained, l.mean_points_gained, l.units, x.expected_damage, x.expected_damage_without,
       array_to_string(r.assumes, '; ') AS assumes, array_to_string(r.left_out, '; ') AS left_out
FROM uplift_leaders AS l
JOIN rule_uses AS r USING (source_id, side, way)
JOIN uplifts AS x ON (x.source_id, x.side, x.way, x.phase, x.opponent_id, x.unit_id)
  = (l.source_id, l.side, l.way, l.phase, l.opponent_id, l.best_unit_id)
JOIN units AS u ON u.unit_id = l.best_unit_id
JOIN stratagems AS s ON s.stratagem_id = r.source_id
LEFT JOIN targets AS t ON t.target_id = l.opponent_id
LEFT JOIN attackers AS a ON a.attacker_id = l.opponent_id
WHERE r.source_kind = 'stratagem'
ORDER BY l.side, opponent, l.most_points_gained_per_cp DESC NULLS LAST, stratagem, r.edition, s.detachment, r.label,
         l.phase, l.source_id, l.way
