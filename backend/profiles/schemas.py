"""What the profile endpoints give."""

from __future__ import annotations

from uuid import UUID

from pydantic import BaseModel


class ProfileRead(BaseModel):
    """One event's weighted call stacks and where they were read."""

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


class GraphRead(BaseModel):
    """Stack nodes in preorder, as columns of one length.

    `frame` indexes `names` and `kinds`; `node` is the id that citations name and `subtree` takes;
    `self` and `total` are in `unit`. `pruned_nodes` were below `min_share` and are in their parents' totals.
    """

    profile_id: UUID
    event: str
    unit: str
    total_weight: float
    total_samples: float
    names: list[str]
    kinds: list[str]
    depth: list[int]
    frame: list[int]
    self: list[float]
    node: list[int]
    total: list[float]
    pruned_nodes: int


class NodeLines(BaseModel):
    """Exemplar lines of one stack node in the raw evidence."""

    evidence_id: UUID
    node: int
    first_line: int
    lines: list[int]


class Speedscope(BaseModel):
    """A profile in speedscope's own file format, explicit weights and unit."""

    model_config = {"extra": "allow"}
