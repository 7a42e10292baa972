"""The object store, and the lock between its writers and garbage collection."""
