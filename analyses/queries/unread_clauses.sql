-- question: Which clauses about damage were not read, and how many texts have each of them?
-- grain: one row per edition, kind of text, reason and clause
-- units: counts of texts
-- caveats: of each text only the first such clause; texts read in part are among them
SELECT edition, source_kind, status, split_part(clause, ': ', 1) AS reason,
       substr(clause, length(split_part(clause, ': ', 1)) + 3) AS clause, count(*) AS texts, min(name) AS example
FROM text_coverage
WHERE clause IS NOT NULL
GROUP BY ALL
ORDER BY texts DESC, edition, source_kind, status, reason, clause
