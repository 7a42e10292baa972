"""Values of the JSON documents that baselines store: checked, since another program may have written them.

number(3)          ->  3.0
text("cpu-clock")  ->  "cpu-clock"
number(True), number(1e300), text(7), column({}, int)  raise ValueError
"""

from __future__ import annotations

import math
from typing import Any, TypeVar

Value = TypeVar("Value")

MAX_NUMBER = 1e24
"""Greater than any cost, and small enough that sums and squares of all of a document are finite."""

MAX_TEXT_CHARS = 500
MAX_SYMBOL_CHARS = 10_000
"""Names of C++ templates have thousands of characters."""


def number(value: Any) -> float:
    """Return a number from 0 to `MAX_NUMBER`.

    Raises:
        ValueError: It is none.
    """
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise ValueError(f"{_shown(value)} is not a number")  # noqa: TRY004 - the caller names the field
    if not (math.isfinite(value) and 0 <= value <= MAX_NUMBER):
        raise ValueError(f"{_shown(value)} is not a number from 0 to {MAX_NUMBER:g}")
    return float(value)


def text(value: Any) -> str:
    """Return a text of at most `MAX_TEXT_CHARS` printable characters.

    Raises:
        ValueError: It is none.
    """
    if not isinstance(value, str) or len(value) > MAX_TEXT_CHARS or not value.isprintable():
        raise ValueError(f"{_shown(value)} is not a text of at most {MAX_TEXT_CHARS} printable characters")
    return value


def symbol(value: Any) -> str:
    """Return the name of a function, of any characters but NUL.

    Raises:
        ValueError: It is none.
    """
    if not isinstance(value, str) or len(value) > MAX_SYMBOL_CHARS or "\0" in value:
        raise ValueError(f"{_shown(value)} is not a function name of at most {MAX_SYMBOL_CHARS:,} characters")
    return value


def column(value: Any, kind: type[Value]) -> list[Value]:
    """Return a list whose values are all of the type `kind`; booleans are no integers.

    Raises:
        ValueError: It is no list, or a value is of another type.
    """
    if not isinstance(value, list) or any(type(one) is not kind for one in value):
        raise ValueError(f"{_shown(value)} is not a list of {kind.__name__}")
    return value


def _shown(value: Any) -> str:
    shown = repr(value)
    return shown if len(shown) <= 80 else f"{shown[:80]}…"
