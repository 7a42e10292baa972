"""Mechanisms that measured values show: the rows of the tables here, and what evaluates them.

A value says how much; a mechanism says what goes on, and of what: "All receive work runs on CPU 0".
"""
