"""Readers of commands that describe the host."""
