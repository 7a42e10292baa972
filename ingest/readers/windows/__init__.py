"""Readers of Windows tools."""
