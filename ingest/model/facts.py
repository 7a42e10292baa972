"""A fact: a named, typed value with unit and labels, and the lines that say so."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, TypeAlias

if TYPE_CHECKING:
    from collections.abc import Mapping

    from ingest.model.citation import Lines

FactValue: TypeAlias = "float | str | bool"


@dataclass(frozen=True, slots=True)
class Fact:
    """One observed value.

    Attributes:
        name: Dotted lower case, the unit last: `memcg.usage_bytes`, `kernel.release`.
        value: A number, a text or a truth; numbers are always float.
        lines: Where it was read.
        unit: `bytes`, `seconds`, `share` (0..1), `count`, `per_second`, `kib`… or "" for texts.
        labels: The entity: `cgroup`, `pid`, `tid`, `comm`, `cpu`, `node`, `call`, `device`.
        snapshot: Ordinal of the snapshot inside one section, 0 first; rates join two.
        at: Seconds on the evidence's own clock, when the text states a time; else None.
    """

    name: str
    value: FactValue
    lines: Lines
    unit: str = ""
    labels: Mapping[str, str] = field(default_factory=dict)
    snapshot: int = 0
    at: float | None = None
