"""Similarity: cases and stories similar to a case, by stacks, facts and words."""
