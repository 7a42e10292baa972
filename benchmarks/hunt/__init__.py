"""Retro-hunts over many cases: rate, equality with a full judgement, and workers that are killed."""
