"""Verdicts of a case that became others, of those that people see."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple, TypedDict

if TYPE_CHECKING:
    from collections.abc import Mapping

MATCH, SUSPECT = "match", "suspect"
SHOWN = frozenset({MATCH, SUSPECT})
"""Verdicts that say something; a change between the others is none to people."""


class Judged(NamedTuple):
    """A verdict and the title of its signature."""

    verdict: str
    title: str


class Place(NamedTuple):
    """What a verdict is about."""

    host: str
    phase: str
    signature: str


class VerdictChange(TypedDict):
    """A verdict that became another; null where people see none."""

    host: str
    phase: str
    signature: str
    title: str
    before: str | None
    after: str | None


def differences(before: Mapping[Place, Judged], after: Mapping[Place, Judged]) -> list[VerdictChange]:
    """Return the verdicts that became another, by place; null where nothing was seen."""
    found: list[VerdictChange] = []
    for place in sorted(before.keys() | after.keys()):
        was, now = before.get(place), after.get(place)
        if (was and was.verdict) != (now and now.verdict):
            title = (now or was or Judged("", "")).title
            found.append(
                {
                    "host": place.host,
                    "phase": place.phase,
                    "signature": place.signature,
                    "title": title,
                    "before": was and was.verdict,
                    "after": now and now.verdict,
                }
            )
    return found
