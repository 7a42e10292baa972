"""Reproduce the evidence of a signature in a virtual machine."""
