"""Profiles on their way out: folded stacks, speedscope's JSON, flame graph columns."""
