"""Search over many cases: what requests cost at 1,000, 10,000 and 100,000 cases."""
