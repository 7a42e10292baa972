"""Fixes in release lines of frozen kernels, by the sources of their packages.

Example of a line in a record of a fix:
    el8: {clean: 4.18.0-425.19.2, faulty: 4.18.0-477.10.1, lacks: 4.18.0-553.66.1}

The sources of the builds of a line were searched, the oldest first. `clean` is the last build without the
fault, `faulty` the first with it, `lacks` the last without the fix, `fixed` the first with it. What lies
between two builds that were read is unknown. An update of a minor release that is newer than the last one
that was read (`package_lines.yaml`) may have more.
"""

from __future__ import annotations

import re
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from ingest.tables import table
from signatures.language.kernel_releases import order_within

if TYPE_CHECKING:
    from collections.abc import Mapping

    from signatures.language.kernel_families import Kernel

_DATA = Path(__file__).parent / "package_lines.yaml"
_KEYS = frozenset(("clean", "faulty", "lacks", "fixed"))
_OWN = re.compile(r"\.el\d+(?:_\d+)?(?:\.(?:x86_64|aarch64|ppc64le|s390x|i686))?(?:\+(?:rt|debug|64k))*")
_MINOR = 4
"""Numbers that a minor release of a line shares: 4.18.0-553."""

FAMILY = "rhel"
"""Family whose builds the lines are; others are built on them and add patches."""

Order = tuple[int, ...]


class PackageLine(NamedTuple):
    """Builds of one line as numbers, () where none was found."""

    clean: Order
    faulty: Order
    lacks: Order
    fixed: Order


class LineStatus(NamedTuple):
    """What the sources of a line say of a build.

    Attributes:
        status: `fixed`, `affected`, `not_affected`, or `newer`: sources lack the fix, the build is newer.
        is_own: The build is one of the line; else somebody's who adds patches (`.lve.el8`, `.el9_4.ciqlts`).
    """

    status: str
    basis: str
    is_own: bool


@lru_cache(maxsize=1)
def searched() -> dict[str, Any]:
    """Return the builds that were searched: `source`, `searched`, and `last` by line."""
    rows: dict[str, Any] = table(_DATA)
    return rows


def package_line(row: Mapping[str, str]) -> PackageLine:
    """Read one line.

    Raises:
        ValueError: A key is unknown, or there is none.
    """
    unknown = sorted(set(row) - _KEYS)
    if unknown or not row:
        raise ValueError(f"unknown key {unknown[0]} of a line" if unknown else "a line without builds")
    return PackageLine(*(order_within(row.get(key, ""), "") for key in PackageLine._fields))


def line_status(line: PackageLine, kernel: Kernel) -> LineStatus | None:
    """Return what the sources of its line say of a build, None where they say nothing."""
    order = kernel.order
    if not order:
        return None
    tail = kernel.release[kernel.release.find(f".{kernel.line}") :]
    is_own = kernel.family.name == FAMILY and _OWN.fullmatch(tail) is not None
    source = searched()["source"]
    if line.fixed and order >= line.fixed:
        return LineStatus("fixed", f"{source}, {release_words(line.fixed)}, have the fix", is_own)
    is_read = _is_read(kernel)
    if line.clean and order <= line.clean:
        basis = f"{source}, up to {release_words(line.clean)}, do not have the fault"
        return LineStatus("not_affected", basis, is_own) if is_read else None
    if not line.lacks or (line.faulty and order < line.faulty):
        return None
    basis = f"{source}, up to {release_words(line.lacks)}, lack the fix"
    return LineStatus("affected" if is_read and order <= line.lacks else "newer", basis, is_own)


def _is_read(kernel: Kernel) -> bool:
    """Return whether a build is not newer than the last update of its minor release that was read."""
    last = [order_within(text, "") for text in searched()["last"].get(kernel.line, ())]
    minor = next((one for one in last if one[:_MINOR] == kernel.order[:_MINOR]), None)
    if minor is not None:
        return kernel.order <= minor
    # A development build between two minor releases has what the next one has, or less.
    return len(kernel.order) == _MINOR and any(kernel.order < one for one in last)


def release_words(order: Order) -> str:
    """Return (4, 18, 0, 553, 66, 1) as 4.18.0-553.66.1."""
    base, build = order[:3], order[3:]
    return "-".join(".".join(map(str, part)) for part in (base, build) if part)
