"""Time off the CPU: what tasks wait for, who holds it, and for how long."""
