"""Processes as the tools print them, summed by name: of each look one group for each program.

groups_of_rows(table, "cpu_share")  ->  Group("wbs", 2.54, 4, …)
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from ingest.model.row_columns import Numbers
from signatures.language.number_format import value_words
from signatures.overview.model import shortened_words

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from numpy.typing import NDArray

    from signatures.overview.model import Place
    from signatures.overview.scope_evidence import FactEntry, ScopeEvidence, Table

WHOLE_CPU_SHARE = 0.9
MANY_CPUS = 10.0
"""CPUs from which their number is easier to read than a percentage of one."""

IN_KERNEL_SHARE = 0.9
"""Part of the CPU time of a program that is the kernel's; programs that compute have little of it."""

COMM_LENGTH = 60
PLACES = 3
WORKERS = "kworker"
"""Their names change with the work that they run: `kworker/u16:0+flush-254:16`."""


class Process(NamedTuple):
    """A process or thread with its share of one CPU, which may be the average since boot."""

    comm: str
    pid: str
    share: float
    place: Place
    is_since_boot: bool = False


class Group(NamedTuple):
    """Processes of one name, or the workers of the kernel: the sum of their shares, and how many they are.

    Attributes:
        members: Those that are cited, the largest first.
        lead: The one with the largest share over all names that it had, under the name it had for most.
        system: Kernel time of all members, None where the tool does not state it of each.
        is_since_boot: The share of a member is the average since boot.
        is_threads: The tool lists threads.
    """

    name: str
    share: float
    size: int
    members: tuple[Process, ...]
    lead: Process
    system: float | None = None
    is_since_boot: bool = False
    is_threads: bool = False

    @property
    def words(self) -> str:
        """Return `wbs 254 % of a CPU in 4 processes`, as part of a list."""
        words = f"{self.name} {value_words(self.share, 'share')} of a CPU"
        return f"{words} in {self._members}" if self.size > 1 else words

    @property
    def _members(self) -> str:
        """Return `4 processes`, or `4 threads`."""
        is_threads = self.name.startswith(WORKERS) or self.is_threads
        return f"{self.size:,} {'threads' if is_threads else 'processes'}"

    @property
    def amount(self) -> str:
        """Return how much: `254 % of one, in 4 processes`, `that of 30 CPUs, all of it in the kernel`."""
        share = value_words(self.share, "share")
        is_large = self.share >= MANY_CPUS
        words = f"that of {self.share:,.0f} CPUs" if is_large else f"{share} of one"
        words += f", in {self._members}" if self.size > 1 else ""
        system = self.system / self.share if self.system is not None and self.share else 0.0
        if system >= IN_KERNEL_SHARE and self.share >= WHOLE_CPU_SHARE:
            whole = f"{round(100 * system)} %"
            words += f", {'all' if whole == '100 %' else whole} of it in the kernel"
        return f"{words} (average since boot)" if self.is_since_boot else words

    @property
    def places(self) -> tuple[Place, ...]:
        """Lines of the members with the largest shares."""
        return tuple(one.place for one in self.members)


def _name_of(comm: str) -> str:
    """Return the name of a group: that of the command, of workers `kworkers`."""
    return f"{WORKERS}s" if comm.startswith(f"{WORKERS}/") else comm


def _key(entry: FactEntry) -> tuple[str, int, int, str, str]:
    """Return what the facts of one process of one look have in common."""
    item, fact = entry.item, entry.fact
    return item.evidence, item.section, fact.snapshot, entry.label("pid"), entry.label("comm")


