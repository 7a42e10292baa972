"""The signature language: types, units, expressions, versions; it knows no kind of condition."""
