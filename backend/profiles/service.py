"""Profile queries: the questions that endpoints ask about profiles, and the selections of their queries."""

from __future__ import annotations

from dataclasses import asdict, dataclass, replace
from typing import TYPE_CHECKING, Any

from backend.core.errors import InvalidRequestError

if TYPE_CHECKING:
    from backend.profiles.views import ProfileHandle
    from ingest.export import columns
    from ingest.model.selection import Selection

MAX_KEEP_NODES = 20_000


@dataclass(frozen=True, slots=True)
class Tree:
    """Selected part and order of a call tree.

    Attributes:
        min_share: Nodes below this share of the selection are pruned, except `keep`.
        root: The node to start below; None for all. In an inverted tree the end node of a stack of the row.
        depth: Depth of the first row of an inverted subtree; None for none.
        keep: Nodes never pruned, with their ancestors.
        is_compact: Fewer bytes for many rows.
        is_by_command: Commands as the first level, numbered after the nodes of the profile; not for inverted
            or chronological trees.
        joins_nameless: Of a tree by command: neighbouring frames of user space without a symbol are one row.
    """

    min_share: float = 0.001
    root: int | None = None
    depth: int | None = None
    keep: tuple[int, ...] = ()
    order: columns.Order = "left-heavy"
    is_inverted: bool = False
    is_compact: bool = False
    is_by_command: bool = False
    joins_nameless: bool = False


def node_list(text: str) -> tuple[int, ...]:
    """Return the nodes of a comma-separated list.

    Raises:
        InvalidRequestError: It is malformed or too long.
    """
    parts = [part.strip() for part in text.split(",") if part.strip()]
    if len(parts) > MAX_KEEP_NODES:
        raise InvalidRequestError(f"keep takes at most {MAX_KEEP_NODES:,} nodes")
    if not all(part.isascii() and part.isdecimal() for part in parts):
        raise InvalidRequestError("keep takes comma-separated node numbers: 3,17,204")
    return tuple(sorted({int(part) for part in parts}))


def graph(handle: ProfileHandle, selection: Selection, tree: Tree) -> bytes:
    """Return the call tree of a selection.

    Raises:
        NotFoundError: The profile has no such node, or the selection has no such row.
    """
    return handle.ask("graph", selection, tree=asdict(tree))


def diff(
    handle: ProfileHandle,
    base: ProfileHandle,
    selection: Selection,
    base_selection: Selection,
    **options: Any,
) -> bytes:
    """Return the diff tree of two selections; `base` is a, the other b."""
    return handle.ask(
        "diff",
        selection,
        what="the difference",
        base=base,
        base_selection=asdict(base_selection),
        options=options,
    )


def of_base(
    selection: Selection,
    t0: float | None,
    t1: float | None,
    from_sample: int | None,
    to_sample: int | None,
) -> Selection:
    """Return the selection of the base: as the query, with its own ranges."""
    return replace(selection, t0=t0, t1=t1, from_sample=from_sample, to_sample=to_sample)
