"""Stores evidence and readings in the transaction of a test, without a worker."""

from __future__ import annotations

import tempfile
import zlib
from pathlib import Path
from typing import TYPE_CHECKING

from backend.cases import service as cases
from backend.core.settings import Settings
from backend.evidence import hosts, reading_folders, reading_rows
from backend.findings import judging
from backend.findings.case_analysis import analyse, load_inputs
from backend.models.blob import Blob
from backend.models.evidence import Evidence
from backend.profiles import indexing
from backend.profiles.queries_frames import unindexed_of_case
from backend.sandbox.envelope import limits_of_job
from backend.sandbox.report import ReadEvidence, ReadSection
from ingest.export.heaviest import Weighed, heaviest
from ingest.model import reading_folder
from ingest.model.section import Text

if TYPE_CHECKING:
    from uuid import UUID

    from sqlalchemy.orm import Session

    from backend.core.storage.object_store import Store
    from backend.findings.case_analysis import CaseAnalysis, Inputs
    from backend.models.case import Case
    from ingest.parsing.protocols import CapturedFile, Format


def judge_case(session: Session, store: Store, case_id: UUID) -> CaseAnalysis:
    """Judge a case in the transaction, as a worker does; return what was computed."""
    inputs = load_inputs(session, case_id)
    assert inputs is not None
    analysis = analyse_inputs(store, inputs)
    judging.keep(session, case_id, analysis)
    return analysis


def analyse_inputs(store: Store, inputs: Inputs) -> CaseAnalysis:
    with tempfile.TemporaryDirectory() as folder:
        settings = Settings(data_dir=Path(folder))
        return analyse(settings, store, inputs, limits_of_job(settings, "heavy"))


def new_case(session: Session, title: str = "case") -> Case:
    return cases.create(session, title=title, actor="test")


def store_evidence(  # noqa: PLR0917 - where, whose, what and how, in this order
    session: Session,
    store: Store,
    output: Path,
    case: Case,
    content: bytes,
    reader: Format | CapturedFile,
    *,
    name: str = "file",
    captured_path: str = "",
    host: str = "",
) -> Evidence:
    """Have `reader` read all of `content` and keep it as evidence of `case`."""
    lines = content.decode().splitlines()
    reading = reader.read(Text(lines=lines, path=captured_path, filename=name))
    place = f"readings/{zlib.crc32(name.encode() + captured_path.encode() + content) % 10**9}"
    digest = reading_folder.save(reading, output / place)
    read_evidence = ReadEvidence(
        name=name,
        captured_path=captured_path,
        sha256=store.put_bytes(content),
        size_bytes=len(content),
        line_count=len(lines),
        state="read",
        reason="",
        host=host,
        skipped=[],
        sections=[
            ReadSection(
                ordinal=0,
                format=reader.NAME,
                format_version=reader.VERSION,
                first_line=1,
                last_line=len(lines),
                path=captured_path,
                command="",
                folder=place,
                digest=digest,
            )
        ],
        members=[],
    )
    if session.get(Blob, read_evidence.sha256) is None:
        session.add(Blob(sha256=read_evidence.sha256, size_bytes=len(content)))
    evidence = Evidence(
        case_id=case.id,
        filename=name,
        captured_path=captured_path,
        sha256=read_evidence.sha256,
        size_bytes=len(content),
    )
    session.add(evidence)
    session.flush()
    reading_folders.put_folders(store, output, read_evidence)
    reading_rows.keep(
        session,
        evidence,
        read_evidence,
        output,
        hosts.stated(read_evidence, output),
    )
    case.evidence_rev += 1
    session.flush()
    return evidence


def index_profiles(session: Session, store: Store, case: Case) -> dict[UUID, list[Weighed]]:
    """Index the functions of the profiles of `case`, as the job does."""
    weighed = {
        one.profile_id: heaviest(reading_folder.load(store.folder(one.store_key)).profiles[one.ordinal])
        for one in unindexed_of_case(session, case.id)
    }
    indexing.keep(session, case.id, weighed)
    session.commit()
    return weighed
