"""Everything Dagster: assets, checks, jobs, schedule, sensor, resources. Thin: each calls a function a test can call."""
