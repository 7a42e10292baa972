"""Findings as values and sentences: descriptions, next captures, fail-on policy."""
