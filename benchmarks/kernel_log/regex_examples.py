r"""Texts that a regular expression matches.

    r"task \S+:\w+ blocked for more than (\d+) seconds\."  ->  "task 1:1 blocked for more than 1 seconds."

Every branch of an alternation gives an example; repeats are as short as they may be, and not empty. What
stands before the first letter of an expression is a prefix of log lines: examples are given without it, too.
"""

from __future__ import annotations

import itertools
import re
from importlib import import_module
from typing import Any

_parser = import_module("re._parser")
MOST = 24
"""Examples of one expression."""

_CATEGORIES = {
    "CATEGORY_DIGIT": "1",
    "CATEGORY_SPACE": " ",
    "CATEGORY_WORD": "1",
    "CATEGORY_NOT_SPACE": "1",
    "CATEGORY_NOT_DIGIT": "x",
    "CATEGORY_NOT_WORD": " ",
}


def examples(expression: str) -> list[tuple[str, str]]:
    """Return texts that `expression` matches, each whole and from its first literal letter on."""
    parsed = list(_parser.parse(expression))
    first = next((at for at, part in enumerate(parsed) if _is_letter(part)), 0)
    whole = [text for text in _of(parsed) if re.search(expression, text)]
    return list(zip(whole, _of(parsed[first:]), strict=False))


def _is_letter(part: Any) -> bool:
    operation, argument = part
    return str(operation) == "LITERAL" and chr(argument).isalpha()


def _of(parsed: list[Any]) -> list[str]:
    alternatives = [_one(str(operation), argument) for operation, argument in parsed]
    return ["".join(parts) for parts in itertools.islice(itertools.product(*alternatives), MOST)]


def _one(operation: str, argument: Any) -> list[str]:
    """Return the texts of one part of an expression."""
    if operation in {"LITERAL", "NOT_LITERAL"}:
        return [chr(argument) if operation == "LITERAL" else ("x" if argument != ord("x") else "y")]
    if operation == "ANY":
        return ["x"]
    if operation == "IN":
        return [_member(argument)]
    if operation in {"MAX_REPEAT", "MIN_REPEAT", "POSSESSIVE_REPEAT"}:
        least, most, inner = argument
        return [text * max(least, min(1, most)) for text in _of(list(inner))]
    if operation == "SUBPATTERN":
        return _of(list(argument[-1]))
    if operation == "BRANCH":
        return [text for branch in argument[1] for text in _of(list(branch))]
    return [""]


def _member(members: list[Any]) -> str:
    """Return a character of a set."""
    if str(members[0][0]) == "NEGATE":
        excluded = {chr(value) for operation, value in members[1:] if str(operation) == "LITERAL"}
        return next(character for character in "1xy_" if character not in excluded)
    operation, value = members[0]
    if str(operation) == "CATEGORY":
        return _CATEGORIES[str(value)]
    return chr(value[0] if str(operation) == "RANGE" else value)
