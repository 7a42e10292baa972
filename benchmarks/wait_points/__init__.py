"""Wait points: how many public stacks of blocked tasks get the resource kind that an expert names."""
