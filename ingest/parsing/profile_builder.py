"""Build a profile stack by stack; classify stacks as kernel or user by their names.

For text formats that print few stacks; long recordings are interned by the native core.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from ingest.model.profile import ROOT, Frame, Profile, Thread
from ingest.native.demangle import demangled
from ingest.native.linear import Pattern

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

UNNAMED = Thread("", -1, -1)
"""The thread of a stack that names none."""

# Outermost kernel functions and entry stubs of x86-64 (old and new), arm64 and kernel threads:
# arch/x86/entry/entry_64.S, arch/x86/include/asm/idtentry.h, arch/arm64/kernel/entry-common.c.
_KERNEL_ENTRY = Pattern(
    r"""(?x) ^(?:
        asm_\w+ | exc_page_fault | do_user_addr_fault | (?:__)?do_page_fault | (?:async_)?page_fault
      | entry_\w+ | do_syscall_64 | do_fast_syscall_32 | do_int80_\w+ | x64_sys_call
      | system_call_fastpath | tracesys
      | ret_from_fork(?:_asm)? | kthread | kernel_thread_helper | worker_thread | process_one_work
      | secondary_startup_64\w* | start_secondary | common_startup_64 | x86_64_start_kernel | start_kernel
      | cpu_startup_entry | do_idle
      | el[01]\w*_(?:sync|irq|svc|64_sync|64_irq|da|ia|svc_naked)\w* | el0_svc\w*
      | invoke_syscall | ret_fast_syscall | handle_mm_fault | __handle_mm_fault | schedule | __schedule
      | (?:__x64_sys|__arm64_sys|__se_sys|__do_sys|ksys|SyS)_\w+ | vfs_(?:read|write)
      | sysvec_\w+ | common_interrupt
      | (?:apic_timer|reschedule|call_function)\w*_interrupt
    )$"""
)
_USER_ENTRY = frozenset(
    {"start_thread", "clone", "clone3", "__clone", "__clone3", "main", "_start", "__libc_start_main"}
    | {"__libc_start_call_main", "__libc_start_main_impl", "__GI___clone3", "runtime.goexit"}
)
# x86-64 and arm64 kernel text lives in the upper half: Documentation/arch/x86/x86_64/mm.rst.
_KERNEL_ADDRESS = re.compile(r"^(?:0x)?f{4}[0-9a-f]{12}$")


def kind_of_stack(names: Iterable[str]) -> str:
    """Return `kernel`, `user` or `unknown` for one unmixed stack, from the names it holds.

    One known entry function decides: `asm_exc_page_fault`, `ret_from_fork`; `start_thread`, `main`.
    """
    kind = "unknown"
    for name in names:
        if _KERNEL_ENTRY.match(name) or _KERNEL_ADDRESS.match(name):
            return "kernel"
        if name in _USER_ENTRY:
            kind = "user"
    return kind


class PlacedFrame(NamedTuple):
    """A frame and the 1-based line that prints it."""

    frame: Frame
    line: int


class StackBuilder:
    """Interns stacks into the columns of one profile; a mangled name becomes the one of the source."""

    def __init__(self) -> None:
        """Start without stacks."""
        self._printed: dict[Frame, int] = {}
        self._frames: dict[Frame, int] = {}
        self._threads: dict[Thread, int] = {}
        self._nodes: dict[tuple[int, int], int] = {}
        self._node_line: list[int] = []
        self._samples: list[tuple[int, float, float, int, int]] = []

    def __len__(self) -> int:
        """How many samples were added."""
        return len(self._samples)

    def add(
        self,
        leaf_first: Sequence[PlacedFrame],
        *,
        line: int,
        weight: float = 1.0,
        count: float = 1.0,
        thread: Thread = UNNAMED,
    ) -> None:
        """Add one stack, innermost frame first; an empty one is a sample without stack.

        It has weight `weight` and represents `count` samples.
        """
        node = ROOT
        for frame, frame_line in reversed(leaf_first):
            interned = self._printed.get(frame)
            key = (node, self._intern(frame) if interned is None else interned)
            if key not in self._nodes:
                self._nodes[key] = len(self._nodes)
                self._node_line.append(frame_line)
            node = self._nodes[key]
        row = self._threads.setdefault(thread, len(self._threads))
        self._samples.append((node, weight, count, row, line))

    def _intern(self, frame: Frame) -> int:
        """Number a frame; instances of one function whose mangled names differ are one frame."""
        name = demangled(frame.name)
        plain = frame if name == frame.name else frame._replace(name=name)
        self._printed[frame] = self._frames.setdefault(plain, len(self._frames))
        return self._printed[frame]

    def build(self, *, event: str, unit: str, what: str, has_weights: bool) -> Profile:
        """Return the profile of everything added, in the order it was added."""
        columns = list(zip(*self._samples, strict=True)) or [()] * 5
        node, weight, count, thread, line = columns
        return Profile(
            event=event,
            unit=unit,
            frames=tuple(self._frames),
            node_parent=np.array([parent for parent, _ in self._nodes], dtype=np.int32),
            node_frame=np.array([frame for _, frame in self._nodes], dtype=np.int32),
            node_line=np.array(self._node_line, dtype=np.int32),
            sample_node=np.array(node, dtype=np.int32),
            sample_weight=np.array(weight, dtype=np.float64),
            sample_count=np.array(count, dtype=np.float64),
            sample_time=None,
            sample_cpu=None,
            sample_thread=np.array(thread, dtype=np.int32),
            sample_line=np.array(line, dtype=np.int32),
            threads=tuple(self._threads),
            is_ordered=False,
            has_weights=has_weights,
            what=what,
        )
