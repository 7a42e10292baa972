"""Comparison of builds: runs, baselines, their tables and reports."""
