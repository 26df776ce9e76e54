"""The gate as asset checks that block publishing. Belongs here: telling Dagster what the gate found."""

# Annotations stay real objects here: Dagster reads them when it builds the definitions.

from collections.abc import Iterator

from dagster import (
    AssetCheckExecutionContext,
    AssetCheckResult,
    AssetCheckSeverity,
    AssetCheckSpec,
    AssetKey,
    MetadataValue,
    multi_asset_check,
)

from pipelines.defs.resources import RunOptions
from pipelines.progress import say
from pipelines.storage.release import audit_warehouse

_BUILT = AssetKey("built_warehouse")
_SUITES = {
    "schema": "Expectations generated from the description of the tables hold.",
    "rules": "Hand-written expectations of warehouse/expectations.toml hold.",
}


@multi_asset_check(
    specs=[AssetCheckSpec(name, asset=_BUILT, blocking=True, description=text) for name, text in _SUITES.items()],
    name="gate",
)
def gate(context: AssetCheckExecutionContext, options: RunOptions) -> Iterator[AssetCheckResult]:
    """Audit the built warehouse; a failed suite keeps it from being published."""
    with options.stage(context.run.run_id, "gate") as stage:
        results = audit_warehouse(options.built_file(context.run.run_id))
        stage["rows"] = len(results)
    for suite in _SUITES:
        failures = [result for result in results if result.suite == suite and not result.success]
        for failure in failures:
            say(
                f"gate: {failure.expectation} failed on {failure.table_name}.{failure.column_name}: "
                f"saw {failure.observed} ({failure.reason})"
            )
        yield AssetCheckResult(
            check_name=suite,
            asset_key=_BUILT,
            passed=not failures,
            severity=AssetCheckSeverity.ERROR,
            metadata={
                "expectations": MetadataValue.int(sum(result.suite == suite for result in results)),
                "failures": MetadataValue.json([f"{each.expectation} {each.table_name}" for each in failures]),
            },
        )
