"""Operation of the service: health, stuck jobs, orphaned files."""
