"""Classes of open tokens, and the kind of name that replaces a token of each when a person decides so."""

KIND_OF_CLASS = {"account": "user", "host": "host", "id": "serial", "secret": "secret", "word": "project"}
