-- question: How much of the rules text is repeated, and what is left when each text is kept once?
-- grain: one row per kind of rules block, and one for all
-- units: characters of the texts' bodies
-- caveats: nested pieces stand inside their parent as well and are counted apart, not in the total
WITH texts AS (
  SELECT r.rule_id, r.kind, r.title, length(r.body) AS characters, count(*) AS occurrences
  FROM rules AS r JOIN rule_occurrences AS o USING (rule_id) GROUP BY ALL
)
SELECT coalesce(kind, 'all top-level blocks') AS kind, sum(occurrences) AS occurrences,
       count(DISTINCT title) AS titles, count(*) AS texts, sum(occurrences * characters) AS characters_before,
       sum(characters) AS characters_after,
       1 - sum(characters) / sum(occurrences * characters) AS share_saved
FROM texts WHERE kind <> 'nested_rule'
GROUP BY GROUPING SETS ((kind), ())
UNION ALL
SELECT kind, sum(occurrences), count(DISTINCT title), count(*), sum(occurrences * characters), sum(characters),
       1 - sum(characters) / sum(occurrences * characters)
FROM texts WHERE kind = 'nested_rule' GROUP BY kind
ORDER BY occurrences DESC, kind
