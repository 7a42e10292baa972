"""A soak test: mixed load for a given time, checking that memory, connections and file handles stay flat.

load        the actors: what people, CI, listeners and abusers send
resources   samples of every process, and how fast each figure grows
report      SOAK.md
"""
