"""Signature documents: reading `signature.yaml`, its JSON schema, and the catalog of the library."""
