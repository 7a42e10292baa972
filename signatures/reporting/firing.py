"""Matches and suspects of signatures on readings, with the lines that decided them."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypedDict

from signatures.documents.alarm import FIRING
from signatures.judging.judge import judge
from signatures.judging.observation import State

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from signatures.judging.finding import Finding
    from signatures.judging.observe import Cache
    from signatures.judging.scope import Item
    from signatures.language.model import Catalog

MAX_LINES = 5


class DecidingLineDocument(TypedDict):
    """A required condition that is met, and lines of evidence; none where no line shows it."""

    condition: str
    evidence_id: str | None
    path: str
    first_line: int | None
    last_line: int | None


class FiringDocument(TypedDict):
    """A match or suspect, and what decided it."""

    signature: str
    title: str
    host: str
    phase: str
    verdict: str
    lines: list[DecidingLineDocument]


def firing(items: Sequence[Item], catalog: Catalog, cache: Cache | None = None) -> list[FiringDocument]:
    """Return the matches and suspects of a catalog."""
    paths = {(item.evidence, item.section): item.captured_path for item in items}
    return [
        {
            "signature": one.signature.id,
            "title": one.title,
            "host": one.host,
            "phase": one.phase,
            "verdict": one.verdict,
            "lines": list(_lines(one, paths))[:MAX_LINES],
        }
        for one in judge(items, catalog, cache=cache)
        if one.verdict in FIRING
    ]


def _lines(finding: Finding, paths: dict[tuple[str, int], str]) -> Iterator[DecidingLineDocument]:
    """Yield the required conditions that are met, each with its first lines."""
    for state in finding.clauses:
        if state.state is not State.TRUE or state.clause.role != "core":
            continue
        title = state.clause.title or state.clause.id.replace("_", " ")
        cited = next(iter(state.outcome.citations), None)
        if cited is None:
            yield {
                "condition": title,
                "evidence_id": None,
                "path": "",
                "first_line": None,
                "last_line": None,
            }
            continue
        evidence, section, place = cited
        yield {
            "condition": title,
            "evidence_id": evidence,
            "path": paths.get((evidence, section), ""),
            "first_line": place.first_line,
            "last_line": place.last_line,
        }
