"""What the compiled core gives.

Arrays travel as bytes: little-endian int32 (`i4`), float64 (`f8`), uint8 (`u1`).

Only `ingest` imports this module: `ingest.native` for parsing and measuring, `ingest.export` for output.
"""

from collections.abc import Sequence
from typing import TypedDict

VERSION: str

class RawProfile(TypedDict):
    """One event's columns; `None` where the text has no such value."""

    event: str
    has_periods: bool
    frames: list[tuple[str, str, str]]
    threads: list[tuple[str, int, int]]
    node_parent: bytes
    node_frame: bytes
    node_line: bytes
    sample_node: bytes
    sample_weight: bytes
    sample_time: bytes | None
    sample_cpu: bytes | None
    sample_thread: bytes
    sample_line: bytes
    deep_samples: int

class LineTooLongError(Exception):
    """A line is longer than the stated limit; the argument is its 1-based number."""

class PerfScript:
    """Reads `perf script` text chunk by chunk; chunks may break lines anywhere.

    `threads` read parts of it; 0 is one per CPU.
    """

    def __init__(self, first_line: int, max_line_bytes: int, threads: int) -> None: ...
    def feed(self, chunk: bytes) -> None:
        """Read more text, the interpreter lock released. Raises `LineTooLongError`."""

    def finish(self) -> PerfScriptResult:
        """Return everything read; the parser is spent."""

class PerfScriptResult(TypedDict):
    """All of a `perf script` text."""

    profiles: list[RawProfile]
    comments: list[tuple[str, str, int]]
    skipped: list[tuple[str, int, int]]
    lost: float
    lost_line: int
    cut_line: int

class Folded:
    """Reads folded stacks chunk by chunk.

    `entries` are kernel entry functions; one that ends in `*` is a prefix.
    """

    def __init__(self, first_line: int, max_line_bytes: int, entries: Sequence[str]) -> None: ...
    def feed(self, chunk: bytes) -> None:
        """Read more text, the interpreter lock released. Raises `LineTooLongError`."""

    def finish(self) -> FoldedResult:
        """Return everything read; the parser is spent."""

class FoldedResult(TypedDict):
    """All of a folded text."""

    profile: RawProfile
    is_ordered: bool
    skipped: list[tuple[str, int, int]]
    cut_line: int

def line_ends(text: bytes) -> int:
    """Return how many lines end in `text`."""

def kind_of(name: str, module: str, is_kernel_address: bool, has_address: bool) -> str:
    """Return `kernel`, `module`, `user`, `jit` or `unknown` for one frame."""

def fold(
    node_parent: bytes,
    node_frame: bytes,
    names: Sequence[str],
    comms: Sequence[str],
    sample_node: bytes,
    sample_comm: bytes,
    sample_weight: bytes,
) -> bytes:
    """Return sorted `comm;frame;frame weight` lines.

    `sample_comm` (i4) indexes `comms`, -1 for no prefix; a name that is "" leaves its frame out.
    """

def totals(node_parent: bytes, node_weight: bytes) -> bytes:
    """Return per node (f8) its own weight and that of all nodes below it."""

class Index:
    """A tree and its samples, arranged so that a question costs what its answer is large.

    `leaf` and `callers` are classes of frames: one byte per frame, 1 is in it. `callers` stand above, nearest
    first, in this order. Nodes (i4) come depth first, samples (i4) by the node they end in.
    """

    def __init__(self, node_parent: bytes, node_frame: bytes, frames: int, sample_node: bytes) -> None: ...
    def completes(self, leaf: bytes, callers: Sequence[bytes]) -> bytes:
        """Return the nodes where the path completes, the outermost of each stack."""

    def leaves(self, leaf: bytes, callers: Sequence[bytes], within: int | None) -> bytes:
        """Return the nodes of `leaf` that the first of `callers` stands at most `within` frames above."""

    def outside(self, nodes: bytes, class_: bytes, /) -> bytes:
        """Return those of `nodes` that are not of the class and do not stand below it."""

    def samples_of(self, nodes: bytes, with_below: bool) -> bytes:
        """Return the samples that end in `nodes`, or below."""

class RawGraph(TypedDict):
    """Rows in preorder: `depth`, `frame`, `node` (i4), `self_weight`, `total` (f8)."""

    depth: bytes
    frame: bytes
    node: bytes
    self_weight: bytes
    total: bytes
    pruned: int

def graph(
    node_parent: bytes,
    node_frame: bytes,
    node_weight: bytes,
    least: float,
    root: int | None,
    keep: Sequence[int],
    order: str,
    ranks: bytes,
    max_rows: int,
) -> RawGraph:
    """Return the call tree in preorder without nodes lighter than `least`, unless kept.

    `order` is `left-heavy`, `alpha` (by `ranks`, i4 over frames) or `time` (as first seen). At most
    `max_rows` rows, the heaviest.
    """

def inverted_graph(
    node_parent: bytes,
    node_frame: bytes,
    node_weight: bytes,
    least: float,
    root: int | None,
    order: str,
    ranks: bytes,
    max_rows: int,
) -> RawGraph:
    """Return the tree of callers below each innermost frame; `node` is the heaviest node a row stands for."""
