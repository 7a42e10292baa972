"""Readers of network tools and counters."""
