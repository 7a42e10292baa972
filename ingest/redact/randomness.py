"""Whether a token is made by chance: keys, ids and codes, by how its letters and digits change."""

from __future__ import annotations

import math
import re
from collections import Counter
from itertools import pairwise

SHORTEST_SECRET = 12
SHORTEST_CODE = 6
SHORTEST_MIXED = 8
LEAST_MIXED = 0.6
LEAST_TURNS = 3
"""Turns from letters to digits or back in a short code: a model or a device has fewer."""
LONG_HEX = 32
LEAST_ENTROPY = 3.2
LEAST_CHANGES = 0.3

_CODE = re.compile(r"[A-Za-z0-9]+")
_TURN = re.compile(r"(?<=[0-9])(?=[A-Za-z])|(?<=[A-Za-z])(?=[0-9])")
_NAME_PART = re.compile(r"[A-Za-z]{4,}")


def is_random(text: str) -> bool:
    """Return whether letters, capitals and digits change often, or hexadecimal digits are many."""
    bare = text.strip("=")
    if len(bare) >= LONG_HEX and re.fullmatch(r"[0-9a-f]+", bare):
        return True
    kinds = [
        "0" if char.isdigit() else "A" if char.isupper() else "a" if char.isalpha() else "+" for char in bare
    ]
    if len(bare) < SHORTEST_SECRET or not {"a", "A", "0"} <= set(kinds):
        return False
    changes = sum(one != other for one, other in pairwise(kinds)) / (len(kinds) - 1)
    return changes >= LEAST_CHANGES and entropy(bare) >= LEAST_ENTROPY


def is_mixed(text: str) -> bool:
    """Return whether eight characters or more are capitals, small letters and digits in turn: `xK7qT2mV`."""
    kinds = ["0" if char.isdigit() else "A" if char.isupper() else "a" for char in text]
    if len(text) < SHORTEST_MIXED or not text.isalnum() or not {"a", "A", "0"} <= set(kinds):
        return False
    is_long_enough = kinds.count("0") > 1 and _NAME_PART.search(text) is None
    return is_long_enough and sum(one != other for one, other in pairwise(kinds)) >= LEAST_MIXED * (
        len(kinds) - 1
    )


def is_code(text: str) -> bool:
    """Return whether letters and digits take turns, and no letters are a word: `9XJ4LQ2`."""
    turns = len(_TURN.findall(text))
    is_long = len(text) >= SHORTEST_CODE and turns >= LEAST_TURNS
    return _CODE.fullmatch(text) is not None and is_long and _NAME_PART.search(text) is None


def has_many(text: str) -> bool:
    """Return whether a token has digits and letters, two of each."""
    return min(sum(map(str.isdigit, text)), sum(map(str.isalpha, text))) > 1


def entropy(text: str) -> float:
    """Return the Shannon entropy of `text` in bits per character."""
    counts = Counter(text).values()
    return -sum(count / len(text) * math.log2(count / len(text)) for count in counts)
