"""Fixes of signatures: which of them are safe at once."""
