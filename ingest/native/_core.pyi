"""What the compiled core gives.

Arrays travel as bytes: little-endian int32 (`i4`), float64 (`f8`), uint8 (`u1`).

Only `ingest` imports this module: `ingest.native` for parsing, measuring and views, `ingest.export` to fold.
Views take their columns as contiguous numpy arrays.
"""

from collections.abc import Callable, Sequence
from re import Match
from typing import Any, TypeAlias, TypedDict

import numpy as np
from numpy.typing import NDArray

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

class LineStarts:
    """Which of many conditions each line meets; see `ingest.native.line_starts`."""

    def __init__(
        self,
        conditions: Sequence[tuple[int, Sequence[str], Sequence[str], int]],
        required: Sequence[Sequence[Sequence[str]]] | None = None,
    ) -> None: ...
    def scan(self, lines: list[str], first: int = 0, count: int = ...) -> tuple[list[int], list[list[int]]]:
        """Return those of `count` lines that meet a condition, and the numbers of the conditions of each."""

class LineRuns:
    """Lines in a row that one of several regular expressions matches from their first character on.

    Below blank lines a run goes on with a line that one of `heads` matches.
    """

    def __init__(self, expressions: Sequence[str], heads: Sequence[str] = ()) -> None: ...
    def end(self, lines: list[str], at: int) -> int:
        """Return the line behind the last of the run from `at` on; `at` when that line is not of it."""

class LineKinds:
    """Of which kind lines are: one of some known lines, or what an expression matches from its start."""

    def __init__(self, known: Sequence[str], expressions: Sequence[str]) -> None: ...
    def kinds(self, lines: list[str], first: int) -> bytes:
        """Return the kind of each line from `first` on, counted from 1, up to the first that is of none."""

class NumberRows:
    """Rows of numbers with at most one text each; see `ingest.parsing.number_rows`."""

    def __init__(self, width: int, kept: Sequence[int], factors: Sequence[float], text: int) -> None: ...
    def read(self, rows: list[str], first: int, count: int, *, has_text: bool = True) -> tuple[bytes, bytes]:
        """Return the cells as 8-byte floats, and the numbers of the texts as 4-byte integers.

        Raises `ValueError` for a row with another number of cells, or one that is no number.
        """

    def number_of(self, text: str) -> int:
        """Return the number of a text that stands in no row."""

    def names(self) -> list[str]:
        """Return the texts by their numbers."""

def required_literals(expression: str) -> list[str]:
    """Return literals of which one is in all that an expression matches; none where nothing is known."""

class LineClasses:
    """The first of many regular expressions that matches a line; see `ingest.native.line_classes`.

    Raises `ValueError` for a broken expression and for one that no text of three bytes is required by.
    """

    def __init__(self, expressions: Sequence[str], required: Sequence[Sequence[str]] = ()) -> None: ...
    def among(self, lines: list[str]) -> list[int]:
        """Return the indices of the lines that an expression matches."""

    def first_line(self, text: bytes, at: int) -> tuple[int, int] | None:
        """Return the first line from byte `at` on whose message an expression matches, as bytes from and to.

        A message begins with the line or behind a prefix.
        """

    def find(self, line: str) -> tuple[int, int, dict[str, str]] | None:
        """Return the number of the expression, the first byte of its match, and its named groups.

        A group `device_2` is a `device`: an expression has each name once.
        """

    def groups(self, number: int, line: str) -> dict[str, str]:
        """Return the named groups of one expression in a line that it matches."""

LogEntry: TypeAlias = tuple[
    str, int, int, float | None, float | None, str, bool, bool, int | None, bool, int, float | None
]
"""The values of a line of a log, in the order of the fields of `kernel_log.prefix.Entry`."""

class KernelMessages:
    """Words by which a message of the kernel is known; see `ingest.native.log_prefix`.

    Raises `ValueError` for a broken expression.
    """

    def __init__(
        self,
        classes: LineClasses,
        *,
        conditions: Sequence[tuple[int, str]],
        alarming: Sequence[int],
        device_prefix: str,
        alarm_prefix: str,
        catalogue_prefix: str,
        device: str,
        frame: str,
    ) -> None: ...
    def catalogued(self, lines: list[str]) -> list[int]:
        """Return the places of the lines that begin with a message of the catalogue."""

class PrefixForms:
    """Forms of prefixes of log lines, learned from the lines; see `ingest.native.log_prefix`."""

    def __init__(self) -> None: ...
    def read(self, lines: list[str], messages: KernelMessages) -> list[tuple[int, str]]:
        """Return the lines of a log, by their places, in one form; lines of common forms are left out."""

