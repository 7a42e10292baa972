"""Counters of drops, and what each is a share of: rows of `rules/network-drops.yaml`."""

from __future__ import annotations

from functools import cache
from math import inf
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from ingest.tables import table

if TYPE_CHECKING:
    from signatures.overview.first_steps import Topic

_TABLE = Path(__file__).parent / "rules" / "network-drops.yaml"


class Drop(NamedTuple):
    """A counter of drops of the whole machine.

    Attributes:
        base: Counters whose sum it is a part of.
        meaning: Completes "N % of …".
        above: The share from which it is an alarm.
        least: Fewer say nothing, whatever their share.
        alone: So many say something without the base; infinite where they never do.
        unless: A counter that counts the same as well; "" for none.
        topic: What its statements are about.
    """

    counter: str
    base: tuple[str, ...]
    meaning: str
    above: float
    least: float
    alone: float
    unless: str
    topic: Topic


@cache
def drops() -> tuple[Drop, ...]:
    """Return the counters in the order of their rules."""
    panel = table(_TABLE)
    rows = [row for row in panel["rules"]["network"] if _is_of_file(row)]
    alone = {row["fact"]: float(row["needs"]["number"]) for row in rows if row.get("is_unbased")}
    least = float(panel["defaults"]["thresholds"][0]["least"]["number"])
    return tuple(
        Drop(
            row["fact"],
            tuple([facts] if isinstance(facts := row["base"]["facts"], str) else facts),
            row["figure"],
            float(row["above"]),
            least,
            alone.get(row["fact"], inf),
            row.get("unless", {}).get("fact", ""),
            row.get("topic", ""),
        )
        for row in rows
        if not row.get("is_unbased")
    )


def _is_of_file(row: Any) -> bool:
    base = row.get("base")
    return isinstance(base, dict) and base.get("match") == "file"
