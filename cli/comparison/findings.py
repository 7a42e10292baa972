"""Findings that the runs of a new build have and those of the base have not, or less severely.

$ casebook diff --base base-* --new new-* --fail-on default
--fail-on 'default': new: mm/memcg-oom; worse: block/io-errors (degraded → failure)
"""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeAlias

from signatures.documents.alarm import AlarmDocument
from signatures.documents.levels import LEVELS
from signatures.judging.judge import judge
from signatures.judging.scope import items_of
from signatures.overview import run
from signatures.overview.alarm_findings import alarm_findings, in_rank
from signatures.rendering.comparison_findings import Change, MetGate
from signatures.reporting.report import finding_document

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from cli.comparison.runs import NamedRun
    from ingest.evidence import Evidence
    from signatures.documents.alarm import AnyFinding
    from signatures.language.model import Catalog
    from signatures.reporting.fail_on import FailOnPolicy

_Key: TypeAlias = tuple[str, str, str]

VERDICTS = ("suspect", "match")
"""Those that count, the weaker first."""


def findings_of(evidences: Sequence[Evidence], catalog: Catalog) -> tuple[AnyFinding, ...]:
    """Return the findings and alarms of one run as documents."""
    items = items_of(evidences)
    documents = [finding_document(one) for one in judge(items, catalog)]
    alarms = alarm_findings(run(items), documents)
    return tuple(one for one in in_rank(documents, alarms) if one.verdict in VERDICTS)


def new_or_worse(base: Iterable[AnyFinding], new: Iterable[AnyFinding]) -> list[Change]:
    """Return what the new runs have and no run of the base has, or has as bad; each once, at its worst."""
    before: dict[_Key, AnyFinding] = {}
    for document in base:
        key = _key(document)
        before[key] = max(before.get(key, document), document, key=_rank)
    found: dict[_Key, AnyFinding] = {}
    for document in new:
        key = _key(document)
        if key not in before or _rank(document) > _rank(before[key]):
            found[key] = max(found.get(key, document), document, key=_rank)
    return [Change(one, before[key].level if key in before else "") for key, one in found.items()]


def met_gates(
    gates: Iterable[FailOnPolicy], base: Iterable[NamedRun], new: Iterable[NamedRun]
) -> tuple[MetGate, ...]:
    """Return which findings of the new runs that the base has not, or less severely, meet each expression."""
    changes = new_or_worse(
        (one for run in base for one in run.findings), (one for run in new for one in run.findings)
    )
    return tuple(MetGate(gate.text, _met(gate, changes)) for gate in gates)


def _met(gate: FailOnPolicy, changes: Sequence[Change]) -> tuple[Change, ...]:
    """Return the changes that meet an expression."""
    met = {id(one) for one in gate.met_by([change.document for change in changes])}
    return tuple(change for change in changes if id(change.document) in met)


def _key(document: AnyFinding) -> _Key:
    """Return what a finding is about; hosts, processes and devices of two runs have other names."""
    return (
        document.kind,
        document.alarm if isinstance(document, AlarmDocument) else document.signature,
        document.phase,
    )


def _rank(document: AnyFinding) -> tuple[int, int]:
    return LEVELS.index(document.level), VERDICTS.index(document.verdict)
