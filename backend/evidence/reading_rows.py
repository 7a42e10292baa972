"""Sandbox output as rows: sections, readings, profiles, facts, histograms, log records, members.

Reading folders are in the object store before the transaction (`reading_folders`).
"""

from __future__ import annotations

import hashlib
from dataclasses import asdict
from typing import TYPE_CHECKING, Any, TypeAlias
from uuid import UUID

from sqlalchemy import delete, exists, select

from backend.evidence import hosts, placement
from backend.evidence.reading_folders import store_key
from backend.evidence.row_inserts import RowInserts
from backend.models.base import uuid7
from backend.models.evidence import Evidence, EvidenceState
from backend.models.fact import Fact
from backend.models.histogram import Histogram
from backend.models.log_record import LogRecord
from backend.models.profile import Profile
from backend.models.reading import Reading as ReadingRow
from backend.models.row_set import RowSet
from backend.models.section import Section
from ingest.format_versions import version_of_format
from ingest.model import reading_folder
from ingest.readers.logs import text

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Iterator
    from pathlib import Path

    from sqlalchemy.orm import Session

    from backend.sandbox.report import ReadEvidence, ReadSection
    from ingest.model.facts import Fact as ReadFact
    from ingest.model.profile import Profile as ReadProfile
    from ingest.model.reading import LogRecord as ReadLogRecord
    from ingest.model.reading import Reading as ReadReading

Load: TypeAlias = "Callable[[Path], ReadReading]"

_Place: TypeAlias = "tuple[str, str, str]"
"""Captured path, file name and SHA-256 of a member."""


def keep(
    session: Session,
    evidence: Evidence,
    read: ReadEvidence,
    output: Path,
    host: hosts.StatedHost,
    *,
    load: Load = reading_folder.load,
) -> frozenset[str]:
    """Replace the stored rows of `evidence` with the result in `read`.

    Returns:
        The names of the facts of `evidence` itself, without those of its members.
    """
    host_id = hosts.host_id_of(session, evidence.case_id, host)
    has_sections, has_members = session.execute(
        select(
            exists().where(Section.evidence_id == evidence.id),
            exists().where(Evidence.parent_id == evidence.id),
        )
    ).one()
    if has_sections:
        session.execute(delete(Section).where(Section.evidence_id == evidence.id))
    evidence.stated = host._asdict()
    rows = RowInserts(session)
    _store_one(rows, evidence, read, output, host_id, has_members=has_members, load=load)
    rows.insert()
    folders = (load(output / section.folder) for section in read.sections)
    return frozenset(fact.name for reading in folders for fact in reading.facts)


def _store_one(
    rows: RowInserts,
    evidence: Evidence,
    read: ReadEvidence,
    output: Path,
    host_id: UUID | None,
    *,
    has_members: bool,
    load: Load,
) -> None:
    """Write an evidence without sections, which is one of the session or new, and what was read of it."""
    session = rows.session
    evidence.state = EvidenceState(read.state)
    evidence.reason = read.reason
    evidence.line_count = read.line_count
    evidence.progress_share = None
    if read.placed is not None:
        stated = hosts.StatedHost(read.placed.host, "", read.placed.boot)
        host_id = hosts.host_id_of(session, evidence.case_id, stated)
        evidence.stated = {**stated._asdict(), "phase": read.placed.phase}
    if evidence.host_basis == placement.SET:
        host_id = evidence.host_id
    else:
        evidence.host_id, evidence.host_basis = host_id, "stated" if host_id else ""
    evidence.skipped = [row.model_dump() for row in read.skipped]
    evidence.reader = version_of_format(text.NAME)
    if evidence not in session:
        rows.add_member(evidence)
    for section in read.sections:
        _keep_section(rows, evidence, section, output / section.folder, store_key(read, section), load=load)
    # A tar may contain the same file twice; equal path and bytes are one evidence.
    members = {(member.captured_path, member.name, member.sha256): member for member in read.members}
    stored = _stored_members(session, evidence, members.keys()) if has_members else {}
    for ordinal, (place, member) in enumerate(members.items()):
        row = stored.get(place) or _member(evidence, member, _member_id(evidence.id, ordinal, place))
        _store_one(rows, row, member, output, host_id, has_members=row in session, load=load)


def _stored_members(session: Session, parent: Evidence, places: Collection[_Place]) -> dict[_Place, Evidence]:
    """Return the members of an earlier reading at `places`, which keep id and phase; delete all others."""
    query = select(Evidence).where(Evidence.parent_id == parent.id).with_for_update()
    query = query.order_by(Evidence.deleted_at.nulls_last())
    found = {(row.captured_path, row.filename, row.sha256): row for row in session.scalars(query)}
    gone = [row.id for place, row in found.items() if place not in places]
    if gone:
        session.execute(delete(Evidence).where(Evidence.id.in_(gone)))
    kept = {place: row for place, row in found.items() if place in places}
    if kept:
        ids = [row.id for row in kept.values()]
        session.execute(delete(Section).where(Section.evidence_id.in_(ids)))
    return kept


