"""The closed set of predicates: each tests one condition on one reading, or on the facts of a scope."""
