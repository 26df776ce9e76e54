-- question: Which units take most to destroy, per point?
-- grain: one row per preferred unit with a stat line and a price, per class of attacker
-- units: activations_to_destroy = models of the unit / mean models destroyed by one activation of one weapon of the
--   class; activations_per_100_points = 100 * that / points of the unit
-- caveats: each ranged weapon profile of the unit's own edition counts once, in the plain scenario; light is S 5 or less
--   with D 1, heavy is S 9 or more, the rest is medium; abilities of the unit beyond its stat line are not in it
WITH attackers AS (
  SELECT w.weapon_profile_id, u.edition,
         CASE WHEN TRY_CAST(w.strength AS INTEGER) <= 5 AND w.damage = '1' THEN 'light'
              WHEN TRY_CAST(w.strength AS INTEGER) >= 9 THEN 'heavy' ELSE 'medium' END AS attacker_class
  FROM weapon_profiles AS w JOIN units AS u USING (unit_id)
  WHERE w.attack_type = 'ranged' AND u.is_preferred
),
means AS (
  SELECT m.target_id, a.attacker_class, round(avg(m.expected_models_destroyed), 9) AS mean_models_destroyed, count(*) AS weapons
  FROM matchups AS m JOIN attackers AS a USING (weapon_profile_id) JOIN targets AS t USING (target_id)
  WHERE m.scenario_id = 'plain' AND t.kind = 'unit' AND t.edition = a.edition
  GROUP BY ALL
)
SELECT t.name AS unit, u.faction, u.edition, means.attacker_class, t.models, t.points, t.toughness, t.save,
       t.invulnerable_save, t.wounds, t.feel_no_pain, means.weapons,
       t.models / means.mean_models_destroyed AS activations_to_destroy,
       100 * t.models / means.mean_models_destroyed / t.points AS activations_per_100_points
FROM means JOIN targets AS t USING (target_id) JOIN units AS u USING (unit_id)
WHERE t.points IS NOT NULL AND means.mean_models_destroyed > 0
ORDER BY means.attacker_class, activations_per_100_points DESC, t.name, t.target_id
