"""Hosts of a case: their evidence, findings, and differences between them.

Only evidence of the phase "during" counts; `backend.findings.phases` compares phases.
"""

from __future__ import annotations

import math
from collections import defaultdict
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, NamedTuple

from sqlalchemy import func, select

from backend.cases.stored_findings import LISTED
from backend.core.errors import UnsupportedQueryError
from backend.findings import report
from backend.findings.schemas_hosts import (
    BootRead,
    CellRead,
    ContrastRead,
    DifferenceRead,
    HostRead,
    HostsRead,
    MatrixRow,
    OutlierRead,
    Value,
)
from backend.models.evidence import Evidence
from backend.models.fact import Fact as FactRow
from backend.models.host import Host
from backend.models.section import Section
from backend.models.standing import standing
from ingest import fact_catalogue
from ingest.model.citation import Lines
from ingest.model.facts import Fact
from signatures.documents.citation import Place
from signatures.overview.contrast.hosts import contrast, outlier

if TYPE_CHECKING:
    from collections.abc import Sequence
    from uuid import UUID

    from sqlalchemy import Select
    from sqlalchemy.orm import Session

    from backend.findings.report import JudgedFinding
    from backend.models.case import Case
    from ingest.model.facts import FactValue
from signatures.overview.contrast.hosts import Difference

MAX_DIFFERENCES = 200
MIN_HOSTS = 3
HOST = func.coalesce(Host.name, "")


class _Origin(NamedTuple):
    """The file and section of a fact."""

    evidence_id: UUID
    name: str
    section: int


@dataclass(slots=True)
class _Stated:
    """The facts of one host, and for each the evidence that states it."""

    facts: list[Fact] = field(default_factory=list)
    origins: list[_Origin] = field(default_factory=list)

    def place(self, at: int) -> Place:
        """Return the citation of a fact."""
        lines, origin = self.facts[at].lines, self.origins[at]
        return Place(
            evidence_id=str(origin.evidence_id),
            evidence=origin.name,
            section=origin.section,
            first_line=lines.first,
            last_line=lines.last,
        )


def of_case(session: Session, case: Case) -> HostsRead:
    """Return the hosts of the case with boots, kernels and findings."""
    boots: dict[str, list[BootRead]] = defaultdict(list)
    name, machine_id, boot_id = (
        func.coalesce(column, "") for column in (Host.name, Host.machine_id, Host.boot_id)
    )
    query = (
        select(name, machine_id, boot_id, func.count())
        .select_from(Evidence)
        .outerjoin(Host, Host.id == Evidence.host_id)
        .where(Evidence.case_id == case.id, Evidence.deleted_at.is_(None))
        .group_by(name, machine_id, boot_id)
        .order_by(name, machine_id, boot_id)
    )
    for host, machine, boot, count in session.execute(query):
        boots[host].append(BootRead(machine_id=machine, boot_id=boot, evidence_count=count))
    counts: dict[str, int] = dict(session.execute(_facts(case, HOST, func.count()).group_by(HOST)).all())
    kernels = _kernels(session, case)
    hosts = [
        HostRead(
            name=host,
            boots=booted,
            evidence_count=sum(one.evidence_count for one in booted),
            fact_count=counts.get(host, 0),
            kernels=kernels.get(host, []),
        )
        for host, booted in boots.items()
    ]
    return HostsRead(
        hosts=sorted(hosts, key=lambda host: (host.name == "", host.name)), rows=_rows(session, case)
    )


def contrast_of(session: Session, case: Case, bad: str, good: Sequence[str]) -> ContrastRead:
    """Return the differences of `bad` from `good`; empty means all other named hosts.

    Raises:
        UnsupportedQueryError: A host has no facts, or there is no host to compare with.
    """
    stated = _stated(session, case)
    others = list(dict.fromkeys(good)) or [name for name in stated if name not in {bad, ""}]
    for name in [bad, *others]:
        if name not in stated:
            available = ", ".join(sorted(filter(None, stated))) or "none"
            raise UnsupportedQueryError(
                f"host {name!r} has no facts in this case; hosts with facts: {available}"
            )
    if not others or bad in others:
        raise UnsupportedQueryError("name a bad host and at least one other to compare it with")
    contrasted = contrast(stated[bad].facts, {name: stated[name].facts for name in others})
    return ContrastRead(
        bad=bad,
        good=others,
        differences=[_difference(one, bad, stated) for one in contrasted.differences[:MAX_DIFFERENCES]],
        total=len(contrasted.differences),
        alike=contrasted.alike,
        only_bad=contrasted.only_bad,
        only_good=contrasted.only_good,
    )


