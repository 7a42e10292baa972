"""Comparison of repeated recordings of two builds: what grew, whether it is noise, and what could be seen."""
