"""Bytes to values: what an evidence file says, without clock, network, web or database."""
