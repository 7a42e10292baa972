"""Computations on the stored readings of a case: its analysis, and one wait graph as a file."""

from __future__ import annotations

from dataclasses import replace
from functools import cache
from typing import TYPE_CHECKING

from backend.sandbox.computations.results import item_of, leave, noted_faults
from backend.sandbox.fork_server import FINDINGS
from ingest.export.heaviest import heaviest
from signatures.case_analysis import CaseItem, judge_case, screen_case
from signatures.document.catalog import load_catalog
from signatures.document.team_library import catalog_of_teams, catalog_with_teams
from signatures.documents.case import Judgement
from signatures.documents.codec import from_document, to_document
from signatures.documents.finding_text import findings_text, telling
from signatures.judging import observation_versions
from signatures.judging.observation_cache import ObservationCache
from signatures.judging.scope import items_of, scopes_of
from signatures.reporting.firing import firing
from signatures.waits import graph_of
from signatures.waits.mermaid import mermaid_lines
from signatures.waits.svg import picture
from signatures.waits.text import text_lines

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from pathlib import Path

    from backend.sandbox.documents import AnalysisArguments, ReadingDocument, WaitGraphArguments
    from ingest.evidence import Evidence
    from ingest.export.heaviest import Weighed
    from signatures.waits.model import WaitGraph

catalog = cache(load_catalog)


def warm_up(evidences: Iterable[Evidence]) -> None:
    """Analyse `evidences` once: the catalog, patterns and shared texts of all analyses stay in memory."""
    observation_versions.current()
    rows = [CaseItem(item) for item in items_of(tuple(evidences))]
    judgement = judge_case(rows, catalog(), ObservationCache())
    findings_text(judgement.findings)
    screen_case(rows, judgement.findings, judgement.next_captures)


def analyse(arguments: AnalysisArguments, output: Path, _input: int) -> None:
    """Judge the readings of `arguments["items"]`, unless a `judgement` is given, and compute the screen.

    Leaves `findings.json`, the text of all findings, and `result.json`: judgement with the telling findings
    (null when one was given), screen, new observations, faults, the heaviest functions of `profiles`, and for
    each library in shadow what fires.
    """
    faults = noted_faults()
    rows = [_row(item) for item in arguments["items"]]
    observations = ObservationCache(arguments["observations"])
    given = arguments["judgement"]
    libraries = arguments["libraries"]
    whole = catalog_with_teams(libraries) if libraries else catalog()
    judgement = from_document(Judgement, given) if given else judge_case(rows, whole, observations)
    certain = [row.item for row in rows if not row.is_provisional]
    shadow = [] if given else [catalog_of_teams([one]) for one in arguments["shadow"]]
    if not given:
        text = findings_text(judgement.findings)
        (output / FINDINGS).write_text(text, encoding="ascii")
    told = replace(judgement, findings=telling(judgement.findings))
    result = {
        "judgement": None if given else to_document(told),
        "screen": to_document(screen_case(rows, judgement.findings, judgement.next_captures)),
        "shadow": [firing(certain, one, observations) for one in shadow],
        "observations": observations.added(),
        "weighed": [_weighed(rows, **place) for place in arguments["profiles"]],
        "faults": faults,
    }
    leave(result, output)


def draw_wait_graph(arguments: WaitGraphArguments, output: Path, _input: int) -> None:
    """Draw the wait graph of a host and phase as `svg`, `mermaid` or `text`; null without tasks."""
    host, phase = arguments["host"], arguments["phase"]
    scopes = scopes_of([item_of(item) for item in arguments["items"]])
    scope = next((one for one in scopes if (one.host, one.phase) == (host, phase)), None)
    graph = graph_of(scope.items) if scope is not None else None
    leave(_drawn(graph, host, arguments["shape"]) if graph is not None and graph.tasks else None, output)


def _drawn(graph: WaitGraph, host: str, shape: str) -> str:
    if shape == "svg":
        return picture(graph, host)
    if shape == "mermaid":
        return "\n".join(mermaid_lines(graph)) + "\n"
    return "\n".join(line.text for line in text_lines(graph, with_all=True)) + "\n"


def _weighed(rows: Sequence[CaseItem], item: int, ordinal: int) -> list[Weighed]:
    """Return the heaviest functions of a profile of an item."""
    return heaviest(rows[item].item.reading.profiles[ordinal])


def _row(given: ReadingDocument) -> CaseItem:
    return CaseItem(item_of(given), given["is_provisional"])
