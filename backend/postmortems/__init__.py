"""Postmortem of a case: notes, timeline and resolution."""
