"""What a run is for: cases by age, number and engine; evidence by the version of its formats; drafts.

The list of work is derived from the tables each time it is asked for, so a run that lost its worker knows
what is left.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import TYPE_CHECKING, Any
from uuid import UUID

from sqlalchemy import and_, exists, func, or_, select, true
from sqlalchemy.orm import aliased

from backend.models import (
    Case,
    CaseScreen,
    DraftState,
    Evidence,
    EvidenceState,
    Reading,
    Section,
    SignatureDraft,
)
from ingest import format_versions
from ingest.readers.logs import text
from signatures.engine_version import engine_version

if TYPE_CHECKING:
    from sqlalchemy import ColumnElement, Select
    from sqlalchemy.orm import InstrumentedAttribute, Session


CASES_AT_A_TIME = 500


@dataclass(frozen=True, slots=True)
class Selection:
    """Which cases a run is for.

    Attributes:
        takes_all: Also those that the current engine judged, of evidence that the current readers read.
        since: Opened then or later.
        until: Opened before.
        case_id: This case only.
    """

    takes_all: bool = False
    since: datetime | None = None
    until: datetime | None = None
    case_id: UUID | None = None

    def document(self) -> dict[str, Any]:
        """Return it as JSON values."""
        return {
            "takes_all": self.takes_all,
            "since": self.since and self.since.isoformat(),
            "until": self.until and self.until.isoformat(),
            "case_id": self.case_id and str(self.case_id),
        }

    @classmethod
    def of(cls, document: dict[str, Any]) -> Selection:
        """Return the selection that was stored."""
        since, until, case_id = document["since"], document["until"], document["case_id"]
        return cls(
            document["takes_all"],
            since and datetime.fromisoformat(since),
            until and datetime.fromisoformat(until),
            case_id and UUID(case_id),
        )


def next_case(session: Session, selection: Selection, position: UUID | None) -> UUID | None:
    """Return the newest case of the selection before `position`; None when there is none.

    It looks at some cases at a time: a plan over all of them would cost each step the same.
    """
    while True:
        is_before = true() if position is None else Case.id < position
        some = select(Case.id).where(_is_placed(selection), is_before).order_by(Case.id.desc())
        ids = session.scalars(some.limit(CASES_AT_A_TIME)).all()
        if not ids:
            return None
        chosen = select(Case.id).where(Case.id.in_(ids), _is_selected(selection)).order_by(Case.id.desc())
        found = session.scalar(chosen.limit(1))
        if found is not None:
            return found
        position = ids[-1]


def stale_evidence(session: Session, case_id: UUID) -> list[Evidence]:
    """Return the files of a case that other versions of their formats read, oldest first.

    Members are read with their archive.
    """
    if not session.scalar(select(_is_read_by_others(Case.id)).select_from(Case).where(Case.id == case_id)):
        return []
    found = session.scalars(select(Evidence).where(Evidence.case_id == case_id, _is_stale())).all()
    parents = dict(
        session.execute(select(Evidence.id, Evidence.parent_id).where(Evidence.case_id == case_id)).all()
    )
    roots = {_root(one.id, parents) for one in found}
    query = select(Evidence).where(Evidence.id.in_(roots), Evidence.state.in_(_READ)).order_by(Evidence.id)
    return list(session.scalars(query))


def count_cases(session: Session, selection: Selection) -> int:
    """Return the number of cases of the selection."""
    return session.scalar(select(func.count()).select_from(Case).where(_is_selected(selection))) or 0


def count_stale(session: Session, selection: Selection) -> tuple[int, int]:
    """Return number and bytes of the files of the selection that are to be read again."""
    query = (
        select(func.count(), func.coalesce(func.sum(Evidence.size_bytes), 0))
        .join(Case, Case.id == Evidence.case_id)
        .where(_is_selected(selection), _is_stale())
    )
    count, size_bytes = session.execute(query).one()
    return count, int(size_bytes)


def next_draft(session: Session, selection: Selection) -> SignatureDraft | None:
    """Return the oldest draft that another version judged last; None when there is none."""
    return session.scalar(_drafts(selection).order_by(SignatureDraft.id).limit(1))


def count_drafts(session: Session, selection: Selection) -> int:
    """Return the number of drafts that another version judged last."""
    return session.scalar(select(func.count()).select_from(_drafts(selection).subquery())) or 0


_READ = (EvidenceState.READ, EvidenceState.REJECTED)


def _is_selected(selection: Selection) -> ColumnElement[bool]:
    is_placed = _is_placed(selection)
    if selection.takes_all:
        return is_placed
    is_judged = exists().where(CaseScreen.case_id == Case.id, CaseScreen.engine == engine_version())
    return is_placed & or_(~is_judged, _is_read_by_others(Case.id))


def _is_placed(selection: Selection) -> ColumnElement[bool]:
    """Return the condition on `Case` without that on engine and readers."""
    conditions = [Case.deleted_at.is_(None), Case.evidence_rev > 0]
    if selection.since is not None:
        conditions.append(Case.created_at >= selection.since)
    if selection.until is not None:
        conditions.append(Case.created_at < selection.until)
    if selection.case_id is not None:
        conditions.append(Case.id == selection.case_id)
    return and_(*conditions)


def _is_read_by_others(case_id: InstrumentedAttribute[UUID]) -> ColumnElement[bool]:
    """Return the condition that a case has evidence that other versions read."""
    inner = aliased(Evidence)
    return exists(select(inner.id).where(inner.case_id == case_id, _is_stale(inner)))


def _is_stale(row: type[Evidence] = Evidence) -> ColumnElement[bool]:
    """Return the condition on evidence: another version read a section of it, or rejected it."""
    versions = format_versions.versions()
    # No two formats have the same version, so one that is current is that of its format.
    another = (
        select(Reading.id)
        .join(Section, Section.id == Reading.section_id)
        .where(Section.evidence_id == row.id, Reading.is_current)
        .where(Reading.reader.not_in(versions.values()))
    )
    was_read = (row.state == EvidenceState.READ) & exists(another)
    was_rejected = (row.state == EvidenceState.REJECTED) & (row.reader != versions[text.NAME])
    return row.deleted_at.is_(None) & or_(was_read, was_rejected)


def _root(evidence_id: UUID, parents: dict[UUID, UUID | None]) -> UUID:
    while (parent := parents.get(evidence_id)) is not None:
        evidence_id = parent
    return evidence_id


def _drafts(selection: Selection) -> Select[SignatureDraft]:
    query = select(SignatureDraft).join(Case, Case.id == SignatureDraft.case_id)
    is_old = SignatureDraft.engine != engine_version()
    return query.where(SignatureDraft.state == DraftState.READY, is_old, _is_placed(selection))
