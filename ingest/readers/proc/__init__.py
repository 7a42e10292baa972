"""Readers of files below /proc."""
