"""Readers of block I/O tools."""
