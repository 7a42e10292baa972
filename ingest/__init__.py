"""Parse evidence files into typed values. No clock, network, web framework or database."""
