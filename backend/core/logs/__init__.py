"""Logging: bounded fields, redaction, a writer thread."""
