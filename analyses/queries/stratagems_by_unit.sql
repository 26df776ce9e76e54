-- question: Which stratagems may each unit use, for how many command points, and what of them changes an attack?
-- grain: one row per unit, stratagem and effect read from its text
-- units: cp_cost in command points
-- caveats: only preferred units whose own page lists stratagems; an effect that is not modelled says why in its note, and what
--   changes no attack has neither side nor operation
SELECT u.name AS unit, u.faction, u.collection, u.edition, s.cp_cost, s.name AS stratagem, s.detachment, s.type, m.side,
       m.phase, m.attack_type, m.operation, m.characteristic, m.value, m.condition, m.is_modelled, m.note
FROM unit_stratagems AS us
JOIN units AS u USING (unit_id)
JOIN stratagems AS s USING (stratagem_id)
LEFT JOIN modifiers AS m ON m.source_kind = 'stratagem' AND m.source_id = s.stratagem_id
WHERE u.is_preferred
ORDER BY u.name, u.unit_id, s.cp_cost, s.name, s.stratagem_id, m.side, m.operation, m.characteristic, m.value,
         m.modifier_id
