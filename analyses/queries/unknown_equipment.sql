-- question: Which preferred units have no unit matchups at some of their sizes, or at any, and why?
-- grain: one row per unit and reason
-- units: sizes in models, empty where none is known
-- caveats: a unit without any weapon of a phase is not listed, it does nothing there
SELECT u.name AS unit, u.faction, u.collection, u.edition, u.source_kind,
       string_agg(CAST(l.models AS VARCHAR), ', ' ORDER BY l.models) AS sizes, l.reason
FROM unit_loadouts AS l JOIN units AS u USING (unit_id)
WHERE l.loadout IS NULL AND l.phase = 'shooting'
GROUP BY u.unit_id, u.name, u.faction, u.collection, u.edition, u.source_kind, l.reason
ORDER BY l.reason, u.faction, u.name, u.unit_id