class LogLines:
    """Lines of a system log without their prefixes; see `ingest.native.log_lines`.

    Raises `ValueError` for a broken expression.
    """

    def __init__(self, classes: LineClasses, notable: Sequence[str]) -> None: ...
    def entries(self, lines: list[str], first_line: int) -> list[LogEntry | None]:
        """Return the entries of lines, None for forms that are not read; the first is line `first_line`."""

class Pattern:
    """One regular expression that takes time linear in the text; see `ingest.native.linear`.

    It is compiled when it is first used: every method raises `ValueError` for a broken one. What it finds has
    the item access, `groups`, `groupdict`, `start`, `end`, `span` and `string` of `re.Match`, and is typed as
    one, so that a reader can use both engines.
    """

    pattern: str
    def __init__(self, pattern: str) -> None: ...
    def match(self, text: str) -> Match[str] | None: ...
    def fullmatch(self, text: str) -> Match[str] | None: ...
    def search(self, text: str) -> Match[str] | None: ...
    def finditer(self, text: str) -> list[Match[str]]: ...
    def findall(self, text: str) -> list[Any]: ...
    def sub(self, by: str, text: str) -> str:
        """Replace every match by `by`, in which nothing is special."""

    def split(self, text: str, maxsplit: int = 0) -> list[str]: ...

class Patterns:
    """Many regular expressions (RE2 syntax, ASCII classes), matched in one pass over bytes.

    Raises `ValueError` for a broken one, naming its number.
    """

    def __init__(self, expressions: Sequence[str]) -> None: ...
    def places(self, text: bytes, start: int = 0) -> list[tuple[int, int, int]]:
        r"""Return start, end (exclusive) and pattern number of every match, in order.

        Matches begin at or after `start`; `\\b` and `^` see the bytes before it.
        Matches do not overlap; where several begin together the first pattern wins. The interpreter lock is
        released meanwhile.
        """

    def has_any(self, text: bytes) -> bool:
        """Return whether one of them matches in `text`."""

class LeakEncodings:
    """Names in all encodings in which they may have leaked; of equal encodings the first wins."""

    longest: int
    """Bytes of the longest encoding."""

    def __init__(self, names: Sequence[bytes]) -> None: ...
    def places(self, text: bytes, start: int = 0) -> list[tuple[int, int, int, str]]:
        """Return every match from byte `start` on: start, end (exclusive), number of name, encoding.

        Matches do not overlap: leftmost, then longest.
        """

class Rules:
    """Compiled rules: expressions as in `Patterns`, and whether two bytes of context on each side count.

    Shapes are numbered after the rules; a match of a shape hides no match of a rule, and yields to it.
    """

    def __init__(self, rules: Sequence[tuple[str, bool]], shapes: Sequence[tuple[str, bool]]) -> None: ...

class Vocabulary:
    """Words in lower case that are no names."""

    def __init__(self, words: list[str]) -> None: ...

class OpenTokens:
    """Distinct tokens of one text that may be names: no words of a vocabulary, no numbers, no code."""

    def __init__(self, vocabulary: Vocabulary, usual: Vocabulary | None = None) -> None:
        """Collect words of `vocabulary`, too, that are values and not in `usual`, if it is given."""

    def add(self, piece: bytes) -> None:
        """Add the next piece of the text."""

    def finish(self) -> list[tuple[bytes, int, int, bytes, bytes, int]]:
        """Return token, number, first line, up to 60 bytes before and behind it there, standing; begin anew.

        Its standing is that where it looks most like a value: 0 between words, 1 behind a mark and before
        words, 2 alone in a column, 3 alone behind a mark.
        """

class RedactionMatches:
    """Redaction matches: names found by rules and words, and their replacement."""

    def __init__(self, rules: Rules) -> None: ...
    def settle(
        self,
        words: Sequence[tuple[bytes, bool, bool, int, bytes, bytes]],
        named: list[tuple[str, int, bytes, bytes]],
        protected: Vocabulary,
        domains: Sequence[bytes],
    ) -> None:
        """Search also for words, for the encodings of names, and for names below domains; empties `named`.

        A word: bytes, is case-sensitive, is bounded, kind, replacement, pseudonym of its name.
        A name: name and number of its kind, bytes, replacement. Encodings made of `protected` words are
        dropped.
        """

    def add_replacements(self, by: Sequence[bytes]) -> None:
        """Append the replacements of further names; the first name ever has the number 0."""

    def scan(self, text: bytes) -> list[tuple[int, int, int, int, list[tuple[int, int] | None]]]:
        """Find all matches; return those without a decision: number, start, end (exclusive), rule, groups.

        A group is its start and end, None when it takes no part.

        A name below a domain has the number after the last rule.
        """

    def decide(self, answer: int, parts: Sequence[tuple[int, int, int, int]]) -> None:
        """Replace parts of match `decision` and equal ones: start, end (exclusive), kind, name.

        A name is its number. Without a decision nothing is replaced. Positions refer to the last scanned
        text.
        """

    def apply(self, text: bytes, kinds: int) -> tuple[bytes, list[int]]:
        """Return the last scanned text with names replaced, and the number of replacements by kind."""

    def used(self, kinds: int) -> list[list[bytes]]:
        """Return the different pseudonyms that have replaced something, by kind."""

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

