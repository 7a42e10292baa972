"""Quantities with units: `500 ms`, `16 MiB`, `50 %`, `0.30`.

Example:
    parse("16 MiB") == Quantity(16777216.0, "bytes")
"""

from __future__ import annotations

import re
from typing import NamedTuple

_SCALES = {
    "ns": ("seconds", 1e-9),
    "us": ("seconds", 1e-6),
    "ms": ("seconds", 1e-3),
    "s": ("seconds", 1.0),
    "min": ("seconds", 60.0),
    "h": ("seconds", 3600.0),
    "B": ("bytes", 1.0),
    "KiB": ("bytes", 1024.0),
    "MiB": ("bytes", 1024.0**2),
    "GiB": ("bytes", 1024.0**3),
    "%": ("share", 0.01),
}
_QUANTITY = re.compile(r"(-?[0-9][0-9_]*(?:\.[0-9]+)?(?:e-?[0-9]+)?)\s*([A-Za-z%]*)")

_SUFFIXES = (
    ("_bytes", "bytes"),
    ("_seconds", "seconds"),
    ("_share", "share"),
    ("_ms", "ms"),
    ("_us", "us"),
    ("_ns", "ns"),
    ("_s", "seconds"),
    ("_kib", "kib"),
)
_MEMCG_SIZES = frozenset(
    [
        "anon",
        "file",
        "kernel",
        "shmem",
        "cache",
        "rss",
        "mapped_file",
        "file_mapped",
        "inactive_anon",
        "active_anon",
        "inactive_file",
        "active_file",
        "unevictable",
        "slab",
        "sock",
        "swap",
        "total_cache",
        "total_rss",
        "hierarchical_memory_limit",
    ],
)


class Quantity(NamedTuple):
    """A number in its base unit: seconds, bytes, share or "" for a bare number."""

    value: float
    unit: str


def parse(text: float | str) -> Quantity:
    """Parse a quantity.

    Raises:
        ValueError: Not a number with one of the known units.
    """
    if isinstance(text, int | float):
        return Quantity(float(text), "")
    found = _QUANTITY.fullmatch(text.strip())
    if found is None or (found[2] and found[2] not in _SCALES):
        raise ValueError(f"{text!r} is not a quantity (units: {', '.join(_SCALES)})")
    number = float(found[1].replace("_", ""))
    if not found[2]:
        return Quantity(number, "")
    unit, scale = _SCALES[found[2]]
    return Quantity(number * scale, unit)


def in_unit(quantity: Quantity, unit: str) -> float:
    """Return the quantity as a number of `unit` (`ns`, `us`, `ms`, `s`, `bytes`…).

    Raises:
        ValueError: Incompatible units.
    """
    if not quantity.unit or not unit:
        return quantity.value
    scale = {"seconds": ("seconds", 1.0), "bytes": ("bytes", 1.0), "share": ("share", 1.0)}.get(
        unit
    ) or _SCALES.get(unit)
    if scale is None or scale[0] != quantity.unit:
        raise ValueError(f"{quantity.unit} cannot be compared with {unit}")
    return quantity.value / scale[1]


def unit_of(name: str) -> str:
    """Return the unit from the suffix of a fact or column name; `count` without one."""
    for suffix, unit in _SUFFIXES:
        if name.endswith(suffix):
            return unit
    if name.startswith("memcg.stat.") and name.removeprefix("memcg.stat.") in _MEMCG_SIZES:
        return "bytes"
    return "count"
