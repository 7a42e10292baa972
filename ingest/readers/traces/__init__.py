"""Readers of system call traces and stack dumps."""
