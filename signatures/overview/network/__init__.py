"""Network: drops against their base, queues, sockets, round trips."""
