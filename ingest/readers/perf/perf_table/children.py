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

Where a paste keeps the rows of the outermost functions alone, what they call stands below them: the whole
stacks are there, without the rows that they end in (`descents`).

    91.20%     0.00%  mongod  [kernel.kallsyms]  [k] asm_exc_page_fault
            |
            ---asm_exc_page_fault
               exc_page_fault
               |
                --88.10%--evict_folios
                          |
                           --61.33%--native_queued_spin_lock_slowpath

Source: tools/perf/util/hist.c (iter_add_single_cumulative_entry, iter_add_next_cumulative_entry).
"""

from __future__ import annotations

from itertools import takewhile
from typing import TYPE_CHECKING, NamedTuple

from ingest.frames import is_spin, normalise
from ingest.frames.kernel_entries import is_kernel_entry, is_outermost
from ingest.model.profile import UNKNOWN_CALLEES
from ingest.readers.perf.perf_table.trees import ROUNDING, may_be_same, same_name

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from ingest.readers.perf.perf_table.rows import Row
    from ingest.readers.perf.perf_table.trees import Named, Tree


MOST = 0.5
"""Share of the whole that `descents` must show."""


class Stack(NamedTuple):
    """Functions as printed, innermost first, and the share that ended in the first of them."""

    names: tuple[Named, ...]
    share: float


def order(rows: Sequence[tuple[int, Row, Tree]]) -> str:
    """Return `caller` or `callee`: what the trees begin with; "" if undecidable.

    A path that ends in the row's own function is a whole stack, callers first. Below a row in which all its
    weight ended, one that begins with it is a whole stack, callees first. Where neither is there, entries of
    the kernel and spin locks decide: nothing in the kernel calls the one, and the other calls nothing.
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
    votes = votes or -_covers(descents(rows)) or _upward(rows)
    return "callee" if votes > 0 else "caller" if votes < 0 else ""


class Descent(NamedTuple):
    """Functions from the outermost of all down to where a tree ends, and the share that is there.

    Attributes:
        comm: Who ran.
        names: As printed, outermost first; the last may stand for functions that perf left out.
        share: Of the whole.
    """

    comm: str
    names: tuple[Named, ...]
    share: float


def descents(rows: Sequence[tuple[int, Row, Tree]]) -> list[Descent]:
    """Return what is below the rows of the outermost kernel functions: whole stacks, each once.

    Of the function in the last line of all a paste may have cut off what it calls.
    """
    found: list[Descent] = []
    inner: set[tuple[str, str]] = set()
    own = {(row.comm, row.name): row.shares[1] for _, row, _ in rows}
    last_line = max(
        (
            line
            for at, row, tree in rows
            for line in (at, *(named[1] for path, _ in tree.stacks(1.0) for named in path))
        ),
        default=0,
    )
    for line_of_row, row, tree in rows:
        if (row.comm, row.name) in inner:
            continue
        paths = [(path, share) for path, share in tree.stacks(row.shares[0]) if _descends(path, row)]
        forks = {tuple(path[:at]) for path, _ in paths for at in range(1, len(path))}
        inner.update((row.comm, name) for path, _ in paths for name, _ in path)
        for path, share in paths:
            at, line = (row.comm, path[-1][0]), path[-1][1]
            is_open = tuple(path) in forks or (line == last_line and not is_spin(normalise(path[-1][0])))
            ended = min(share, own[at]) if at in own else 0.0 if is_open else share
            if at in own:
                own[at] -= ended
            if ended:
                found.append(Descent(row.comm, tuple(path), ended))
            if share - ended > ROUNDING:
                found.append(Descent(row.comm, (*path, (UNKNOWN_CALLEES, line)), share - ended))
        remaining = row.shares[0] - sum(share for _, share in paths)
        if paths and remaining > ROUNDING:
            names = ((row.name, line_of_row), (UNKNOWN_CALLEES, line_of_row))
            found.append(Descent(row.comm, names, remaining))
    return found


def _covers(found: Sequence[Descent]) -> bool:
    """Return whether most of the whole is below them: an excerpt of a few rows is no profile."""
    return sum(one.share for one in found) >= MOST


def _descends(path: Sequence[Named], row: Row) -> bool:
    """Return whether a path of a row runs from an entry of the kernel to what it calls, through the row."""
    names = [normalise(name) for name, _ in path]
    if len(path) < 2 or not is_outermost(names[0]) or not any(same_name(name, row.name) for name, _ in path):
        return False
    return is_kernel_entry(names[1]) or (is_spin(names[-1]) and not is_spin(names[0]))


def _upward(rows: Sequence[tuple[int, Row, Tree]]) -> int:
    """Return how many paths of rows begin with a spin lock: what follows are its callers."""
    return sum(
        len(path) > 1 and same_name(path[0][0], row.name) and is_spin(normalise(row.name))
        for _, row, tree in rows
        for path, _ in tree.stacks(row.shares[0])
    )


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
