"""Differences between hosts and between recordings, and whether these compare."""
