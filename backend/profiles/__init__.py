"""Profiles: weighted call stacks as graphs, folded stacks and speedscope files."""
