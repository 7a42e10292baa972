"""Faults: a part of an analysis that raises costs its own row, never the case.

A signature, an analysis, a view or an export that fails on some evidence is a bug of Casebook. What raised is
caught where the part begins; the part says *could not be evaluated, reported as 5f3a09c1*, and the rest
stands. `observers` see every fault with its traceback: the service logs it under that number, tests raise it.
"""

from __future__ import annotations

import traceback
import zlib
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Callable

observers: list[Callable[[Fault, BaseException], None]] = []
"""Called with each fault, in order; what one raises leaves the guard."""


class Fault(NamedTuple):
    """An exception of one part.

    Attributes:
        part: What failed: the id of a signature, the name of an analysis.
        number: Eight hexadecimal digits, equal for the same exception at the same line of code.
        detail: `IndexError: index 0 is out of bounds (profile_index.py:117)`.
    """

    part: str
    number: str
    detail: str

    @property
    def words(self) -> str:
        """The sentence for people."""
        return f"could not be evaluated, reported as {self.number}"


def reported(part: str, error: Exception) -> Fault:
    """Return the fault of a part that raised `error`, after every observer has seen it."""
    last = traceback.extract_tb(error.__traceback__)[-1]
    where = f"{Path(last.filename).name}:{last.lineno}"
    number = f"{zlib.crc32(f'{type(error).__name__} {where}'.encode()):08x}"
    fault = Fault(part, number, f"{type(error).__name__}: {str(error)[:200]} ({where})")
    for observer in observers:
        observer(fault, error)
    return fault
