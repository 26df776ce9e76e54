-- question: How many points of a unit does it take to destroy each archetype with 80 % certainty?
-- grain: one row per archetype, phase and unit, with the size and loadout that need fewest points, the best 50 of each
-- units: copies = units that act one after the other; points_to_destroy = copies * price of the unit;
--   chance_of_one = probability that one unit destroys the target
-- caveats: plain scenario, one activation of each copy, the wounded model carried over; whole copies only, so that a
--   dear unit is rated by what one more costs; a unit may not be allowed that often in an army; units without a price or
--   that need more than 1,000 copies are left out; range and Hazardous tests are not in it
WITH cheapest AS (
  SELECT d.*, um.points, um.used
  FROM unit_matchup_distributions AS d
  JOIN unit_matchups AS um USING (unit_id, models, loadout, phase, target_id, scenario_id, ruleset)
  WHERE d.scenario_id = 'plain' AND d.points_to_destroy IS NOT NULL
  QUALIFY row_number() OVER (
    PARTITION BY d.unit_id, d.phase, d.target_id ORDER BY d.points_to_destroy, d.copies_to_destroy, d.models, d.loadout
  ) = 1
)
SELECT t.name AS target, d.phase, row_number() OVER ranked AS rank, u.name AS unit, u.faction, u.edition, d.models,
       d.points, d.loadout, d.used, d.copies_to_destroy AS copies, d.points_to_destroy,
       d.p_destroy_unit AS chance_of_one, d.damage_p10, d.damage_p50, d.damage_p90
FROM cheapest AS d
JOIN units AS u USING (unit_id)
JOIN targets AS t USING (target_id)
WHERE t.kind = 'archetype' AND u.is_preferred
WINDOW ranked AS (
  PARTITION BY d.target_id, d.phase
  ORDER BY d.points_to_destroy, d.copies_to_destroy, u.name, u.edition, d.unit_id
)
QUALIFY row_number() OVER ranked <= 50
ORDER BY t.name, d.phase, rank