def demangle(name: str) -> str | None:
    """Return the source name of a mangled C++ or Rust function; None for other names."""

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

def inferno_name(name: str, module: str) -> str:
    """Return the name of a function as inferno-collapse-perf has it by default, "" for none."""

class FoldedScript:
    """A counted script.

    Attributes:
        events: Events in the order of their first samples.
    """

    @property
    def events(self) -> list[str]: ...
    def write(self, event: int, by_period: bool, is_inferno: bool, take: Callable[[bytes], object]) -> bool:
        """Give `take` the stacks of one event as sorted lines, in pieces; False when periods are too large.

        Stacks are weighed by samples, or by periods where every sample states one. Once only.
        """

def fold_script(
    path: str,
    threads: int,
    max_line_bytes: int,
    read_bytes: int | None = None,
    on_read: Callable[[int], object] | None = None,
) -> FoldedScript | None:
    """Count a file of `perf script` text; None when it may hold more, or has to be cleaned first.

    0 threads are one per CPU. `on_read` hears how many bytes were read.

    Raises:
        OSError: It cannot be read.
    """

class ScriptCounter:
    """Counts `perf script` text that is fed, in threads of its own."""

    def __init__(self, threads: int, max_line_bytes: int, read_bytes: int | None = None) -> None: ...
    def feed(self, chunk: bytes) -> bool:
        """Count more; False when the text may hold more than a script."""

    def finish(self) -> FoldedScript | None:
        """Return what was counted; None as `fold_script`."""

def sums(
    values: NDArray[np.float64], groups: NDArray[np.int32], members: bytes | None, count: int, /
) -> bytes:
    """Return for each of `count` groups (f8) the sum of its values, or of those of members (a byte each)."""

def longest_runs(
    cpus: NDArray[np.int32],
    times: NDArray[np.float64],
    threads: NDArray[np.int32],
    places: NDArray[np.int32],
    factor: float,
    count: int,
    /,
) -> list[tuple[int, int, float]]:
    """Return the longest runs of samples of one CPU, thread and place: first and last sample, and seconds.

    A gap of more than `factor` median intervals ends a run; samples of the place -1 are in none. Of equal
    runs that of the lowest CPU comes first, then the earliest.
    """

class Paths:
    """The weighed nodes of a tree, for what is asked of their paths to the root.

    A class of frames is one byte per frame: 1 is in it.
    """

    def __init__(
        self,
        node_parent: NDArray[np.int32],
        node_frame: NDArray[np.int32],
        frames: int,
        node_weight: NDArray[np.float64],
    ) -> None: ...
    def below(self, classes: bytes, /) -> tuple[bytes, bytes]:
        """Return for each of eight classes, one bit per frame each, the weight of and below it (f8).

        Then three nodes (i4) for each: the heaviest of these, of equal ones the first; -1 for none.
        """

    def heaviest(self) -> bytes:
        """Return for each frame its three heaviest nodes (i4), of equal ones the first; -1 for none."""

    def entries(self, class_: bytes, resting: bytes, /) -> tuple[bytes, bytes, bytes]:
        """Return per node (i4) the frame of the outermost node of the class above it or itself, -1 for none.

        Then the weight (f8) below each frame as such an entry, and that without nodes of `resting`.
        """

    def has(self, class_: bytes, /) -> bytes:
        """Return per node (one byte) whether a frame of the class is between the root and itself."""

    def outermost(self, class_: bytes, /) -> bytes:
        """Return per node (i4) the outermost node of the class between the root and itself, -1 for none."""

def totals(node_parent: bytes, node_weight: bytes) -> bytes:
    """Return per node (f8) its own weight and that of all nodes below it."""

