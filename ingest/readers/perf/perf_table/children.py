"""Call trees of `perf report --children`: what ended in each row (Self), charged to the stack it ended in.

Callers first (`-g caller`, perf's own choice with children): the samples that ended in the row are whole
stacks from the outermost function; those that only went through it begin with the row itself.

    21.91%    21.57%  locker  futex_stress  [.] critical_section
            |
             --21.57%--start_thread
                       critical_section

Callees first (`-g callee`): every stack begins with the row, and nothing separates what ended in it from what
went through it. Where all of a row ended in it, its tree is its stacks; elsewhere what ended in it has the
callers that all its stacks share.

     4.92%     0.76%  app  [kernel.kallsyms]  [k] do_syscall_64
            |
            ---do_syscall_64
               entry_SYSCALL_64_after_hwframe
               |
               |--1.91%--__GI___libc_open

Source: tools/perf/util/hist.c (iter_add_single_cumulative_entry, iter_add_next_cumulative_entry).
"""

from __future__ import annotations

from itertools import takewhile
from typing import TYPE_CHECKING, NamedTuple

from ingest.readers.perf.perf_table.trees import ROUNDING, may_be_same, same_name

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from ingest.readers.perf.perf_table.rows import Row
    from ingest.readers.perf.perf_table.trees import Named, Tree


class Stack(NamedTuple):
    """Functions as printed, innermost first, and the share that ended in the first of them."""

    names: tuple[Named, ...]
    share: float


def order(rows: Sequence[tuple[int, Row, Tree]]) -> str:
    """Return `caller` or `callee`: what the trees begin with; "" if undecidable.

    A path that ends in the row's own function is a whole stack, callers first. Below a row in which all its
    weight ended, one that begins with it is a whole stack, callees first.
    """
    votes = 0
    for _, row, tree in rows:
        whole, own = row.shares[:2]
        for path, _ in tree.stacks(whole) if own else ():
            is_first, is_last = (bool(path) and same_name(path[at][0], row.name) for at in (0, -1))
            if is_last and not is_first:
                votes -= 1
            elif is_first and not is_last and whole - own < ROUNDING:
                votes += 1
    return "callee" if votes > 0 else "caller" if votes < 0 else ""


def stacks(line: int, row: Row, tree: Tree, callchain_order: str) -> Iterator[Stack]:
    """Yield what ended in one row: together exactly its Self.

    Args:
        line: Line of the row.
        row: Its shares are Children, then Self.
        tree: What is printed below it.
        callchain_order: Result of `order` for the table.
    """
    whole, remaining = row.shares[:2]
    own: Named = (row.name, line)
    for callers, share in _callers(row, tree, whole, remaining, is_caller=callchain_order == "caller"):
        taken = min(remaining, share)
        remaining -= taken
        if taken:
            yield Stack((own, *callers), taken)
    if remaining > 0:
        yield Stack((own,), remaining)


def _callers(
    row: Row, tree: Tree, whole: float, own: float, *, is_caller: bool
) -> Iterator[tuple[Sequence[Named], float]]:
    """Yield the callers, from the inside out, of what ended in the row, and how much of it they called."""
    paths = [(path, share) for path, share in tree.stacks(whole) if path and share]
    if is_caller:
        for path, share in paths:
            if may_be_same(path[-1][0], row.name) and not same_name(path[0][0], row.name):
                yield path[-2::-1], share
    elif whole - own < ROUNDING:
        for path, share in paths:
            yield path[1:], share
    elif paths:
        levels = zip(*(path for path, _ in paths), strict=False)
        alike = sum(1 for _ in takewhile(lambda level: len({name for name, _ in level}) == 1, levels))
        yield paths[0][0][1:alike], own
