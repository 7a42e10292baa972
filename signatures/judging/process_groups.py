"""The memory cgroup of a process, as the evidence states it."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from signatures.judging.fact_index import ScopeFacts

_DELETED = " (deleted)"


def group_of(process: str, facts: ScopeFacts) -> str:
    """Return the cgroup that the memory of a process is charged to, "" when unknown.

    `/` is the view from inside a cgroup namespace and does not name the cgroup.
    """
    stated: dict[bool, set[str]] = {True: set(), False: set()}
    for fact in facts.of("process.cgroup", process):
        hierarchy = dict(fact.labels).get("hierarchy", "unified").split(",")
        if "memory" in hierarchy or hierarchy == ["unified"]:
            stated["memory" in hierarchy].add(str(fact.value).removesuffix(_DELETED))
    found = stated[True] or stated[False]
    own_group = found.pop() if len(found) == 1 else ""
    return "" if own_group == "/" or own_group.startswith("/..") else own_group
