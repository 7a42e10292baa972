"""Seen before: cases and stories like a case, by their stacks, facts and words."""
