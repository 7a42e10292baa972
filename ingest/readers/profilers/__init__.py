"""Readers of profile formats: folded stacks, speedscope, Firefox, Chrome, pprof."""
