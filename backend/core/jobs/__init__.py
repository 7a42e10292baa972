"""The job queue: table, fair queueing, leases and heartbeats, broker."""
