"""Tables of facts, areas and topics, prose of the reference page, and the classes of kernel messages."""
