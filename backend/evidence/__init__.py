"""Evidence: received, read in a sandbox, and shown line by line."""
