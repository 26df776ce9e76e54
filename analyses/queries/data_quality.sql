-- question: What did the pipeline not understand, lose or refuse?
-- grain: one row per severity and kind of issue
-- units: issues
-- caveats: what a source lost itself is info, not an error of reading
SELECT severity, code, count(*) AS issues, count(DISTINCT document_id) AS documents, min(path) AS example_path,
       arg_min(line, path) AS example_line, arg_min(message, path) AS example
FROM ingest_issues GROUP BY severity, code
ORDER BY CASE severity WHEN 'error' THEN 1 WHEN 'warning' THEN 2 ELSE 3 END, issues DESC, code
