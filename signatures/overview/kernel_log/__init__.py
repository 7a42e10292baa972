"""The kernel log: its alarms, causes before consequences, in words, with what to capture next."""
