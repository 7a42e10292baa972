"""An upgrade of a running instance, under load, from an older version.

python -m tools.upgrade_trial [../0.1.0 or kernel_casebook-0.1.0-….whl] [--seconds 20]
"""
