"""Ranges of kernel versions: `>=5.14,<6.18`."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from signatures.language.kernel_releases import numbers, padded

if TYPE_CHECKING:
    from signatures.language.kernel_families import Kernel

_PART = re.compile(r"(>=|<=|<|>|=)?\s*(\d+(?:\.\d+)*)(?:-rc\d+)?")


def _parts(spec: str) -> list[tuple[str, tuple[int, ...]]]:
    parts = []
    for part in spec.split(","):
        found = _PART.fullmatch(part.strip())
        if found is None:
            raise ValueError(f"{part!r} is not a range")
        parts.append((found[1] or "=", padded(numbers(found[2]))))
    return parts


def check_range(spec: str) -> None:
    """Validate a range such as `>=5.14,<6.18`.

    Raises:
        ValueError: Not a range.
    """
    if spec:
        _parts(spec)


def in_range(kernel: Kernel, spec: str) -> bool | None:
    """Return whether the kernel is in `>=5.14,<6.18`; None when its base version does not decide.

    Vendors backport later features to a frozen base version: `>=5.13` is certain when the base version
    satisfies it, `<5.13` is not.
    """
    verdicts: list[bool | None] = []
    for op, goal in _parts(spec):
        has = {
            ">=": kernel.version >= goal,
            ">": kernel.version > goal,
            "<": kernel.version < goal,
            "<=": kernel.version <= goal,
            "=": kernel.version == goal,
        }[op]
        is_certain = not kernel.is_frozen or (op in (">=", ">") and has)
        verdicts.append(has if is_certain else None)
    if False in verdicts:
        return False
    return None if None in verdicts else True
