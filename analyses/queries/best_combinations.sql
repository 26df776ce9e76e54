-- question: What can a detachment's rules and stratagems do together for one attack, and which of them carries it?
-- grain: one row per detachment, phase, archetype and number of CP: the unit that gains most
-- units: points_gained = points' worth of wounds more inflicted than with none of them; points_lost_without: how much of
--   that is lost if one part alone is left out, in the order of parts; points_gained_per_cp = what is gained for each CP
--   beyond what 0 CP gain, empty for 0 CP
-- caveats: attacks in the plain scenario at the smallest size; every condition of the parts is taken to hold; a part that
--   loses nothing when left out adds nothing beside the others
SELECT d.name AS detachment, d.faction, d.edition, c.phase, t.name AS opponent, c.cp, u.name AS unit,
       array_to_string(c.parts, ' + ') AS parts,
       array_to_string(list_transform(c.points_lost_without, lambda x: round(x, 2)), ' + ') AS points_lost_without,
       c.effect_text, c.points_gained, c.points_gained_per_cp, c.points_destroyed_gained,
       c.expected_damage, c.expected_models_destroyed
FROM combinations AS c
JOIN detachments AS d USING (detachment_id)
JOIN units AS u USING (unit_id)
JOIN targets AS t ON t.target_id = c.opponent_id
QUALIFY row_number() OVER (
  PARTITION BY c.detachment_id, c.phase, c.opponent_id, c.cp ORDER BY c.points_gained DESC, c.unit_id
) = 1
ORDER BY opponent, c.points_gained DESC, detachment, d.faction, c.phase, c.cp, c.detachment_id
