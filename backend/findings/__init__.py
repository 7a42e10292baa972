"""Findings: signatures judged against the evidence of a case."""
