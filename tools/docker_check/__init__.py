"""Builds the images without an engine and tries them."""
