"""Seen before: whether a case and its twin are found to be the same, and other cases are not."""
