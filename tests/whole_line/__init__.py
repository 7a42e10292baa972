"""The whole line from bytes to pages: read, judge, overview, waits, similarity, redaction, outputs."""
