"""A soak test: mixed load for as long as asked, and whether memory, connections and file handles stay flat.

load        the actors: what people, CI, listeners and abusers send
resources   samples of every process, and how fast each figure grows
report      SOAK.md
"""
