-- question: Which units cost an enemy most to destroy, per point, by what the enemy brings?
-- grain: one row per reference attacker and unit with a price, the 50 most durable of each attacker
-- units: points_to_destroy = points of the attacker's weapons that destroy the whole unit with 80 % certainty;
--   points_to_destroy_per_100_points = for each 100 points of the unit, the median over all attackers beside it;
--   wounds_worth = mean wounds that one volley inflicts, as their share of the unit's price, in points
-- caveats: smallest size, plain scenario, each weapon once, one after the other; the attackers are a declared choice
--   (table attackers) and their price pays for their bodies too; range, speed and abilities of the unit that need a
--   condition are not in it; a unit that outlives 1,000 weapons has no number and is ranked by the price of these
WITH ranked AS (
  SELECT d.*, s.median_points_to_destroy_per_100_points,
         row_number() OVER (
           PARTITION BY d.attacker_id
           ORDER BY coalesce(d.points_to_destroy, 1000 * a.points / a.count) / t.points DESC,
                    d.wounds_worth / t.points, t.name, d.target_id, d.ruleset
         ) AS rank
  FROM unit_durability AS d
  JOIN durability AS s USING (target_id, ruleset)
  JOIN attackers AS a USING (attacker_id)
  JOIN targets AS t USING (target_id)
  WHERE t.kind = 'unit' AND t.points IS NOT NULL AND s.answers > 0
)
SELECT a.name AS attacker, r.rank, u.name AS unit, u.faction, u.edition, r.ruleset, t.models, t.points, t.toughness,
       t.save, t.invulnerable_save, t.wounds, t.feel_no_pain, r.weapons_to_destroy, r.points_to_destroy,
       r.points_to_destroy_per_100_points, r.median_points_to_destroy_per_100_points, r.expected_models_destroyed,
       r.points_lost, r.wounds_worth
FROM ranked AS r
JOIN attackers AS a USING (attacker_id)
JOIN targets AS t USING (target_id)
JOIN units AS u USING (unit_id)
WHERE r.rank <= 50
ORDER BY a.name, r.rank
