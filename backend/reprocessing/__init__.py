"""Reprocessing: stored cases and drafts are read and judged again after the engine changed."""
