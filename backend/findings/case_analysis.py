"""Analysis of a case in a limited child: its findings, and what its pages show beside them."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from sqlalchemy import select

from backend.cases import stored_findings
from backend.evidence import readings
from backend.findings import observations, team_libraries
from backend.findings.fault_log import log_noted
from backend.models.case import Case
from backend.sandbox.envelope import computed_in_job
from backend.sandbox.fork_server import FINDINGS
from backend.sandbox.runner import SandboxCrashError
from ingest.export.heaviest import Weighed
from signatures.documents.case import CaseScreen, Judgement
from signatures.documents.codec import InvalidDocumentError, from_document, to_document

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from pathlib import Path
    from uuid import UUID

    from sqlalchemy.orm import Session

    from backend.core.settings import Settings
    from backend.core.storage.object_store import Store
    from backend.evidence.readings import AssignedReading
    from backend.findings.team_libraries import InUse
    from backend.sandbox.documents import AnalysisArguments, ProfileDocument, ReadingDocument
    from backend.sandbox.runner import SandboxLimits
    from signatures.judging.observation_cache import Row
    from signatures.reporting.firing import FiringDocument


@dataclass(frozen=True, slots=True)
class Inputs:
    """What an analysis is of, as of one revision of the evidence.

    Attributes:
        readings: The current readings.
        observations: Cached results of conditions on them.
        libraries: Libraries of teams in use.
    """

    revision: int
    readings: list[AssignedReading]
    observations: list[Row]
    libraries: InUse = team_libraries.NONE


@dataclass(frozen=True, slots=True)
class CaseAnalysis:
    """What was computed of one revision.

    Attributes:
        judgement: Next captures, and of the findings those that tell something (`finding_text.telling`); the
            judgement that was given, where one was.
        observations: New results of conditions.
        findings: Text of all findings as it is stored; empty where a judgement was given.
        shadow_ids: Versions of libraries in shadow.
        shadow: What each of them finds.
        weighed: The heaviest functions of each profile that they were asked of.
    """

    revision: int
    judgement: Judgement
    screen: CaseScreen
    observations: list[Row]
    findings: bytes = b""
    shadow_ids: list[UUID] = field(default_factory=list)
    shadow: list[list[FiringDocument]] = field(default_factory=list)
    weighed: list[list[Weighed]] = field(default_factory=list)


def load_inputs(session: Session, case_id: UUID) -> Inputs | None:
    """Return the inputs of a case; None when it is deleted."""
    revision = session.scalar(select(Case.evidence_rev).where(Case.id == case_id, Case.deleted_at.is_(None)))
    return None if revision is None else inputs_at(session, case_id, revision)


def inputs_at(session: Session, case_id: UUID, revision: int) -> Inputs:
    """Return the inputs of a case that is not deleted, which is at `revision`."""
    placed = readings.of_case(session, case_id)
    cached = observations.load(session, [one.digest for one in placed])
    return Inputs(revision, placed, cached, team_libraries.in_use(session))


def analyse(
    settings: Settings,
    store: Store,
    inputs: Inputs,
    limits: SandboxLimits,
    *,
    given: Judgement | None = None,
    profiles: Sequence[ProfileDocument] = (),
    check: Callable[[], None] | None = None,
) -> CaseAnalysis:
    """Judge the readings, unless a judgement is `given`, and compute the screen.

    Args:
        settings: Of the service.
        store: Of the readings.
        inputs: What to analyse.
        limits: Of the child.
        given: Its judgement.
        profiles: Those whose heaviest functions are computed besides.
        check: Called periodically.

    Raises:
        LimitHitError: It needs more than `limits`.
        SandboxCrashError: It crashed.
        TooSlowError: It exceeded the time of a first try.
    """
    items = [child_item(store, one) for one in inputs.readings]
    arguments: AnalysisArguments = {
        "items": items,
        "observations": inputs.observations,
        "judgement": to_document(given) if given else None,
        "libraries": inputs.libraries.active,
        "shadow": inputs.libraries.shadow,
        "profiles": list(profiles),
    }
    with computed_in_job(
        settings,
        "analyse",
        arguments,
        what="the analysis",
        limits=limits,
        readable=folders_of(store, inputs.readings),
        check=check,
    ) as (result, output):
        findings = b"" if given else _findings(output)
    log_noted(result["faults"])
    return CaseAnalysis(
        inputs.revision,
        given or from_document(Judgement, result["judgement"]),
        from_document(CaseScreen, result["screen"]),
        [(reading, condition, document) for reading, condition, document in result["observations"]],
        findings,
        [] if given else inputs.libraries.shadow_ids,
        result["shadow"],
        [[Weighed(*one) for one in functions] for functions in result["weighed"]],
    )


def _findings(output: Path) -> bytes:
    """Return the text of all findings that a child left."""
    try:
        return stored_findings.checked((output / FINDINGS).read_bytes())
    except (OSError, InvalidDocumentError) as error:
        raise SandboxCrashError(f"the findings cannot be read: {error}") from error


def child_item(store: Store, placed: AssignedReading) -> ReadingDocument:
    """Return a reading with its position in the case as the child takes it."""
    return {
        "folder": str(store.folder(placed.store_key)),
        "is_provisional": placed.is_provisional,
        "item": {
            "evidence": str(placed.evidence_id),
            "captured_path": placed.path,
            "host": placed.host,
            "boot": placed.boot,
            "phase": placed.phase,
            "section": placed.section,
            "format": placed.format,
            "first_line": placed.first_line,
            "last_line": placed.last_line,
            "digest": placed.digest,
        },
    }


def folders_of(store: Store, placed: Sequence[AssignedReading]) -> list[Path]:
    """Return the reading folders, which the child may read."""
    return list(dict.fromkeys(store.folder(one.store_key) for one in placed))
