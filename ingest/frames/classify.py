"""Who runs in a frame: the kernel, one of its modules, a program, or code made at run time.

By what is printed: `[kernel.kallsyms]`, `[ext4]`, an address in the upper half, `/tmp/perf-123.map`. Where a
text prints names alone (folded stacks), by the callers: below `entry_SYSCALL_64_after_hwframe` all is kernel.

Sources: tools/perf/util/dso.h (names without a file); Documentation/arch/x86/x86_64/mm.rst (addresses);
`kinds.yaml` beside this module (entry functions, each with where it was seen).
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ingest.frames.names import Names, names_of

if TYPE_CHECKING:
    from collections.abc import Sequence

KERNEL_ENTRIES = names_of("kernel_entry")
"""Functions below which everything runs in the kernel; one that ends in `*` is a prefix."""

KERNEL_HALF = 0xFFFF_8000_0000_0000
"""Addresses from here upwards belong to the kernel on x86-64 and arm64."""

_ENTRIES = Names(KERNEL_ENTRIES)


def classify(name: str, module: str = "", address: int | None = None) -> str:
    """Return `kernel`, `module`, `user`, `jit` or `unknown` for one frame.

    Args:
        name: The function, `[unknown]` where perf knows none.
        module: The module in parentheses after it, "" when not printed.
        address: Where it is, None when not printed.
    """
    from ingest.native import _core  # noqa: PLC0415 - native reads this module's entries

    is_kernel = address is not None and address >= KERNEL_HALF
    return _core.kind_of(name, module, is_kernel, bool(address))


def is_kernel_entry(name: str) -> bool:
    """Return whether everything called from `name` runs in the kernel."""
    return name in _ENTRIES


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
