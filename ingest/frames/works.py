"""What the work of a kernel worker is for, by its function and workqueue.

purpose_of("dbs_work_handler", "events")  ->  "sets the frequency of CPUs for a cpufreq governor"

The rows stand in `works.yaml`.
"""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, NamedTuple

from ingest.tables import files, table

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence


class _Work(NamedTuple):
    does: str
    queues: frozenset[str]


def purpose_of(function: str, queue: str) -> str:
    """Return what a work is for, "" where that is unknown."""
    return next((one.does for one in _works().get(function, ()) if not one.queues or queue in one.queues), "")


@cache
def _works() -> Mapping[str, Sequence[_Work]]:
    found: dict[str, list[_Work]] = {}
    for row in table(files(__package__) / "works.yaml")["works"]:
        found.setdefault(row["work"], []).append(_Work(row["does"], frozenset(row.get("of", ()))))
    return found
