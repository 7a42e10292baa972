"""Weighted call stacks as interned columns, and symbol tables without stacks."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

ROOT = -1
"""Parent of an outermost node."""

NO_CPU = -1
"""CPU of a sample that does not state one."""

UNKNOWN_CALLERS = "[callers not known]"
"""Frame in place of callers that the evidence omits; any function may be among them."""


UNKNOWN_CALLEES = "[callees not known]"
"""Innermost frame in place of callees that the evidence omits; any function may be among them."""


class Frame(NamedTuple):
    """One function: offsets and addresses stripped, otherwise as printed.

    Attributes:
        name: `shrink_lruvec`; `[unknown]` stays as it is.
        module: `[kernel.kallsyms]`, `[ext4]`, `/usr/lib/libc.so.6`, or "" when not printed.
        kind: `kernel`, `module`, `user`, `jit` or `unknown`; see `ingest.native.frame_kind`.
    """

    name: str
    module: str
    kind: str


class Thread(NamedTuple):
    """Who ran: pid and tid are -1 where not printed."""

    comm: str
    pid: int
    tid: int


@dataclass(frozen=True, slots=True, eq=False)
class Profile:
    """Weighted call stacks of one event.

    With F frames, N stack nodes, T threads and S samples, in the order of the file:

    Attributes:
        event: `cpu-clock:ppp`, `cycles`; "" when the text names none.
        unit: What `sample_weight` counts: `period:<event>`, `samples`, `ns`, `bytes`, `count`.
        frames: F frames, each (name, module) once.
        node_parent: N int32 indices into the nodes, `ROOT` for outermost; a parent precedes its children.
        node_frame: N int32 indices into `frames`.
        node_line: N int32 1-based line where the node's frame was first printed.
        sample_node: S int32 indices into the nodes, innermost frame; -1 for a sample without stack.
        sample_weight: S float64 non-negative weights in `unit`.
        sample_count: S float64: samples per row (1 for perf script).
        sample_time: S float64 seconds, or None when the text has no times.
        sample_cpu: S int32, `NO_CPU` where unknown, or None when no sample states one.
        sample_thread: S int32 indices into `threads`.
        sample_line: S int32 1-based line of the sample's first line.
        threads: T threads.
        is_ordered: Samples are in chronological order.
        has_weights: False for bare stacks: presence is shown, shares mean nothing.
        what: `cpu` (on-CPU samples), `offcpu`, `event` (tracepoint or map count), `bare`.
    """

    event: str
    unit: str
    frames: tuple[Frame, ...]
    node_parent: NDArray[np.int32]
    node_frame: NDArray[np.int32]
    node_line: NDArray[np.int32]
    sample_node: NDArray[np.int32]
    sample_weight: NDArray[np.float64]
    sample_count: NDArray[np.float64]
    sample_time: NDArray[np.float64] | None
    sample_cpu: NDArray[np.int32] | None
    sample_thread: NDArray[np.int32]
    sample_line: NDArray[np.int32]
    threads: tuple[Thread, ...]
    is_ordered: bool
    has_weights: bool
    what: str = "cpu"

    @property
    def samples(self) -> float:
        """Total number of samples."""
        return float(self.sample_count.sum())

    @property
    def weight(self) -> float:
        """Total weight, in `unit`."""
        return float(self.sample_weight.sum())


class Symbol(NamedTuple):
    """One row of a symbol table; shares are 0..1, `total_share` None without children."""

    name: str
    self_share: float
    total_share: float | None
    module: str
    kind: str
    comm: str
    line: int


@dataclass(frozen=True, slots=True)
class SymbolTable:
    """A flat table of symbols with shares: perf top, perf report.

    Attributes:
        event: As printed in the header, "" when there is none.
        symbols: Rows in printed order.
        samples: Samples the header states, else None.
        kernel_share: Kernel share the header states, else None.
        has_header: False for a bare excerpt: population and event are unknown.
        lost: Lost events the header states.
    """

    event: str
    symbols: tuple[Symbol, ...]
    samples: float | None
    kernel_share: float | None
    has_header: bool
    lost: float = 0.0

    @property
    def residual_share(self) -> float:
        """Share of the population that the rows do not name; bounds whatever is absent."""
        return max(0.0, 1.0 - sum(symbol.self_share for symbol in self.symbols))
