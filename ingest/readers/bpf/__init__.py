"""Readers of bpftrace and bcc output."""
