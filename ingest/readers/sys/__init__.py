"""Readers of files below /sys and of the kernel configuration."""
