"""Computations on evidence in a confined fork (`backend.sandbox.child`); they import the engine only.

Each is a function of its arguments (JSON values) that leaves its result in the output directory.
"""
