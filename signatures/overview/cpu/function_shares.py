"""Functions with their share of the time: self time or total time, of profiles and of flat tables."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from ingest.frames import is_idle_leaf, normalise
from ingest.model.profile import UNKNOWN_CALLEES
from signatures.overview.cpu.spin_words import UNLOCK
from signatures.overview.model import place

if TYPE_CHECKING:
    from collections.abc import Iterator

    from numpy.typing import NDArray

    from ingest.model.profile import Symbol, SymbolTable
    from signatures.judging.scope import Item
    from signatures.overview.model import Place
    from signatures.overview.scope_evidence import ScopeEvidence
    from signatures.overview.stacks import Stacks

SHOWN = 5
CANDIDATES = 8
LEAST_SHARE = 0.02
PLACES = 3
KERNEL = frozenset({"kernel", "module"})
SKID = ("finish_task_switch", UNLOCK, "entry_", "syscall_", "do_syscall_64", "__softirqentry")
"""Where samples land when interrupts are switched on again, and entries: not where the time goes."""


class Timed(NamedTuple):
    """A function with its share of samples.

    Attributes:
        is_row: A row of a table; else a function of its trees.
        is_open: What it calls is not in the tree: the share is of both.
    """

    name: str
    share: float
    places: tuple[Place, ...]
    is_kernel: bool
    comm: str = ""
    module: str = ""
    is_row: bool = True
    is_open: bool = False


def of_profile(stacks: Stacks) -> list[Timed]:
    """Return the functions with the most self time that do not idle."""
    weights = np.where(stacks.idle, 0.0, stacks.leaf_weight)
    found: list[Timed] = []
    for frame in np.argsort(-weights, kind="stable")[:SHOWN].tolist():
        share = float(weights[frame]) / stacks.total
        if share < LEAST_SHARE:
            break
        name, is_kernel = stacks.names[frame], bool(stacks.is_kernel[frame])
        if name == UNKNOWN_CALLEES:
            found += _open_ended(stacks, stacks.nodes_of(frame))
        else:
            found.append(Timed(name, share, stacks.places_of_frame(frame), is_kernel, _comm(stacks, frame)))
    return sorted(found, key=lambda one: -one.share)


def _open_ended(stacks: Stacks, nodes: NDArray[np.intp]) -> Iterator[Timed]:
    """Yield the functions below which `nodes` stand for callees that a tree does not show."""
    profile = stacks.profile
    inner = nodes[profile.node_parent[nodes] >= 0]
    above = profile.node_frame[profile.node_parent[inner]]
    weights = np.bincount(above, weights=stacks.node_weight[inner], minlength=len(profile.frames))
    for frame in np.argsort(-weights, kind="stable")[:SHOWN].tolist():
        share = float(weights[frame]) / stacks.total
        if share < LEAST_SHARE:
            return
        of = inner[above == frame]
        comm, is_kernel = _comm(stacks, int(profile.node_frame[of[0]])), bool(stacks.is_kernel[frame])
        yield Timed(stacks.names[frame], share, stacks.places_of_nodes(of), is_kernel, comm, is_open=True)


def _comm(stacks: Stacks, frame: int) -> str:
    """Return the command in which most of a function's self time is, when it is more than half."""
    profile = stacks.profile
    by_thread = stacks.weight_by_thread(stacks.sample_leaf == frame)
    by_comm: dict[str, float] = {}
    for thread, weight in zip(profile.threads, by_thread.tolist(), strict=True):
        by_comm[thread.comm] = by_comm.get(thread.comm, 0.0) + weight
    comm, weight = max(by_comm.items(), key=lambda row: row[1], default=("", 0.0))
    return comm if weight * 2 > float(by_thread.sum()) else ""


def totals_of_profile(stacks: Stacks) -> list[Timed]:
    """Return the kernel functions with the most time in them and in what they call, entries left out."""
    of_frame = stacks.entries.weight
    heaviest = np.argsort(-of_frame, kind="stable")[:CANDIDATES].tolist()
    frames = [frame for frame in heaviest if of_frame[frame] and not stacks.idle[frame]]
    each = np.arange(len(of_frame))
    found = []
    for frame, below in zip(frames, stacks.below([each == frame for frame in frames]), strict=True):
        share = below.weight / stacks.total
        if share >= LEAST_SHARE:
            places = stacks.places_of_heaviest(below.heaviest)
            found.append(Timed(stacks.names[frame], share, places, is_kernel=True))
    return sorted(found, key=lambda one: -one.share)[:SHOWN]


def totals_of_tables(evidence: ScopeEvidence) -> list[Timed]:
    """Return the rows of tables that state the time in a function and in what it calls, and what trees show.

    As printed: a tree's callers come before what they call.
    """
    tables = [(table, item) for item in evidence.items for table in item.reading.tables]
    rows = [(symbol, item) for table, item in tables for symbol in table.symbols if symbol.total_share]
    return [
        Timed(
            normalise(one.name),
            one.total_share or 0.0,
            (place(item, one.line),),
            one.kind in KERNEL,
            one.comm,
            is_row=bool(one.kind),
        )
        for one, item in rows
        if (one.total_share or 0.0) >= LEAST_SHARE and not one.name.startswith(("0x", "[unknown", *SKID))
    ]


def of_tables(evidence: ScopeEvidence) -> list[Timed]:
    """Return the functions with the most self time of the largest table, summed over commands.

    The first one is returned whatever its share: it is what an excerpt is about.
    """
    largest = largest_table(evidence)
    if largest is None:
        return []
    rows = [one for one in summed(*largest) if not is_idle_leaf(one.name)]
    return [one for at, one in enumerate(rows[:SHOWN]) if one.share >= (LEAST_SHARE if at else 0.0)]


def largest_table(evidence: ScopeEvidence) -> tuple[SymbolTable, Item] | None:
    """Return the table whose rows have the most self time; None when none has any."""
    tables = [(table, item) for item in evidence.items for table in item.reading.tables]
    timed = [one for one in tables if any(symbol.self_share for symbol in one[0].symbols)]
    return max(timed, key=lambda row: sum(symbol.self_share for symbol in row[0].symbols), default=None)


def summed(table: SymbolTable, item: Item) -> list[Timed]:
    """Return each function of a table once, the most self time first, with the command that has most."""
    by_name: dict[str, list[Symbol]] = {}
    for symbol in table.symbols:
        by_name.setdefault(normalise(symbol.name), []).append(symbol)
    found = []
    for name, symbols in by_name.items():
        symbols.sort(key=lambda one: -one.self_share)
        first, share = symbols[0], sum(one.self_share for one in symbols)
        places = tuple(place(item, one.line) for one in symbols[:PLACES])
        comm = first.comm if first.self_share * 2 > share else ""
        found.append(
            Timed(name, share, places, first.kind in KERNEL, comm, module_name(first.module, first.kind))
        )
    return sorted(found, key=lambda one: -one.share)


def module_name(name: str, kind: str) -> str:
    """Return the name of a module of the kernel: `zfs` of `[zfs]` or `zfs.ko.xz`; "" for anything else."""
    return name.strip("[]").rsplit("/", 1)[-1].partition(".ko")[0] if kind == "module" else ""
