"""Nets below a change of structure: readings, verdicts and renderings before and after it."""
