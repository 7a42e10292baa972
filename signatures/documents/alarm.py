"""Alarms: a state of the machine that the evidence shows, whatever its cause."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal, TypeAlias

from signatures.documents.citation import Place
from signatures.documents.codec import from_document
from signatures.documents.finding import FindingDocument, Verdict
from signatures.documents.levels import Level, Severity

if TYPE_CHECKING:
    from ingest.model.json_value import JsonObject

ALARM = "alarm"
STABLE, OVERVIEW, DERIVED = "stable", "overview", "derived"


@dataclass(frozen=True, slots=True, kw_only=True)
class AlarmDocument:
    """An alarm of one host and phase.

    Attributes:
        alarm: Class of the kernel log, or area.
        areas: Questions that it is an alarm on, such as `io`.
        log_classes: Classes of the kernel log, the cause first; else empty.
        status: `stable` of classes of the kernel log, else `overview` or `derived`.
        verdict: Always `match`.
        device: What its cause is about, such as `sda1`; "" when the evidence names none.
        fingerprint: The same in other cases with the same alarm of the same host and phase.
        first_steps: One step for each thing that may turn out.
        next_capture: Command that shows more; empty without one.
        next_capture_reason: What its output shows.
        explained_by: Signature of the match that cites the same lines.
    """

    kind: Literal["alarm"] = "alarm"
    alarm: str
    areas: tuple[str, ...] = ()
    log_classes: tuple[str, ...] = ()
    title: str
    severity: Severity
    level: Level
    status: str
    host: str
    phase: str
    verdict: Verdict = "match"
    headline: str
    device: str = ""
    certainty: str = ""
    fingerprint: str
    citations: tuple[Place, ...] = ()
    first_steps: tuple[str, ...] = ()
    next_capture: str = ""
    next_capture_reason: str = ""
    explained_by: str = ""
    superseded_by: str = ""
    is_near_miss: bool = False
    is_provisional: bool = False


AnyFinding: TypeAlias = FindingDocument | AlarmDocument

FIRING = ("match", "suspect")


def is_relevant(finding: AnyFinding) -> bool:
    """Return whether people are shown it first: it fires, and no other finding supersedes or explains it."""
    is_explained = isinstance(finding, AlarmDocument) and bool(finding.explained_by)
    return finding.verdict in FIRING and not finding.superseded_by and not is_explained


def any_finding_from(document: JsonObject) -> AnyFinding:
    """Return the finding of a signature or the alarm of a stored document.

    Raises:
        InvalidDocumentError: It is neither.
    """
    is_alarm = document.get("kind") == "alarm"
    return from_document(AlarmDocument, document) if is_alarm else from_document(FindingDocument, document)
