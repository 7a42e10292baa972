"""An upgrade of a running instance, under load, between two checkouts.

python -m tools.upgrade_trial ../0.1.0 [--seconds 20] [--write benchmarks/UPGRADE.md]
"""
