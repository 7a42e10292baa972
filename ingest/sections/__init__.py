"""A text split into sections, each with the format that reads it."""
