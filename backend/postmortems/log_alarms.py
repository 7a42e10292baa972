"""Alarms of dated kernel logs as entries of a timeline.

of_case(session, case)[0].says  ->  "OOM killer killed mysqld (pid 784, 3.1 GB anonymous): …"
"""

from __future__ import annotations

from datetime import UTC, datetime
from typing import TYPE_CHECKING

from sqlalchemy import func, select

from backend.models.evidence import Evidence
from backend.models.host import Host
from backend.models.log_record import LogRecord as RecordRow
from backend.models.section import Section
from backend.models.standing import standing
from backend.postmortems.schemas import TimelineEntry
from ingest.catalogue.log_classes import ALARMING, classes_by_name
from ingest.model.citation import Lines
from ingest.model.reading import LogRecord
from signatures.overview.kernel_log.sentences import quoted, sentence_of

if TYPE_CHECKING:
    from sqlalchemy.orm import Session

    from backend.models.case import Case

SHOWN = 3
"""Entries of one class of one file; the last of them counts the others."""

BARE = "call_trace"
"""A stack without a reason."""


def of_case(session: Session, case: Case, *, phase: str | None = None) -> list[TimelineEntry]:
    """Return the dated alarms of the logs of a case, or of a phase of it.

    What two files state of one moment is one entry.
    """
    of_class = (Section.evidence_id, RecordRow.kind)
    ranked = (
        standing(
            select(
                RecordRow.id,
                func.row_number()
                .over(partition_by=of_class, order_by=(RecordRow.at_s, RecordRow.ordinal))
                .label("rank"),
                func.count().over(partition_by=of_class).label("count"),
                func.max(RecordRow.at_s).over(partition_by=of_class).label("last"),
                Section.evidence_id,
                func.coalesce(Host.name, "").label("host"),
            ),
            RecordRow,
        )
        .outerjoin(Host, Host.id == Evidence.host_id)
        .where(
            RecordRow.case_id == case.id,
            RecordRow.severity.in_(ALARMING),
            RecordRow.kind != BARE,
            RecordRow.at_s.is_not(None),
            *(() if phase is None else (Evidence.phase == phase,)),
        )
        .subquery()
    )
    query = (
        select(RecordRow, ranked)
        .join(ranked, ranked.c.id == RecordRow.id)
        .where(ranked.c.rank <= SHOWN)
        .order_by(RecordRow.at_s, RecordRow.id)
    )
    entries: dict[tuple[int, str, str], TimelineEntry] = {}
    for row, _, rank, count, last, evidence_id, host in session.execute(query):
        further = count - SHOWN if rank == SHOWN else 0
        says = _says(row) + (f"; {further:,} more" if further else "")
        entry = TimelineEntry(
            id=f"alarm:{row.id}",
            at=datetime.fromtimestamp(row.at_s, UTC),
            until=datetime.fromtimestamp(last, UTC) if further else None,
            kind="alarm",
            says=says,
            text=quoted(row.message),
            evidence_id=evidence_id,
            line=row.first_line,
            host=host,
            clock="host",
        )
        entries.setdefault((int(row.at_s), host, row.message), entry)
    return list(entries.values())


def _says(row: RecordRow) -> str:
    log_class = classes_by_name().get(row.kind)
    if log_class is None:
        return row.message
    record = LogRecord(row.kind, row.message, Lines(row.first_line, row.last_line), row.fields)
    return sentence_of(log_class, record)