def groups_of_facts(evidence: ScopeEvidence, stated: Sequence[FactEntry]) -> Iterator[Group]:
    """Yield the groups of each look of the tools that state the CPU of processes as facts."""
    system = {_key(entry): entry.number for entry in evidence.facts("process.cpu.system_share")}
    by_look: dict[tuple[str, int, int, str], list[tuple[Process, float | None]]] = {}
    for entry in stated:
        if comm := entry.label("comm"):
            look = (entry.item.evidence, entry.item.section, entry.fact.snapshot, _name_of(comm))
            process = Process(comm, entry.label("pid"), entry.number, entry.place, entry.is_since_boot)
            by_look.setdefault(look, []).append((process, system.get(_key(entry))))
    for (*_, name), found in by_look.items():
        members = sorted((process for process, _ in found), key=lambda one: -one.share)
        known = [one for _, one in found if one is not None]
        tasks: dict[str, list[Process]] = {}
        for one in members:
            tasks.setdefault(one.pid or one.comm, []).append(one)
        lead = max(tasks.values(), key=lambda one: sum(process.share for process in one))
        yield Group(
            name,
            sum(one.share for one in members),
            len(tasks),
            tuple(members[:PLACES]),
            lead[0]._replace(share=sum(one.share for one in lead)),
            sum(known) if len(known) == len(found) else None,
            any(one.is_since_boot for one in members),
        )


def groups_of_rows(table: Table, column: str) -> Iterator[Group]:
    """Yield the groups of each screen of a table of processes; of 300,000 rows only few become processes."""
    shares = np.nan_to_num(table.numbers(column))
    printed = table.words("comm", "command")
    comms = [shortened_words(one.strip("[]"), COMM_LENGTH) for one in printed.names]
    numbers: dict[str, int] = {}
    name_of = np.array([numbers.setdefault(_name_of(one), len(numbers)) for one in [*comms, ""]])
    names, is_named = list(numbers), np.array([bool(one) for one in numbers])
    rows = np.flatnonzero((shares != 0) & is_named[name_of[printed.array]])
    if not rows.size:
        return
    tasks = _tasks_of(table, printed.array)[rows]
    screens = np.unique(np.nan_to_num(table.numbers("screen"))[rows], return_inverse=True)[1]
    keys, first_rows, groups = np.unique(
        screens * len(names) + name_of[printed.array[rows]], return_index=True, return_inverse=True
    )
    in_order = np.lexsort((-shares[rows], groups))
    pairs, first_of_pair, of_pair = np.unique(
        groups[in_order] * (tasks.max() + 1) + tasks[in_order], return_index=True, return_inverse=True
    )
    sums = np.bincount(of_pair, weights=shares[rows][in_order])
    group_of_pair = pairs // (tasks.max() + 1)
    totals, sizes = np.bincount(group_of_pair, weights=sums), np.bincount(group_of_pair)
    leads = np.lexsort((first_of_pair, -sums, group_of_pair))[np.cumsum(sizes) - sizes]
    counts = np.bincount(groups)
    starts = np.cumsum(counts) - counts
    tids = table.rows.column("tid")
    task_of = table.first_of("tid", "pid")

    def process(at: int, share: float) -> Process:
        return Process(comms[printed.ids[at]], str(task_of(at) or ""), share, table.place(at, at))

    for group in np.argsort(first_rows, kind="stable").tolist():
        found = rows[in_order[starts[group] : starts[group] + counts[group]]].tolist()
        lead = int(leads[group])
        yield Group(
            names[int(keys[group]) % len(names)],
            float(totals[group]),
            int(sizes[group]),
            tuple(process(at, float(shares[at])) for at in found[:PLACES]),
            process(int(rows[in_order[first_of_pair[lead]]]), float(sums[lead])),
            is_threads=tids is not None and any(tids[at] is not None for at in found),
        )


def _tasks_of(table: Table, names: NDArray[np.int32]) -> NDArray[np.intp]:
    """Return a number for the task of each row: its thread, else its process, else its name."""
    columns = [one for one in map(table.rows.column, ("tid", "pid")) if one is not None]
    if all(isinstance(one, Numbers) for one in columns):
        ids = np.zeros(len(names))
        for one in ("tid", "pid"):
            ids = np.where(ids == 0, np.nan_to_num(table.numbers(one)), ids)
        return np.unique(np.where(ids == 0, -1.0 - names, ids), return_inverse=True)[1]
    task_of = table.first_of("tid", "pid")
    known: dict[object, int] = {}
    cells = (task_of(at) or ("name", int(name)) for at, name in enumerate(names))
    return np.array([known.setdefault(cell, len(known)) for cell in cells])
