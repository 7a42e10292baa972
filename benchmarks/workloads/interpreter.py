"""Recursion in the interpreter above sorting, JSON and regular expressions."""

from __future__ import annotations

import json
import random
import re

CHANCE = random.Random()  # noqa: S311 - numbers to work on


def walk(depth: int) -> object:
    """Work at the end of `depth` calls."""
    if depth:
        return walk(depth - 1)
    return json.dumps(sorted(CHANCE.random() for _ in range(300))), re.sub(r"[0-3]+", "x", "0123456789" * 50)


while True:
    walk(CHANCE.randrange(20))
