"""All that is computed of the readings of a case: findings, alarms, first screen, panels, waits, comparisons.

    analysis = analyse_case(items, catalog, observations)
    analysis.findings, analysis.screen["headline"]["text"]

The results are JSON values, because they are computed in a limited child and stored with the case.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from itertools import pairwise
from typing import TYPE_CHECKING, Any, NamedTuple

from signatures.faults import reported
from signatures.judging.judge import judge
from signatures.judging.scope import scopes_of
from signatures.overview import run
from signatures.overview.alarm_findings import alarm_findings
from signatures.overview.contrast.comparability import comparison
from signatures.overview.first_screen import overview_of
from signatures.overview.report import panel_document
from signatures.overview.screen_document import headline_document, overview_document
from signatures.reporting.finding_order import VERDICT_RANK, place_of
from signatures.reporting.next_captures import next_captures
from signatures.reporting.report import finding_document, next_document
from signatures.waits import graph_of
from signatures.waits.document import graph_document

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from signatures.judging.finding import Finding
    from signatures.judging.observe import Cache
    from signatures.judging.scope import Item, Scope
    from signatures.language.model import Catalog
    from signatures.overview import Panel
    from signatures.overview.first_screen import Overview

Document = dict[str, Any]

PHASES = ("before", "during", "after")


class CaseItem(NamedTuple):
    """A reading of a case; a provisional one is of the first part of a file that is still being read."""

    item: Item
    is_provisional: bool = False


@dataclass(frozen=True, slots=True)
class Judgement:
    """Verdicts over all readings of a case.

    Attributes:
        findings: The document of every signature, host and phase; `is_provisional` where it rests on a
            provisional reading.
        next_captures: What to collect next.
    """

    findings: list[Document]
    next_captures: list[Document]


@dataclass(frozen=True, slots=True)
class CaseScreen:
    """What the pages of a case show beside its findings.

    Attributes:
        headline: The first sentence as lists show it; {} without evidence that is read.
        alarms: Documents of alarms.
        overview: The first screen.
        panels: The system-wide analyses.
        waits: Wait graphs of the hosts and phases whose evidence shows tasks.
        comparisons: Whether the recordings of two phases of a host compare.
    """

    headline: Document = field(default_factory=dict)
    alarms: list[Document] = field(default_factory=list)
    overview: Document = field(default_factory=dict)
    panels: list[Document] = field(default_factory=list)
    waits: list[Document] = field(default_factory=list)
    comparisons: list[Document] = field(default_factory=list)


def judge_case(rows: Sequence[CaseItem], catalog: Catalog, observations: Cache) -> Judgement:
    """Judge every signature; verdicts that rest on provisional readings are marked."""
    whole = [row.item for row in rows if not row.is_provisional]
    certain = judge(whole, catalog, cache=observations)
    findings = (
        certain if len(whole) == len(rows) else judge([row.item for row in rows], catalog, cache=observations)
    )
    certain_by_scope = {_scope(finding): finding for finding in certain}
    documents = []
    for finding in findings:
        sure = certain_by_scope.get(_scope(finding))
        # A verdict that also holds without the provisional reading stays, and is not provisional.
        is_sure = sure is not None and (sure.verdict in VERDICT_RANK or sure.verdict == finding.verdict)
        shown = sure if is_sure and sure is not None else finding
        documents.append(
            finding_document(shown) | {"is_listed": shown.is_listed, "is_provisional": not is_sure}
        )
    return Judgement(documents, next_document(next_captures(findings)))


def screen_case(
    rows: Sequence[CaseItem], findings: Sequence[Document], captures: Sequence[Mapping[str, Any]]
) -> CaseScreen:
    """Return what the pages of a case show beside its findings.

    Args:
        rows: Its readings.
        findings: Documents of all signatures; provisional ones do not count.
        captures: Its next captures.
    """
    items = [row.item for row in rows]
    whole = [row.item for row in rows if not row.is_provisional]
    certain = sorted((one for one in findings if not one.get("is_provisional")), key=place_of)
    commands = [str(row["run"]) for row in captures]
    shown = _screen_of(items, certain, commands)
    settled = shown if len(whole) == len(items) else _screen_of(whole, certain, commands)
    scopes = scopes_of(items)
    return CaseScreen(
        headline=settled.headline if whole else {},
        alarms=settled.alarms if whole else [],
        overview=overview_document(shown.overview, shown.headline["severity"]),
        panels=[panel_document(panel) for panel in shown.panels],
        waits=[document for scope in scopes for document in _waits(scope)],
        comparisons=_comparisons(scopes),
    )


def _scope(finding: Finding) -> tuple[str, str, str]:
    return finding.host, finding.phase, finding.signature.id


class _Screen(NamedTuple):
    """Panels of some readings, and what is made of them."""

    panels: list[Panel]
    overview: Overview
    headline: Document
    alarms: list[Document]


def _screen_of(items: Sequence[Item], findings: Sequence[Document], commands: Sequence[str]) -> _Screen:
    panels = run(items)
    alarms = alarm_findings(panels, findings)
    overview = overview_of(panels, findings, commands, {item.format for item in items})
    return _Screen(panels, overview, headline_document(overview, findings, alarms), alarms)


def _waits(scope: Scope) -> list[Document]:
    """Return the wait graph of a scope; one that fails is reported and left out."""
    try:
        graph = graph_of(scope.items)
        return [graph_document(graph, scope.host, scope.phase)] if graph.tasks else []
    except Exception as error:  # noqa: BLE001 - a bug in one graph must not take the case
        reported("wait graph", error)
        return []


def _comparisons(scopes: Sequence[Scope]) -> list[Document]:
    """Return for each host and pair of neighbouring phases whether their recordings compare."""
    by_host: dict[str, dict[str, Sequence[Item]]] = {}
    for scope in scopes:
        by_host.setdefault(scope.host, {})[scope.phase] = scope.items
    used = [phase for phase in PHASES if any(phase in phases for phases in by_host.values())]
    found = []
    for sick, since in pairwise(used):
        for host, phases in by_host.items():
            if sick in phases and since in phases:
                compared = comparison(phases[sick], phases[since])
                found.append(
                    {
                        "host": host,
                        "sick": sick,
                        "since": since,
                        "differs": bool(compared.differences),
                        "words": compared.words,
                    }
                )
    return found
