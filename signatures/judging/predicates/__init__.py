"""The closed set of predicates: each asks one condition of one reading, or of the facts of a scope."""
