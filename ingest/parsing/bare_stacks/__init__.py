"""Stacks without weights: their frames, the headers that name a thread, and the stacks of a section."""
