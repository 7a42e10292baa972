"""Words for people, made from findings, conditions, states and quantities; machine values stay."""
