-- question: Which leaders does Precision endanger most, and in which units?
-- grain: one row per leader with a price and unit that it may join, for each reference attacker the 50 most endangered
-- units: leader_points_at_risk = (P(leader destroyed) with Precision - without) times the leader's price, in points;
--   expected_damage = mean wounds that unit and leader lose together to one volley
-- caveats: one volley of the whole reference attacker in the plain scenario, Precision given to all its weapons, which
--   no real unit of that kind need have; the unit stands at its smallest size; abilities that the leader lends to the
--   unit and those with a condition are not in it
WITH ranked AS (
  SELECT e.*, l.name AS leader, l.faction, l.edition, u.name AS unit, t.points, t.wounds, b.models, b.points AS unit_points,
         row_number() OVER (
           PARTITION BY e.attacker_id
           ORDER BY round(e.leader_points_at_risk, 9) DESC, l.name, u.name, e.leader_id, e.unit_id
         ) AS rank
  FROM leader_exposure AS e
  JOIN units AS l ON l.unit_id = e.leader_id
  JOIN units AS u ON u.unit_id = e.unit_id
  JOIN targets AS t ON t.target_id = e.leader_id
  JOIN targets AS b ON b.target_id = e.unit_id
  WHERE e.leader_points_at_risk IS NOT NULL
)
SELECT a.name AS attacker, r.rank, r.leader, r.faction, r.edition, r.ruleset, r.points AS leader_points,
       r.wounds AS leader_wounds, r.unit, r.models AS unit_models, r.unit_points, r.p_leader_destroyed,
       r.p_leader_destroyed_precision, r.leader_points_at_risk, r.expected_damage, r.expected_damage_precision,
       r.p_destroy_unit
FROM ranked AS r
JOIN attackers AS a USING (attacker_id)
WHERE r.rank <= 50
ORDER BY a.name, r.rank
