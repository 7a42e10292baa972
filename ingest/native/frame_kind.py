"""Kind of a frame by its printed module and address: kernel, kernel module, program, or JIT code.

`[kernel.kallsyms]`, `[ext4]`, an address in the upper half, `/tmp/perf-123.map`.

Sources: tools/perf/util/dso.h (names without a file); Documentation/arch/x86/x86_64/mm.rst (addresses).
"""

from __future__ import annotations

from ingest.native import _core

KERNEL_HALF = 0xFFFF_8000_0000_0000
"""Addresses from here upwards belong to the kernel on x86-64 and arm64."""


def classify(name: str, module: str = "", address: int | None = None) -> str:
    """Return `kernel`, `module`, `user`, `jit` or `unknown` for one frame.

    Args:
        name: The function, `[unknown]` where perf knows none.
        module: The module in parentheses after it, "" when not printed.
        address: Where it is, None when not printed.
    """
    is_kernel = address is not None and address >= KERNEL_HALF
    return _core.kind_of(name, module, is_kernel, bool(address))
