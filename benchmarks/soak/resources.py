"""Samples of what a running instance uses, and the growth of each figure over a run.

Memory is anonymous proportional set size (`Pss_Anon` of /proc/PID/smaps_rollup): pages that a process itself
holds. Pages of files and PostgreSQL's shared buffers fill once up to their configured size and are left out.

Source: https://www.kernel.org/doc/html/latest/filesystems/proc.html
"""

from __future__ import annotations

import statistics
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

PROC = Path("/proc")
WARM_UP_SHARE = 0.25
"""Share of a run that is not judged: caches fill and lazy imports happen."""

ALLOWED_GROWTH_SHARE = 0.10
ALLOWED_GROWTH = {"memory_mib": 16.0, "file_handles": 16.0, "connections": 8.0, "processes": 4.0}
"""Differences below these are noise, whatever their share."""


@dataclass(frozen=True, slots=True)
class Sample:
    """What one component used at one time.

    Attributes:
        at_seconds: Seconds since the run began.
        component: Name of the supervised program, its descendants included.
    """

    at_seconds: float
    component: str
    memory_mib: float
    file_handles: int
    connections: int
    processes: int


@dataclass(frozen=True, slots=True)
class Growth:
    """How one figure of one component changed between the two halves of the judged part of a run."""

    component: str
    figure: str
    before: float
    after: float
    peak: float

    @property
    def is_flat(self) -> bool:
        """Whether the second half is no higher than the first, apart from noise."""
        allowed = max(self.before * ALLOWED_GROWTH_SHARE, ALLOWED_GROWTH[self.figure])
        return self.after - self.before <= allowed


def take(at_seconds: float, roots: Mapping[str, int]) -> list[Sample]:
    """Return one sample per component; `roots` are the process ids by component."""
    children = _children()
    found = []
    for component, root in sorted(roots.items()):
        tree = list(_descendants(root, children))
        usage = [one for one in map(_usage, tree) if one is not None]
        found.append(
            Sample(
                at_seconds,
                component,
                sum(memory for memory, _, _ in usage) / 1024,
                sum(handles for _, handles, _ in usage),
                sum(sockets for _, _, sockets in usage),
                len(usage),
            )
        )
    return found


def growths(samples: Sequence[Sample]) -> list[Growth]:
    """Return the growth of every figure of every component, warm-up left out.

    Raises:
        ValueError: A component has fewer than four samples after the warm-up.
    """
    end = max(sample.at_seconds for sample in samples)
    judged = [sample for sample in samples if sample.at_seconds >= end * WARM_UP_SHARE]
    found = []
    for component in sorted({sample.component for sample in judged}):
        own = [sample for sample in judged if sample.component == component]
        if len(own) < 4:
            raise ValueError(f"{component} has {len(own)} samples; the run was too short to judge growth")
        half = len(own) // 2
        for figure in ALLOWED_GROWTH:
            values = [float(getattr(sample, figure)) for sample in own]
            before, after = statistics.median(values[:half]), statistics.median(values[half:])
            found.append(Growth(component, figure, before, after, max(values)))
    return found


def _children() -> dict[int, list[int]]:
    """Return the children of every process."""
    found: dict[int, list[int]] = {}
    for entry in PROC.iterdir():
        if entry.name.isdigit():
            with suppress(OSError):
                # The command in parentheses may hold blanks: the parent is the second field behind it.
                parent = int((entry / "stat").read_text().rpartition(")")[2].split()[1])
                found.setdefault(parent, []).append(int(entry.name))
    return found


def _descendants(root: int, children: Mapping[int, Sequence[int]]) -> Iterable[int]:
    yield root
    for child in children.get(root, ()):
        yield from _descendants(child, children)


def _usage(pid: int) -> tuple[int, int, int] | None:
    """Return kB of memory, file handles and sockets of a process; None when it has ended."""
    try:
        rollup = (PROC / str(pid) / "smaps_rollup").read_text()
        handles = list((PROC / str(pid) / "fd").iterdir())
    except OSError:
        return None
    memory = next(int(line.split()[1]) for line in rollup.splitlines() if line.startswith("Pss_Anon"))
    sockets = 0
    for handle in handles:
        with suppress(OSError):
            sockets += str(handle.readlink()).startswith("socket:")
    return memory, len(handles), sockets
