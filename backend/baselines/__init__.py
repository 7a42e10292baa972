"""Baselines of benchmarks: points of builds, their trend, and the difference of any two."""
