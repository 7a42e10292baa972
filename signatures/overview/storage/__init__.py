"""Storage: latency of devices, health of media and arrays, space of file systems."""
