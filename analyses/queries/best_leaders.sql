-- question: Which leader does most for which unit, per point of the leader?
-- grain: one row per leader, unit it joins, side, phase and opponent, the best way of the leader
-- units: points_gained = points' worth of wounds that unit and leader together inflict more than the unit alone
--   (attacker), or that the unit's own models are saved from one volley (defender); per 100 points of the leader;
--   effect_text names the leader's abilities before what they change; leader_weapons = what it adds to the attack
-- caveats: smallest sizes; the leader's weapons and its abilities for the unit that it leads count, every condition in
--   assumes is taken to hold; the leader's own wounds and what it does for the rest of the army are not in it; a leader
--   without abilities for its unit that are read is worth its weapons; points are empty where the price is unknown
SELECT r.name AS leader, r.faction, r.edition, r.cost AS points, u.name AS unit, u.faction AS unit_faction, x.side, x.phase,
       coalesce(t.name, a.name) AS opponent, x.effect_text, w.used AS leader_weapons, x.points_gained,
       x.points_gained_per_100_points, x.points_destroyed_gained, r.label, array_to_string(r.assumes, '; ') AS assumes,
       array_to_string(r.left_out, '; ') AS left_out
FROM uplifts AS x
JOIN rule_uses AS r USING (source_id, side, way)
JOIN units AS u USING (unit_id)
LEFT JOIN targets AS t ON t.target_id = x.opponent_id
LEFT JOIN attackers AS a ON a.attacker_id = x.opponent_id
LEFT JOIN (
  SELECT unit_id, phase, target_id, used FROM unit_matchups WHERE is_best AND scenario_id = 'plain'
  QUALIFY models = min(models) OVER (PARTITION BY unit_id)
) AS w ON x.side = 'attacker' AND w.unit_id = x.source_id AND w.phase = x.phase AND w.target_id = x.opponent_id
WHERE r.source_kind = 'leader'
QUALIFY row_number() OVER (
  PARTITION BY x.source_id, x.side, x.unit_id, x.phase, x.opponent_id ORDER BY x.points_gained DESC NULLS LAST, x.way
) = 1
ORDER BY x.side, opponent, x.points_gained_per_100_points DESC NULLS LAST, leader, unit, r.edition, x.phase, x.source_id,
         x.unit_id
