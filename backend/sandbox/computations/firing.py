"""Matches and suspects of signatures on stored readings, with the lines that decided them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from backend.sandbox.computations.results import item_of, leave, noted_faults
from signatures.document.team_library import catalog_with_teams
from signatures.documents.alarm import FIRING
from signatures.judging.judge import judge
from signatures.judging.observation import State
from signatures.judging.observation_cache import ObservationCache
from signatures.language.model import Catalog

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from pathlib import Path

    from backend.sandbox.documents import DecidingLineDocument, FiringDocument, HuntArguments
    from signatures.judging.finding import Finding
    from signatures.judging.observe import Cache
    from signatures.judging.scope import Item

MAX_LINES = 5


def hunt(arguments: HuntArguments, output: Path, _input: int) -> None:
    """Judge some signatures on the readings of several cases.

    Leaves `result.json`: for each case what fires, and new observations; faults.
    """
    faults = noted_faults()
    wanted = set(arguments["signatures"])
    whole = catalog_with_teams(arguments["libraries"])
    chosen = Catalog(tuple(one for one in whole.signatures if one.id in wanted), whole.captures)
    results = []
    for case in arguments["cases"]:
        items = [item_of(one) for one in case["items"] if not one["is_provisional"]]
        observations = ObservationCache(case["observations"])
        found = firing(items, chosen, observations)
        results.append({"firing": found, "observations": observations.added()})
    leave({"cases": results, "faults": faults}, output)


def firing(items: Sequence[Item], catalog: Catalog, cache: Cache) -> list[FiringDocument]:
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
