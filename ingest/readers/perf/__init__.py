"""Readers of the output of perf."""