class Index:
    """A tree and its samples, indexed so that a query costs as much as its result is large.

    `leaf` and `callers` are classes of frames: one byte per frame, 1 is in it. `callers` are above, nearest
    first, in this order. Nodes (i4) come depth first, samples (i4) by the node they end in.
    """

    def __init__(
        self,
        node_parent: NDArray[np.int32],
        node_frame: NDArray[np.int32],
        frames: int,
        sample_node: NDArray[np.int32],
    ) -> None: ...
    def completes(self, leaf: bytes, callers: Sequence[bytes]) -> bytes:
        """Return the nodes where the path completes, the outermost of each stack."""

    def leaves(self, leaf: bytes, callers: Sequence[bytes], within: int | None) -> bytes:
        """Return the nodes of `leaf` that the first of `callers` is at most `within` frames above."""

    def outside(self, nodes: bytes, class_: bytes, /) -> bytes:
        """Return those of `nodes` that are not of the class and not below it."""

    def samples_of(self, nodes: bytes, with_below: bool) -> bytes:
        """Return the samples that end in `nodes`, or below."""

    def has(self, class_: bytes, /) -> bytes:
        """Return per node (one byte) whether a frame of the class is between the root and itself."""

    def sampled(self, nodes: bytes, /) -> bytes:
        """Return those of `nodes` that samples end in."""

class Samples:
    """Samples of an index with their weights and processes.

    `nodes` are depth first, and so are `without`, of which none is below another: what ends in them or below
    does not count. `members` are flags of samples as `members()` returns them.
    """

    def __init__(
        self,
        index: Index,
        sample_node: NDArray[np.int32],
        sample_weight: NDArray[np.float64],
        sample_thread: NDArray[np.int32],
        process_of_thread: NDArray[np.int32],
        process_count: int,
    ) -> None: ...
    def members(self, flags: bytes, /) -> bytes:
        """Return one flag per sample in the order of the index."""

    def measure(
        self, nodes: bytes, with_below: bool, without: bytes, members: bytes, /
    ) -> tuple[float, bytes, bytes, list[tuple[int, int]]]:
        """Return the weight, that by process (f8), which have samples (u1), and the heaviest nodes.

        These are at most five with weight, of equal ones the smallest number first, with their first samples.
        """

    def heaviest(
        self, nodes: bytes, with_below: bool, without: bytes, members: bytes, /
    ) -> list[list[tuple[int, int]]]:
        """Return the heaviest nodes of each process."""

class RawRows(TypedDict):
    """Rows in preorder: `depth`, `frame`, `node`, `leaf` (i4), `self_weight`, `total` (f8).

    `node` and `leaf` are nodes of the profile; only an inverted tree has `leaf`.
    """

    depth: bytes
    frame: bytes
    node: bytes
    leaf: bytes
    self_weight: bytes
    total: bytes
    pruned: int

class RawArrangedRows(RawRows):
    """Rows of an arranged tree; `joined` (i4) is how many nodes without a symbol are in a row, else 0."""

    joined: bytes

class RawChart(TypedDict):
    """Rows in preorder: also `start` (f8), `first_sample`, `last_sample` (i4), `time` (f8, NaN unknown)."""

    depth: bytes
    frame: bytes
    node: bytes
    self_weight: bytes
    total: bytes
    start: bytes
    first_sample: bytes
    last_sample: bytes
    time: bytes
    pruned: int

class RawLanes(TypedDict):
    """Lanes as (CPU or thread or -1, samples, weight, spans), and spans as columns, lane after lane."""

    lanes: list[tuple[int, int, float, int]]
    left_out: int
    start: bytes
    duration: bytes
    samples: bytes
    thread: bytes
    frame: bytes
    node: bytes
    leaf: bytes
    range: tuple[float, float]
    interval: float
    gap: float
    bin: float | None

class RawDiff(TypedDict):
    """Rows in preorder: `depth`, `name`, `node_a`, `node_b` (i4), `weight_…`, `self_…` (f8)."""

    depth: bytes
    name: bytes
    weight_a: bytes
    weight_b: bytes
    self_a: bytes
    self_b: bytes
    node_a: bytes
    node_b: bytes
    only: tuple[float, float]
    pruned: int

class RawColumns(TypedDict):
    """A view's own tree and samples: `first` node of the profile, `position` in the recording (i4)."""

    node_parent: bytes
    node_frame: bytes
    first: bytes
    position: bytes
    sample_node: bytes

