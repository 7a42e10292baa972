"""How strongly a verdict speaks for a signature in a search, 0..1."""

STRENGTHS = {"match": 1.0, "suspect": 0.7}

SEEN = 0.6
"""A signature that one stack names: it has no verdict, and a search wants its story."""
