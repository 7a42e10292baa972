"""What calls what in an excerpt: by the tree of its single row, or what calls the functions of its rows.

    -   95.93%    38.21%  mmapr    mmapr     [.] worker
       - 57.71% worker
          - 56.39% page_fault           ->  page_fault 56.39 %, __do_page_fault 56.35 %
             - 56.35% __do_page_fault

A tree shows what its row calls, not who calls it, when an entry to the kernel stands in it above another
function, or when it ends in a spin lock: nothing that is called from the kernel stands above its entry, and a
spin lock calls nothing.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ingest.frames import is_spin, normalise
from ingest.frames.kernel_entries import is_kernel_entry
from ingest.model.profile import UNKNOWN_CALLERS, Symbol
from ingest.readers.perf.perf_table.profiles import charged

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from ingest.readers.perf.perf_table.rows import Row
    from ingest.readers.perf.perf_table.trees import Named, Tree


def called(row: Row, tree: Tree) -> Iterator[Symbol]:
    """Yield the functions below a row with the share that is in each and in what it calls."""
    shares: dict[str, float] = {}
    lines: dict[str, int] = {}
    for path, weight in tree.stacks(row.shares[0]):
        if not (_is_downwards(path) if row.kind else _is_open_below(path)):
            continue
        for name, line in dict(path).items():
            shares[name] = shares.get(name, 0.0) + weight
            lines.setdefault(name, line)
    for name, share in shares.items():
        if name != row.name:
            yield Symbol(name, 0.0, round(share, 6), "", "", row.comm, lines[name])


def callers(rows: Sequence[tuple[int, Row, Tree]]) -> Iterator[Symbol]:
    """Yield the functions that call the rows' own, the outermost first, with the share in what they call.

    Only where the trees show which end is the row's: a path of a tree without its row may run either way.
    """
    has_children = all(len(row.shares) > 1 for _, row, _ in rows)
    balance = sum(tree.votes(row) for _, row, tree in rows)
    if not has_children and not balance:
        return
    named = {row.name for _, row, _ in rows} if has_children else set()
    shares: dict[str, float] = {}
    lines: dict[str, int] = {}
    comms: dict[str, str] = {}
    for _, row, leaf_first, weight in charged(rows, has_children=has_children):
        for name, line in dict(reversed(leaf_first[1:])).items():
            shares[name] = shares.get(name, 0.0) + weight
            lines.setdefault(name, line)
            comms.setdefault(name, row.comm)
    for name, share in shares.items():
        if name not in named and name != UNKNOWN_CALLERS:
            yield Symbol(name, 0.0, round(share, 6), "", "", comms[name], lines[name])


def _is_open_below(path: Sequence[Named]) -> bool:
    """Return whether a path of a tree without its row can run to the called: it does not end in an entry."""
    return bool(path) and not is_kernel_entry(normalise(path[-1][0]))


def _is_downwards(path: Sequence[Named]) -> bool:
    """Return whether a path runs from the caller to the called: it ends below an entry, or in a spin lock."""
    if len(path) > 1 and is_spin(normalise(path[-1][0])):
        return True
    entries = [at for at, (name, _) in enumerate(path) if is_kernel_entry(normalise(name))]
    return bool(entries) and entries[-1] < len(path) - 1 and (entries[0] > 0 or len(path) > len(entries))