class View:
    """The selected samples of a profile and the tree of their stacks, weighed.

    Nodes that enter and leave are those of the profile. A class is u1 over its frames, `ranks` i4 over them
    and needed by the order `alpha` alone. Orders are `left-heavy`, `alpha` and `time` (as first seen).
    """

    def __init__(self, columns: object, asked: object) -> None:
        """Take the columns of a `Profile`, and the selection from `ingest.native.views`."""

    @property
    def total_weight(self) -> float: ...
    @property
    def total_samples(self) -> float: ...
    @property
    def size(self) -> tuple[int, int]:
        """Nodes and samples."""

    def holds(self, node: int) -> bool:
        """Return whether a row represents this node."""

    def columns(self) -> RawColumns: ...
    def graph(
        self,
        least: float,
        root: int | None,
        keep: Sequence[int],
        order: str,
        ranks: NDArray[np.int32],
        max_rows: int,
    ) -> RawRows:
        """Return the tree without nodes lighter than `least`, except `keep`; the heaviest `max_rows`."""

    def arranged_graph(
        self,
        options: object,
        least: float,
        root: int | None,
        keep: Sequence[int],
        order: str,
        ranks: NDArray[np.int32],
        max_rows: int,
    ) -> RawArrangedRows:
        """Return the tree by command, with neighbouring frames without a symbol as one.

        `options` is an `Arrangement` of `ingest.export.arrangement`; `root` may be a command, numbered after
        the nodes of the profile.
        """

    def arranged_passing(self, options: object, root: int) -> bytes:
        """Return u1 per selected sample: it passes through the row of a node, or is of a command."""

    def inverted(
        self,
        least: float,
        root: int | None,
        row: tuple[int, int] | None,
        order: str,
        ranks: NDArray[np.int32],
        max_rows: int,
    ) -> RawRows:
        """Return the callers below each innermost frame, or one row, named by leaf and depth, and its own."""

    def chart(self, least: float, max_rows: int) -> RawChart:
        """Return one row for every uninterrupted stay in a function."""

    def by_name(self, names: NDArray[np.int32], count: int) -> tuple[bytes, bytes, bytes]:
        """Return per name what ends in it and what passes through it (f8), and whether it is there (u1).

        `names` numbers those of the frames.
        """

    def below(self, node: int) -> bytes:
        """Return u1 per node of the view: it is `node` or below it."""

    def passing(self, class_: bytes) -> float:
        """Return the weight of samples that pass through a frame of the class."""

    def sandwich(
        self, class_: bytes, least: float, order: str, ranks: NDArray[np.int32], max_rows: int
    ) -> tuple[RawRows, RawRows, int]:
        """Return callers and callees of a class from its outermost calls on, and how many of these."""

    def heat(
        self, origin_s: float, column_seconds: float, columns: int, rows: int, only: bytes | None
    ) -> bytes:
        """Return (f8) the samples in every cell, column by column; `only` is u1 per selected sample."""

    def lanes(
        self,
        by: str,
        alike: str,
        has_clock: bool,
        gap: float | None,
        ends: tuple[float, float] | None,
        width: int,
        max_lanes: int,
        max_spans: int,
    ) -> RawLanes:
        """Return runs by `cpu`, `thread` or `all`; what is `alike` in one: `thread`, `leaf` or `stack`."""

    def diff(
        self,
        after: View,
        names: tuple[NDArray[np.int32], NDArray[np.int32]],
        min_share: float,
        min_delta: float,
        order: str,
        ranks: NDArray[np.int32],
        max_rows: int,
    ) -> RawDiff:
        """Return both trees as one, joined by the names that `names` numbers; `ranks` sorts these."""

def found(expression: str, names: Sequence[str]) -> bytes:
    """Return u1 per name: the regular expression is found in it.

    Raises `ValueError` when it is none or takes too much memory.
    """

def foreign_to_perf_script(text: bytes, most: int) -> list[tuple[int, int, int, int]]:
    """Return the runs of lines that are not of `perf script`; see `ingest.native.foreign_lines`."""

def foreign_to_folded(text: bytes, most: int) -> list[tuple[int, int, int, int]]:
    """Return the runs of lines that are no folded stacks; see `ingest.native.foreign_lines`."""

def message_find(line: str) -> tuple[int, int, int, int, int] | None:
    """Return bits, number, first byte, byte behind and identity of the catalogued message that `line` is."""

def messages_find(lines: list[str]) -> list[tuple[int, int, int, int, int] | None]:
    """Return `message_find` of each line."""

def messages_count(text: bytes, least: int) -> tuple[int, int]:
    """Return how many lines of `text` are messages of `least` bits or more, and how many distinct ones."""

def message_entry(number: int) -> tuple[int, int, int, int, list[tuple[int, int, int, bool]]]:
    """Return bits, releases, levels, number of places; places: path, function, level, is it an error."""

def message_sources() -> bytes:
    """Return what the catalogue was made from, as JSON."""

def message_names(block: int) -> bytes | None:
    """Return a compressed block of names; None behind the last."""
