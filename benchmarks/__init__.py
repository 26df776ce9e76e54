"""Speed and size, measured: ``python -m benchmarks``. Ratios to baselines of the same run."""
