"""Resumable upload by tus 1.0, and the file names sent by clients."""
