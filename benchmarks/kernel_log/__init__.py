"""The kernel log: reading speed, and how many messages of other tools' lists have a class."""