def outlier_of(session: Session, case: Case) -> OutlierRead:
    """Return the named host whose facts are an outlier."""
    named = {name: one.facts for name, one in _stated(session, case).items() if name}
    found = outlier(named) if len(named) >= MIN_HOSTS else None
    if found is None:
        return OutlierRead(host=None)
    return OutlierRead(
        host=found.host,
        bits=round(found.bits, 1),
        runner_up=round(found.runner_up, 1),
        names=list(dict.fromkeys(one.name for one in found.differences)),
    )


def _facts(case: Case, *columns: Any) -> Select[Any]:
    """Return a query of the facts of the case that count, with their host and evidence."""
    return (
        standing(select(*columns).select_from(FactRow), FactRow)
        .outerjoin(Host, Host.id == Evidence.host_id)
        .where(FactRow.case_id == case.id, Evidence.phase == "during")
    )


def _stated(session: Session, case: Case) -> dict[str, _Stated]:
    """Return the facts of every host, in order of arrival.

    Columns, not objects: the facts of forty hosts are tens of thousands.
    """
    query = _facts(
        case,
        HOST,
        FactRow.name,
        FactRow.truth,
        FactRow.number,
        FactRow.text,
        FactRow.first_line,
        FactRow.last_line,
        FactRow.unit,
        FactRow.labels,
        FactRow.snapshot,
        FactRow.at_s,
        Evidence.id,
        func.coalesce(func.nullif(Evidence.captured_path, ""), Evidence.filename),
        Section.ordinal,
    ).order_by(Evidence.id, Section.ordinal, FactRow.ordinal)
    by_host: dict[str, _Stated] = defaultdict(_Stated)
    for row in session.execute(query):
        host, name, truth, number, text, first, last, unit, labels, snapshot, at_s, *origin = row
        value: FactValue = truth if truth is not None else number if number is not None else text or ""
        stated = by_host[host]
        stated.facts.append(Fact(name, value, Lines(first, last), unit, labels, snapshot, at_s))
        stated.origins.append(_Origin(*origin))
    return dict(by_host)


def _kernels(session: Session, case: Case) -> dict[str, list[str]]:
    """Return the kernel releases of every host, the one of most files first."""
    query = (
        _facts(case, HOST, FactRow.text)
        .where(FactRow.name == "kernel.release", FactRow.text.is_not(None))
        .group_by(HOST, FactRow.text)
        .order_by(HOST, func.count().desc(), FactRow.text)
    )
    releases: dict[str, list[str]] = defaultdict(list)
    for host, release in session.execute(query):
        releases[host].append(release)
    return releases


def _rows(session: Session, case: Case) -> list[MatrixRow]:
    """Return every signature with a listed finding on any host, in the order of the findings page."""
    rows: dict[str, MatrixRow] = {}
    for finding in report.in_rank(session, case, LISTED._replace(with_places=True)):
        row = rows.setdefault(
            finding.document.signature,
            MatrixRow(
                signature=finding.document.signature,
                title=finding.document.title,
                severity=finding.document.severity,
                cells=[],
            ),
        )
        row.cells.append(_cell(finding))
    return list(rows.values())


def _cell(finding: JudgedFinding) -> CellRead:
    return CellRead(
        host=finding.document.host,
        phase=finding.document.phase,
        finding_id=finding.id,
        verdict=finding.document.verdict,
        confidence_word=finding.document.confidence_word,
        coverage_word=finding.document.coverage_word,
    )


def _difference(one: Difference, bad: str, stated: dict[str, _Stated]) -> DifferenceRead:
    entry = fact_catalogue.find(one.name)
    host, at = one.good_at
    return DifferenceRead(
        name=one.name,
        labels=dict(one.labels),
        unit=one.unit,
        meaning=entry.meaning if entry else "",
        bad=_value(one.bad),
        good=[_value(value) for value in one.good],
        bits=one.bits,
        because=one.because,
        bad_at=stated[bad].place(one.bad_at),
        good_at=stated[host].place(at),
    )


def _value(value: FactValue) -> Value:
    """Return a value for JSON; non-finite numbers become text."""
    is_odd = isinstance(value, float) and not math.isfinite(value)
    return str(value) if is_odd else value
