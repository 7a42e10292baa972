"""Measurements side by side with peers: `make bench`. Nothing here is installed or fails a build."""
