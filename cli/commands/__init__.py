"""Commands: one module for each, found by name."""
