"""Kernel frames in a stack of bare names: all frames called from an entry function of the kernel.

Below `entry_SYSCALL_64_after_hwframe` all is kernel. Source: `kinds.yaml` beside this module (entry functions
and where each was seen). Where modules or addresses are printed, `ingest.native.frame_kind` decides.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ingest.frames.names import Names, names_of

if TYPE_CHECKING:
    from collections.abc import Sequence

KERNEL_ENTRIES = names_of("kernel_entry")
"""Functions below which everything runs in the kernel; one that ends in `*` is a prefix."""

_ENTRIES = Names(KERNEL_ENTRIES)
_OUTERMOST = Names(names_of("kernel_outermost"))


def is_kernel_entry(name: str) -> bool:
    """Return whether everything called from `name` runs in the kernel."""
    return name in _ENTRIES


def is_outermost(name: str) -> bool:
    """Return whether `name` is the first function of the kernel on a stack: none of the kernel calls it."""
    return name in _OUTERMOST


def kinds(root_first: Sequence[str], *, has_comm: bool = False) -> tuple[str, ...]:
    """Return the kind of every frame of a stack of names: from the first kernel entry on, `kernel`.

    Frames before it, and all frames of a stack without entry, are `unknown`: the names alone are ambiguous.

    Args:
        root_first: Function names, the outermost first.
        has_comm: The first is who ran, no function: a process may be called `kthread`.
    """
    is_inside = False
    found = []
    for at, name in enumerate(root_first):
        is_inside = is_inside or ((at > 0 or not has_comm) and is_kernel_entry(name))
        found.append("kernel" if is_inside else "unknown")
    return tuple(found)
