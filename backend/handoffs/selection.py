"""Input of a redaction, as of the start of its preparation: a handoff, or all of a case."""

from __future__ import annotations

import logging
import secrets
from dataclasses import dataclass, replace
from datetime import UTC
from typing import TYPE_CHECKING, cast
from uuid import UUID

from sqlalchemy import select

from backend.core.encryption import DecryptionError, seal, unseal
from backend.evidence import readings
from backend.findings import captures, report
from backend.models import (
    Case,
    Evidence,
    EvidenceState,
    Handoff,
    HandoffState,
    Host,
    IncidentEvent,
    IncidentEventKind,
    Note,
    Redaction,
)

if TYPE_CHECKING:
    from sqlalchemy.orm import Session

    from backend.core.settings import Settings
    from backend.evidence.readings import AssignedReading
    from ingest.model.evidence import Phase
    from signatures.documents.finding import FindingDocument

logger = logging.getLogger(__name__)
KEY_BYTES = 32


@dataclass(frozen=True, slots=True)
class Source:
    """One evidence as of the start of the job."""

    id: UUID
    sha256: str
    name: str
    size_bytes: int
    captured_path: str
    is_text: bool
    reason: str
    host: str
    boot: str
    phase: Phase


@dataclass(frozen=True, slots=True)
class Subject:
    """The input of a redaction; recipient and question are "" without a handoff."""

    case_id: UUID
    number: int
    title: str
    recipient: str
    question: str
    resolution: list[str]
    hosts: list[str]
    replacements: list[dict[str, str]]
    notes: list[str]
    tried: list[str]
    chosen: list[UUID]
    sources: list[Source]
    assigned: list[AssignedReading]
    verdicts: list[FindingDocument]
    key: str
    pseudonym_map: dict[str, str]

    def chosen_sources(self) -> list[Source]:
        """Return the evidence that the sender chose."""
        return [source for source in self.sources if source.id in self.chosen]


def gather(session: Session, settings: Settings, handoff_id: UUID) -> Subject | None:
    """Load the input of the handoff; None when there is nothing to do."""
    handoff = session.get(Handoff, handoff_id)
    if handoff is None or handoff.state is not HandoffState.PREPARING:
        return None
    subject = of_case(
        session, settings, session.get_one(Case, handoff.case_id), with_notes=handoff.with_notes
    )
    return replace(
        subject,
        recipient=handoff.recipient,
        question=handoff.question,
        replacements=handoff.replacements,
        chosen=[UUID(chosen_id) for chosen_id in handoff.choice],
    )


def of_case(session: Session, settings: Settings, case: Case, *, with_notes: bool) -> Subject:
    """Load a case with all its evidence."""
    key, pseudonym_map = _pseudonyms(session, settings, case)
    found = (
        select(Evidence, Host)
        .outerjoin(Host, Host.id == Evidence.host_id)
        .where(Evidence.case_id == case.id, Evidence.deleted_at.is_(None))
    )
    notes = select(Note).where(Note.case_id == case.id, Note.deleted_at.is_(None)).order_by(Note.id)
    sources = [_source(*row) for row in session.execute(found.order_by(Evidence.id))]
    return Subject(
        case_id=case.id,
        number=case.number,
        title=case.title,
        recipient="",
        question="",
        resolution=[case.cause, case.fix],
        hosts=sorted({source.host for source in sources} - {""}),
        replacements=[],
        notes=[note.text for note in session.scalars(notes)] if with_notes else [],
        tried=[
            *(f"{one.title}: {one.command}" for one in captures.of_case(session, case)),
            *(_actions(session, case) if with_notes else ()),
        ],
        chosen=[source.id for source in sources],
        sources=sources,
        assigned=readings.of_case(session, case.id),
        verdicts=[one.document for one in report.in_rank(session, case)],
        key=key,
        pseudonym_map=pseudonym_map,
    )


def _actions(session: Session, case: Case) -> list[str]:
    """Return what people did, with its time; their words are as free as those of notes."""
    taken = select(IncidentEvent).where(
        IncidentEvent.case_id == case.id,
        IncidentEvent.kind == IncidentEventKind.ACTION,
        IncidentEvent.deleted_at.is_(None),
    )
    events = session.scalars(taken.order_by(IncidentEvent.at, IncidentEvent.id))
    return [f"{one.at.astimezone(UTC):%Y-%m-%d %H:%M} UTC: {one.text}" for one in events if one.text]


def keep_pseudonyms(session: Session, case_id: UUID, pseudonym_map: dict[str, str]) -> None:
    """Store the pseudonym map of the case: the next redaction gives the same names."""
    stored = session.get_one(Redaction, case_id, with_for_update=True, populate_existing=True)
    stored.given = pseudonym_map | stored.given


def _pseudonyms(session: Session, settings: Settings, case: Case) -> tuple[str, dict[str, str]]:
    """Return the pseudonym key and map of the case; new ones when none can be decrypted."""
    about = f"redaction {case.id}"
    stored = session.get(Redaction, case.id)
    if stored is not None:
        try:
            return unseal(settings, stored.sealed_key, about=about), stored.given
        except DecryptionError as error:
            logger.warning("the pseudonyms of case %s begin anew: %s", case.number, error)
            session.delete(stored)
            session.flush()
    key = secrets.token_hex(KEY_BYTES)
    session.add(Redaction(case_id=case.id, sealed_key=seal(settings, key, about=about)))
    session.flush()
    return key, {}


def _source(evidence: Evidence, host: Host | None) -> Source:
    is_text = evidence.state is EvidenceState.READ and bool(evidence.line_count)
    reason = (
        "" if is_text else evidence.reason or "an archive as a whole: its members are handed over one by one"
    )
    if evidence.state not in {EvidenceState.READ, EvidenceState.REJECTED}:
        reason = f"it was {evidence.state} when the handoff was made"
    return Source(
        id=evidence.id,
        sha256=evidence.sha256,
        name=evidence.filename,
        size_bytes=evidence.size_bytes,
        captured_path=evidence.captured_path,
        is_text=is_text,
        reason=reason,
        host=host.name if host else "",
        boot=host.boot_id if host else "",
        phase=cast("Phase", evidence.phase),
    )
