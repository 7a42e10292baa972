"""Readers of sysstat and vmstat."""
