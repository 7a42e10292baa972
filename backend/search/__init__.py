"""Search for cases: the query language, the index row of a case, facets and completion."""
