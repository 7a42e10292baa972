"""Current readings of a case and their positions."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from sqlalchemy import func, select

from backend.core.db.base import among
from backend.models.evidence import Evidence
from backend.models.host import Host
from backend.models.reading import Reading as ReadingRow
from backend.models.reading import Stage
from backend.models.section import Section

if TYPE_CHECKING:
    from collections.abc import Sequence
    from uuid import UUID

    from sqlalchemy.orm import Session


@dataclass(frozen=True, slots=True)
class AssignedReading:
    """One reading and its position in the case."""

    evidence_id: UUID
    path: str
    host: str
    boot: str
    phase: str
    section: int
    format: str
    first_line: int
    last_line: int
    digest: str
    store_key: str
    is_provisional: bool = False


def of_case(session: Session, case_id: UUID) -> list[AssignedReading]:
    """Return the current readings of the active evidence, oldest first."""
    return of_cases(session, [case_id])[case_id]


def of_cases(session: Session, case_ids: Sequence[UUID]) -> dict[UUID, list[AssignedReading]]:
    """Return the current readings of the active evidence of cases by case, oldest first."""
    query = (
        select(
            Evidence.case_id,
            Evidence.id,
            func.coalesce(func.nullif(Section.path, ""), Evidence.captured_path),
            func.coalesce(Host.name, ""),
            func.coalesce(Host.boot_id, ""),
            Evidence.phase,
            Section.ordinal,
            Section.format,
            Section.first_line,
            Section.last_line,
            ReadingRow.digest,
            ReadingRow.store_key,
            ReadingRow.stage == Stage.PROVISIONAL,
        )
        .join(Section, Section.evidence_id == Evidence.id)
        .join(ReadingRow, (ReadingRow.section_id == Section.id) & ReadingRow.is_current)
        .outerjoin(Host, Host.id == Evidence.host_id)
        .where(among(Evidence.case_id, case_ids), Evidence.deleted_at.is_(None))
        .order_by(Evidence.id, Section.ordinal)
    )
    found: dict[UUID, list[AssignedReading]] = {case_id: [] for case_id in case_ids}
    for case_id, *row in session.execute(query):
        found[case_id].append(AssignedReading(*row))
    return found
