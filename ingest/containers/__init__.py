"""Bytes to named members: decompression, text decoding, archives, sosreports, handoff bundles."""
