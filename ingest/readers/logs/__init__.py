"""Readers of logs and of text that no format claims."""
