"""Computations on the stored readings of a case: its analysis, and one wait graph as a file."""

from __future__ import annotations

from dataclasses import fields
from functools import cache
from typing import TYPE_CHECKING, Any

from backend.sandbox.computations.results import item_of, leave, noted_faults
from signatures.case_analysis import CaseItem, CaseScreen, Judgement, judge_case, screen_case
from signatures.document.catalog import load_catalog
from signatures.judging import observation_versions
from signatures.judging.observation_cache import ObservationCache
from signatures.judging.scope import items_of, scopes_of
from signatures.waits import graph_of
from signatures.waits.mermaid import mermaid_lines
from signatures.waits.svg import picture
from signatures.waits.text import text_lines

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path

    from ingest.evidence import Evidence
    from signatures.waits.model import WaitGraph

catalog = cache(load_catalog)


def warm_up(evidences: Iterable[Evidence]) -> None:
    """Analyse `evidences` once: the catalog and the patterns of all analyses stay in memory."""
    observation_versions.current()
    rows = [CaseItem(item) for item in items_of(tuple(evidences))]
    judgement = judge_case(rows, catalog(), ObservationCache())
    screen_case(rows, judgement.findings, judgement.next_captures)


def analyse(arguments: dict[str, Any], output: Path, _input: int) -> None:
    """Judge the readings of `arguments["items"]`, unless `findings` are given, and compute the screen.

    Leaves `result.json`: judgement (null when findings were given), screen, new observations, faults.
    """
    faults = noted_faults()
    rows = [_row(item) for item in arguments["items"]]
    observations = ObservationCache(arguments["observations"])
    judgement = None
    findings, captures = arguments["findings"], arguments["next_captures"]
    if findings is None:
        judgement = judge_case(rows, catalog(), observations)
        findings, captures = judgement.findings, judgement.next_captures
    result = {
        "judgement": judgement and _values(judgement),
        "screen": _values(screen_case(rows, findings, captures)),
        "observations": observations.added(),
        "faults": faults,
    }
    leave(result, output)


def draw_wait_graph(arguments: dict[str, Any], output: Path, _input: int) -> None:
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


def _values(result: Judgement | CaseScreen) -> dict[str, Any]:
    """Return the documents by field; they are JSON values, so nothing is copied."""
    return {field.name: getattr(result, field.name) for field in fields(result)}


def _row(given: dict[str, Any]) -> CaseItem:
    return CaseItem(item_of(given), given["is_provisional"])
