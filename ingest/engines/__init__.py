"""Engines that need no knowledge of a tool: what they know of meanings is data."""
