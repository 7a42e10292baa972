"""The signature language: types, units, expressions, parser, schema, library."""
