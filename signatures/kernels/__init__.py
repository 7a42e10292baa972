"""Fixes of the kernel: which kernel has which fix, by release, package changelog, symbol or live patch."""
