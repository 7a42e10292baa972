"""What tracing tools printed: events, functions, latencies, system calls."""
