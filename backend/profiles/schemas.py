"""Response schemas of the profile endpoints."""

from __future__ import annotations

from typing import Annotated
from uuid import UUID

from pydantic import BaseModel, Field


class ProfileRead(BaseModel):
    """Weighted call stacks of one event, and where they were read."""

    id: UUID
    case_id: UUID
    evidence_id: UUID
    evidence_name: str
    section: int
    event: str
    unit: str
    what: str
    samples: float
    weight: float
    nodes: int
    is_ordered: bool
    has_weights: bool
    has_time: bool
    has_cpu: bool
    from_s: float | None
    to_s: float | None


class Remark(BaseModel):
    """One quality remark on a recording with its line."""

    name: str
    detail: str
    line: int


class Whole(BaseModel):
    """Summary of a whole recording, independent of the selection.

    Shares are of the whole weight: idle, ending in an unnamed function, without stack.
    """

    event: str
    unit: str
    what: str
    has_weights: bool
    is_ordered: bool
    has_time: bool
    has_cpu: bool
    weight: float
    samples: float
    from_s: float | None
    to_s: float | None
    duration_s: float | None
    idle_share: float
    unknown_share: float
    no_stack_share: float
    quality: list[Remark]


class Answer(BaseModel):
    """Common fields of every response about a selection; `total_weight` of `unit` is 100 %."""

    profile_id: UUID
    event: str
    unit: str
    total_weight: float
    total_samples: float
    whole: Whole


class Columns(BaseModel):
    """Stack nodes in preorder, as columns of one length.

    `frame` indexes `names` and `kinds`; `node` is the id that citations name and `subtree` takes;
    `self` and `total` are in `unit`. `pruned_nodes` were below `min_share` and are included in their parents'
    totals.
    """

    names: list[str]
    kinds: list[str]
    depth: list[int]
    frame: list[int]
    self: list[float]
    node: list[int]
    total: list[float]
    pruned_nodes: int


class GraphRead(Answer, Columns):
    """The call tree of a selection.

    Inverted rows name a `leaf`, the end node of one of their stacks. Rows in chronological order `start`
    after so much weight, at `start_s` seconds from the first sample, and hold samples `first_sample` to
    `last_sample`. A compact answer has an empty `total`: `node` is the difference to the row before, `self`
    and `rest` (what was left out right below) are multiples of `step`. By command, the outermost rows are
    commands, numbered after the nodes; `joined` is how many nodes a row without symbols stands for.
    """

    leaf: list[int] | None = None
    joined: list[int] | None = None
    start: list[float] | None = None
    start_s: list[float | None] | None = None
    first_sample: list[int] | None = None
    last_sample: list[int] | None = None
    compact: bool = False
    step: float | None = None
    rest: list[float] | None = None


class Weighed(BaseModel):
    """A part of a recording."""

    samples: float
    weight: float


class CpuRead(Weighed):
    """One CPU; -1 where not stated."""

    cpu: int


class CommRead(Weighed):
    """All threads of one name."""

    comm: str


class ThreadName(BaseModel):
    """A thread; -1 where not printed."""

    comm: str
    pid: int
    tid: int


class ThreadRead(ThreadName, Weighed):
    """One thread."""


class Overview(BaseModel):
    """Summary of a recording, its CPUs by number and threads by weight; the heaviest 500 of each."""

    profile_id: UUID
    whole: Whole
    cpus: list[CpuRead]
    comms: list[CommRead]
    threads: list[ThreadRead]
    comm_count: int
    thread_count: int


class FunctionRead(BaseModel):
    """All frames of one name; a sample counts once, however often the name occurs in its stack."""

    name: str
    module: str
    kind: str
    self: float
    total: float
    self_share: float
    total_share: float


class MatchedFunctions(BaseModel):
    """Number of names found, and the weight of samples passing through any of them."""

    names: int
    weight: float
    share: float


class TableRead(Answer):
    """A page of functions by name; `count` is the total."""

    count: int
    offset: int
    items: list[FunctionRead]
    matched: MatchedFunctions | None


class SandwichRead(Answer, FunctionRead):
    """Callers and callees of the functions of one name, whose `nodes` outermost calls come first."""

    nodes: int
    callers: Columns
    callees: Columns


class DiffRead(BaseModel):
    """Diff tree of two selections: `a` is the base, `b` this profile; a node is -1 on the side without it.

    `delta` is the share of b less the share of a.
    """

    profile_id: UUID
    base_id: UUID
    event: str
    base_event: str
    unit: str
    base_unit: str
    total_a: float
    total_b: float
    samples_a: float
    samples_b: float
    names: list[str]
    kinds: list[str]
    depth: list[int]
    frame: list[int]
    weight_a: list[float]
    weight_b: list[float]
    self_a: list[float]
    self_b: list[float]
    delta: list[float]
    node_a: list[int]
    node_b: list[int]
    only_a_share: float
    only_b_share: float
    pruned_nodes: int
    whole: Whole
    base_whole: Whole


class HeatRead(Answer):
    """Heat map, by column; begins at `from_s` of the clock; `part` of `counts` passes the requested node."""

    columns: int
    rows: int
    column_seconds: float
    row_seconds: float
    from_s: float
    duration_s: float
    counts: list[float]
    part: list[float] | None = None
    max: float
    samples: float


class LaneRead(Weighed):
    """One lane and its number of spans; `thread` indexes `threads`, -1 for none."""

    label: str
    cpu: int
    thread: int
    spans: int


class LanesRead(Answer):
    """Spans as columns of one length, lane after lane; `axis` is `seconds` or `samples`.

    `frame` is the innermost function that all samples of a span are in, `leaf` where most of them end; both
    index `names`. `bin` is set when there were too many spans: then the thread with most samples stands.
    """

    by: str
    axis: str
    from_: Annotated[float, Field(alias="from")]
    to: float
    interval: float
    gap: float
    bin: float | None
    names: list[str]
    kinds: list[str]
    threads: list[ThreadName]
    lanes: list[LaneRead]
    start: list[float]
    duration: list[float]
    samples: list[int]
    thread: list[int]
    frame: list[int]
    leaf: list[int]
    node: list[int]
    left_out_lanes: int


class NodeLines(BaseModel):
    """Exemplar lines of one stack node in the raw evidence."""

    evidence_id: UUID
    node: int
    first_line: int
    lines: list[int]


class Speedscope(BaseModel):
    """A profile in the file format of speedscope, with explicit weights and unit."""

    model_config = {"extra": "allow"}


class FirefoxProfile(BaseModel):
    """A profile in the processed format of the Firefox Profiler."""

    model_config = {"extra": "allow"}
