"""What an installation consists of, and what registries say about it."""
