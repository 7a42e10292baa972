"""Redaction: names of people, machines and networks become pseudonyms, and the evidence stays readable."""

from ingest.redact.redactor import Redactor

__all__ = ["Redactor"]
