"""Survey of external file collections (`make corpora`)."""
