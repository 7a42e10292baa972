"""Benchmarks against comparable tools: `make bench`. Not installed, and not part of the build."""
