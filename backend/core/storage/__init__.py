"""The object store, and the lock that keeps its garbage collection apart from writers."""
