"""Folders that files came in: the host and phase that their names suggest."""
