-- question: Which preferred units have no unit matchups, and why?
-- grain: one row per unit
-- units: none
-- caveats: a unit without any weapon of a phase is not listed, it does nothing there
SELECT u.name AS unit, u.faction, u.collection, u.edition, u.source_kind, l.reason
FROM unit_loadouts AS l JOIN units AS u USING (unit_id)
WHERE l.loadout IS NULL AND l.phase = 'shooting'
ORDER BY l.reason, u.faction, u.name, u.unit_id
