"""Readings to findings: observe, resolve entities, decide."""
