"""Taint flags of the kernel: what happened since boot that makes its reports less trustworthy.

Example:
    CPU: 3 PID: 12 Comm: x Tainted: G        W  OE      6.1.0-25-amd64 #1  ->  W, O, E

Source: Documentation/admin-guide/tainted-kernels.rst and kernel/panic.c, Linux 6.12.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable

TAINTS = {
    "P": "a proprietary module was loaded",
    "F": "a module was force-loaded",
    "S": "the kernel runs on a processor or system out of specification",
    "R": "a module was force-unloaded",
    "M": "the processor reported a machine check",
    "B": "a bad page was found",
    "U": "user space asked for this taint",
    "D": "the kernel oopsed before",
    "A": "an ACPI table was overridden",
    "W": "the kernel warned before",
    "C": "a staging driver was loaded",
    "I": "a firmware bug is worked around",
    "O": "an out-of-tree module was loaded",
    "E": "an unsigned module was loaded",
    "L": "a soft lockup occurred before",
    "K": "the kernel was live-patched",
    "X": "the distribution set an auxiliary taint",
    "T": "the structure layout was randomised",
    "N": "an in-kernel test ran",
    "J": "user space used a mutating debug operation of fwctl",
}
"""Each letter and its meaning. `G` in place of `P` says that all modules are free."""

FOREIGN = frozenset("PO")
"""Flags of a module whose source the kernel does not have: proprietary, out-of-tree."""

EARLIER_FAILURES = frozenset("DWLBM")
"""Flags that an earlier report of this boot set: a report with one of them is not the first failure."""


def letters(printed: str) -> str:
    """Return the flags of `G        W  OE`, in their order; "" when there are none."""
    return "".join(letter for letter in printed if letter in TAINTS)


def meanings(flags: Iterable[str]) -> tuple[str, ...]:
    """Return what each flag means."""
    return tuple(TAINTS[letter] for letter in flags if letter in TAINTS)
