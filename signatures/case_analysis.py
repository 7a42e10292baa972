"""All that is computed of the readings of a case: findings, alarms, first screen, panels, waits, comparisons.

    judgement = judge_case(rows, catalog, observations)
    screen_case(rows, judgement.findings, judgement.next_captures).overview.headline.text

The results are wire values: a limited child computes them, and they are stored with the case.
"""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING, NamedTuple

from signatures.documents.case import CaseScreen, Judgement
from signatures.documents.comparison import ComparisonDocument
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
from signatures.reporting.report import finding_document, next_documents
from signatures.waits import graph_of
from signatures.waits.document import graph_document

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from signatures.documents.alarm import AlarmDocument
    from signatures.documents.capture import NextCaptureDocument
    from signatures.documents.finding import FindingDocument
    from signatures.documents.overview import CaseHeadlineDocument
    from signatures.documents.waits import WaitGraphDocument
    from signatures.judging.finding import Finding
    from signatures.judging.observe import Cache
    from signatures.judging.scope import Item, Scope
    from signatures.language.model import Catalog
    from signatures.overview import Panel
    from signatures.overview.first_screen import Overview

PHASES = ("before", "during", "after")


class CaseItem(NamedTuple):
    """A reading of a case; a provisional one is of the first part of a file that is still being read."""

    item: Item
    is_provisional: bool = False


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
        documents.append(finding_document(shown, is_provisional=not is_sure))
    return Judgement(tuple(documents), next_documents(next_captures(findings)))


def screen_case(
    rows: Sequence[CaseItem], findings: Sequence[FindingDocument], captures: Sequence[NextCaptureDocument]
) -> CaseScreen:
    """Return what the pages of a case show beside its findings.

    Args:
        rows: Its readings.
        findings: Documents of all signatures; provisional ones do not count.
        captures: Its next captures.
    """
    items = [row.item for row in rows]
    whole = [row.item for row in rows if not row.is_provisional]
    certain = sorted((one for one in findings if not one.is_provisional), key=place_of)
    commands = [row.run for row in captures]
    shown = _screen_of(items, certain, commands)
    settled = shown if len(whole) == len(items) else _screen_of(whole, certain, commands)
    scopes = scopes_of(items)
    return CaseScreen(
        headline=settled.headline if whole else None,
        alarms=tuple(settled.alarms) if whole else (),
        overview=overview_document(shown.overview, shown.headline.severity),
        panels=tuple(map(panel_document, shown.panels)),
        waits=tuple(document for scope in scopes for document in _waits(scope)),
        comparisons=tuple(_comparisons(scopes)),
    )


def _scope(finding: Finding) -> tuple[str, str, str]:
    return finding.host, finding.phase, finding.signature.id


class _Screen(NamedTuple):
    """Panels of some readings, and what is made of them."""

    panels: list[Panel]
    overview: Overview
    headline: CaseHeadlineDocument
    alarms: list[AlarmDocument]


def _screen_of(
    items: Sequence[Item], findings: Sequence[FindingDocument], commands: Sequence[str]
) -> _Screen:
    panels = run(items)
    alarms = alarm_findings(panels, findings)
    overview = overview_of(panels, findings, commands, {item.format for item in items})
    return _Screen(panels, overview, headline_document(overview, findings, alarms), alarms)


def _waits(scope: Scope) -> list[WaitGraphDocument]:
    """Return the wait graph of a scope; one that fails is reported and left out."""
    try:
        graph = graph_of(scope.items)
        return [graph_document(graph, scope.host, scope.phase)] if graph.tasks else []
    except Exception as error:  # noqa: BLE001 - a bug in one graph must not take the case
        reported("wait graph", error)
        return []


def _comparisons(scopes: Sequence[Scope]) -> Iterator[ComparisonDocument]:
    """Yield for each host and pair of neighbouring phases whether their recordings compare."""
    by_host: dict[str, dict[str, Sequence[Item]]] = {}
    for scope in scopes:
        by_host.setdefault(scope.host, {})[scope.phase] = scope.items
    used = [phase for phase in PHASES if any(phase in phases for phases in by_host.values())]
    for sick, since in pairwise(used):
        for host, phases in by_host.items():
            if sick in phases and since in phases:
                compared = comparison(phases[sick], phases[since])
                yield ComparisonDocument(
                    host=host,
                    sick=sick,
                    since=since,
                    differs=bool(compared.differences),
                    words=compared.words,
                )
