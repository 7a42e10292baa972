"""Keeping the service well: health, jobs that got stuck, files that were left behind."""
