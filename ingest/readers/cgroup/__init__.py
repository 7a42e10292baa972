"""Readers of cgroup files."""
