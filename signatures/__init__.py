"""Readings to findings: the signature language, its judge and the library. Pure."""
