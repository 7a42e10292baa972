"""One case read and judged again; it keeps its verdicts until the new ones are whole.

Files are read into the object store; their rows are written and rolled back, to learn what the judgement is
of; the judgement is computed without locks; one transaction replaces rows, findings and screen together.
"""

from __future__ import annotations

import logging
import tempfile
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING

from sqlalchemy import delete, func

from backend.cases.queries import hold
from backend.core.errors import StoredBytesError
from backend.evidence import read_files, reading, reading_folders
from backend.evidence.subject import subject_of
from backend.findings import judging
from backend.findings.case_analysis import analyse, load_inputs
from backend.models import Case, Change, EvidenceState, Observation
from backend.reprocessing import changes, selection
from backend.sandbox.envelope import limits_of_job
from backend.sandbox.runner import SandboxCrashError, TooSlowError
from ingest.code_versions import DIGITS
from signatures.judging import observation_versions
from signatures.reporting.verdict_changes import differences

if TYPE_CHECKING:
    from collections.abc import Iterator
    from uuid import UUID

    from sqlalchemy.orm import Session

    from backend.core.jobs.run import Run
    from backend.evidence.read_files import ReadFile
    from backend.evidence.subject import Subject
    from backend.findings.case_analysis import CaseAnalysis, Inputs
    from signatures.reporting.verdict_changes import VerdictChange

logger = logging.getLogger(__name__)


class CaseChangedError(Exception):
    """The evidence of the case changed meanwhile; nothing was stored."""


@dataclass(slots=True)
class Renewal:
    """A case as the current engine reads and judges it, not stored yet.

    Attributes:
        revision: Revision of the evidence that it was made of.
        files: Files that were read again.
        kept: Why files keep the reading that they had, one clause each.
        analysis: The new judgement.
    """

    case_id: UUID
    revision: int
    analysis: CaseAnalysis
    files: list[ReadFile] = field(default_factory=list)
    kept: list[str] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class Outcome:
    """What changed in a case."""

    change: Change
    before: str
    after: str
    verdicts: list[VerdictChange]
    files_read: int
    reason: str


@contextmanager
def renewed(run: Run, case_id: UUID) -> Iterator[Renewal | None]:
    """Yield what is to be stored of a case, while its files stay; None when the case is deleted.

    Raises:
        LimitHitError: The analysis needs more than its limits.
        SandboxCrashError: The analysis crashed.
        StoredBytesError: The store has lost or damaged a reading.
    """
    with run.session() as session:
        stale = selection.stale_evidence(session, case_id)
        case = session.get(Case, case_id)
        is_guests = case is not None and case.expires_at is not None
        subjects = [(subject_of(one, is_guests=is_guests), one.state) for one in stale]
    with tempfile.TemporaryDirectory(dir=read_files.scratch_of(run), prefix="reprocess-") as scratch:
        files, kept = _read(run, subjects, Path(scratch))
        with run.putting():
            for file in files:
                reading_folders.put_folders(run.store, file.output, file.report)
            inputs = _rehearsed(run, case_id, files)
            if inputs is None:
                yield None
                return
            # Of the revision that the new readings will be.
            coming = replace(inputs, revision=inputs.revision + bool(files))
            limits = limits_of_job(run.settings, "heavy")
            analysis = analyse(run.settings, run.store, coming, limits, check=run.check)
            run.check()
            yield Renewal(case_id, inputs.revision, analysis, files, kept)


def keep(session: Session, renewal: Renewal) -> Outcome | None:
    """Store rows, findings and screen in this transaction; None when the case is deleted.

    Raises:
        CaseChangedError: Its evidence changed since.
    """
    case = hold(session, renewal.case_id)
    if case is None or case.deleted_at is not None:
        return None
    if case.evidence_rev != renewal.revision:
        raise CaseChangedError
    before, headline = changes.stored(session, case.id), _headline(case)
    for file in renewal.files:
        reading.keep_rows(session, file)
    case.evidence_rev = renewal.analysis.revision
    judging.keep(session, case.id, renewal.analysis)
    reading.queue_indexing(session, case.id)
    _forget_observations(session, renewal)
    after, new_headline = changes.judged(renewal.analysis.judgement.findings), _headline(case)
    verdicts = differences(before, after)
    return Outcome(
        changes.kind_of(verdicts, is_headline_new=headline != new_headline),
        headline,
        new_headline,
        verdicts,
        len(renewal.files),
        f"not read again: {'; '.join(renewal.kept)}" if renewal.kept else "",
    )


def _headline(case: Case) -> str:
    return case.headline.text if case.headline else ""


def _read(
    run: Run, subjects: list[tuple[Subject, EvidenceState]], scratch: Path
) -> tuple[list[ReadFile], list[str]]:
    """Read files again; one that fails, or that is rejected now, keeps the reading that it has."""
    files: list[ReadFile] = []
    kept: list[str] = []
    for number, (subject, state) in enumerate(subjects):
        place = scratch / str(number)
        place.mkdir()
        run.check()
        try:
            file = read_files.read_subject(run, subject, place, on_progress=lambda _: None)
        except (SandboxCrashError, StoredBytesError, TooSlowError) as error:
            logger.warning("evidence %s keeps its reading: %s", subject.id, error)
            kept.append(f"{subject.label} failed")
            continue
        if file.report.state == "rejected" and state is EvidenceState.READ:
            kept.append(f"{subject.label} was rejected: {file.report.reason}")
        else:
            files.append(file)
    return files, kept


def _rehearsed(run: Run, case_id: UUID, files: list[ReadFile]) -> Inputs | None:
    """Return the inputs of the judgement as they will be: the rows are written, looked at and rolled back."""
    with run.sessions() as session:
        case = hold(session, case_id)
        if case is None or case.deleted_at is not None:
            return None
        for file in files:
            reading.keep_rows(session, file)
        inputs = load_inputs(session, case_id)
        session.rollback()
    return inputs


def _forget_observations(session: Session, renewal: Renewal) -> None:
    """Delete what earlier versions observed on the readings of the case."""
    is_old = func.left(Observation.clause_digest, DIGITS).not_in(observation_versions.current())
    digests = {digest for digest, _, _ in renewal.analysis.observations}
    if digests:
        session.execute(delete(Observation).where(Observation.reading_digest.in_(digests), is_old))
