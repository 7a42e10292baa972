"""The floor everything stands on: settings, database, jobs, events, the object store, the supervisor."""
