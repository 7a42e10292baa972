"""The base layer: settings, database, jobs, events, object store, HTTP server, supervisor."""
