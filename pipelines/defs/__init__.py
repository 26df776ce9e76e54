"""Everything Dagster: assets, checks, jobs, schedule, sensor, resources; thin, tests call what they call."""