def _member_id(parent: UUID, ordinal: int, place: _Place) -> UUID:
    """Return a UUID of version 7: time of the archive, place in it, digest of both.

    A reading that is rolled back and repeated makes the same rows.
    """
    digest = hashlib.sha256(parent.bytes + "\0".join(place).encode("utf-8", "surrogatepass")).digest()
    high, low = divmod(ordinal & 0xFFFFFF, 1 << 12)
    rest = int.from_bytes(digest[:8], "big") >> 14
    return UUID(int=(parent.int >> 80 << 80) | 0x7 << 76 | high << 64 | 0b10 << 62 | low << 50 | rest)


def _member(parent: Evidence, read: ReadEvidence, member_id: UUID) -> Evidence:
    """Return a member of `parent` that is not stored yet."""
    phase, phase_basis = _phase(parent, read)
    return Evidence(
        id=member_id,
        case_id=parent.case_id,
        parent_id=parent.id,
        captured_path=read.captured_path,
        filename=read.name,
        phase=phase,
        phase_basis=phase_basis,
        sha256=read.sha256,
        size_bytes=read.size_bytes,
        stated={},
        host_basis="",
        deleted_at=parent.deleted_at,
    )


def _phase(parent: Evidence, read: ReadEvidence) -> tuple[str, str]:
    """Return the phase of a member and its basis: its manifest, unless a person moved the archive."""
    if read.placed is None or parent.phase_basis == placement.SET:
        return parent.phase, parent.phase_basis
    return read.placed.phase, "stated"


def _keep_section(
    rows: RowInserts,
    evidence: Evidence,
    section: ReadSection,
    folder_path: Path,
    key: str,
    *,
    load: Load,
) -> None:
    reading = load(folder_path)
    digest = reading_folder.digest(folder_path)
    section_id, reading_id = uuid7(), uuid7()
    section_row = {
        "id": section_id,
        "evidence_id": evidence.id,
        "ordinal": section.ordinal,
        "format": section.format,
        "first_line": section.first_line,
        "last_line": section.last_line,
        "path": section.path,
        "command": section.command,
    }
    reading_row = {
        "id": reading_id,
        "section_id": section_id,
        "case_id": evidence.case_id,
        "format_version": section.format_version,
        "reader": version_of_format(section.format),
        "digest": digest,
        "store_key": key,
        "quality": [remark._asdict() for remark in reading.quality],
        "skipped": [asdict(row) for row in reading.skipped],
    }
    rows.add(Section, [section_row])
    rows.add(ReadingRow, [reading_row])
    place = {"case_id": evidence.case_id, "reading_id": reading_id}
    rows.add(Profile, _numbered((place | _profile(row) for row in reading.profiles), has_id=True))
    rows.add(Fact, _numbered(place | _fact(row) for row in reading.facts))
    rows.add(LogRecord, _numbered(place | _log_record(row) for row in reading.log_records))
    histograms = (
        place
        | {"name": row.name, "key": row.key, "unit": row.unit, "probe": row.probe}
        | {"lows": list(row.lows), "highs": list(row.highs)}
        | {"counts": list(row.counts), "bucket_lines": list(row.bucket_lines)}
        for row in reading.histograms
    )
    rows.add(Histogram, _numbered(histograms, has_id=True))
    row_sets = (
        place
        | {"name": row.name, "columns": list(row.columns)}
        | {"row_count": len(row), "duration_s": row.duration}
        for row in reading.row_sets
    )
    rows.add(RowSet, _numbered(row_sets, has_id=True))
    rows.insert_many()


def _numbered(rows: Iterable[dict[str, Any]], *, has_id: bool = False) -> Iterator[dict[str, Any]]:
    """Yield rows numbered by ordinal."""
    for ordinal, row in enumerate(rows):
        yield row | {"ordinal": ordinal} | ({"id": uuid7()} if has_id else {})


def _profile(profile: ReadProfile) -> dict[str, Any]:
    times = profile.sample_time
    has_times = times is not None and len(times) > 0
    return {
        "event": profile.event,
        "unit": profile.unit,
        "what": profile.what,
        "samples": profile.samples,
        "weight": profile.weight,
        "nodes": len(profile.node_parent),
        "is_ordered": profile.is_ordered,
        "has_weights": profile.has_weights,
        "has_time": has_times,
        "has_cpu": profile.sample_cpu is not None,
        "from_s": float(times.min()) if times is not None and has_times else None,
        "to_s": float(times.max()) if times is not None and has_times else None,
    }


def _fact(fact: ReadFact) -> dict[str, Any]:
    value = fact.value
    is_truth = isinstance(value, bool)
    return {
        "name": fact.name,
        "labels": dict(fact.labels),
        "number": float(value) if isinstance(value, int | float) and not is_truth else None,
        "text": value if isinstance(value, str) else None,
        "truth": value if is_truth else None,
        "unit": fact.unit,
        "snapshot": fact.snapshot,
        "at_s": fact.at,
        "first_line": fact.lines.first,
        "last_line": fact.lines.last,
    }


def _log_record(record: ReadLogRecord) -> dict[str, Any]:
    return {
        "kind": record.kind,
        "message": record.message,
        "fields": dict(record.fields),
        "uptime_s": record.uptime,
        "at_s": record.at,
        "level": record.level,
        "subsystem": record.subsystem,
        "severity": record.severity,
        "first_line": record.lines.first,
        "last_line": record.lines.last,
    }
