"""Preparation of a handoff in stages; `pipeline` has their order."""
