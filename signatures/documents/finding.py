"""Findings: a signature judged against one host and phase."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, ClassVar, Literal, TypeAlias

from signatures.documents.capture import ConditionCaptureDocument
from signatures.documents.citation import Citation
from signatures.documents.fix import FixDocument, ReferenceDocument, ReportedDocument
from signatures.documents.levels import LEVEL_OF_SEVERITY, Level, Severity

if TYPE_CHECKING:
    from ingest.model.json_value import JsonObject

Verdict: TypeAlias = Literal["match", "suspect", "unknown", "no_match", "not_applicable"]
ConditionState: TypeAlias = Literal["TRUE", "FALSE", "UNKNOWN", "NOT_OBSERVABLE"]


@dataclass(frozen=True, slots=True, kw_only=True)
class CapDocument:
    """The reason for a cap on confidence, and the condition that has it."""

    reason: str
    condition: str


@dataclass(frozen=True, slots=True, kw_only=True)
class AspectDocument:
    """One variant of a defect, judged separately."""

    aspect: str
    verdict: str
    basis: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Affected:
    """Whether the running kernel is affected, the basis, and the consequence.

    Attributes:
        verdict: One of `signatures.judging.applicability.VERDICTS`.
        sentence: Evidence and version verdict combined.
        reported: Kernels of which it was reported.
    """

    verdict: str = "unknown"
    basis: str = ""
    sentence: str = ""
    aspects: tuple[AspectDocument, ...] = ()
    reported: tuple[ReportedDocument, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class ConditionDocument:
    """One evaluated condition of a signature; numbers are in `unit`.

    Attributes:
        title: "" where its id says it.
        role: `core` (required), `corroborates` (supporting), `context` or `rival` (excluding).
        veto: Whether it excludes evidence of the others while met.
        reason: Why it is not decided.
        observed: The measured value; null without one.
        distance: How far the observed value is from the threshold, in thresholds.
        strength: 0..1.
        is_seen: Seen in stacks, without a measured share.
        assumed: Its entity is not named by the evidence.
        caps: Reasons why it is too weak for a match.
        answers: The question that it answers while met, such as who holds the memory; "" for none.
    """

    SPARSE: ClassVar[frozenset[str]] = frozenset({"answers"})

    id: str
    title: str = ""
    role: str = "core"
    weight: float = 0.0
    veto: bool = False
    state: ConditionState = "UNKNOWN"
    reason: str = ""
    observed: float | str | None = None
    threshold: float | str | None = None
    unit: str = ""
    distance: float | None = None
    strength: float = 0.0
    is_seen: bool = False
    assumed: bool = False
    note: str = ""
    caps: tuple[str, ...] = ()
    remarks: tuple[str, ...] = ()
    citations: tuple[Citation, ...] = ()
    answers: str = ""

    @property
    def name(self) -> str:
        """Title for people; of a condition without one its id in words."""
        return self.title or self.id.replace("_", " ")


@dataclass(frozen=True, slots=True, kw_only=True)
class FindingDocument:
    """A signature judged against one host and phase.

    Attributes:
        fingerprint: The same in other cases with the same finding of the same host and phase.
        version: Of the signature.
        title: Title of the signature, or the narrower title of a weak reading.
        status: `stable` or `draft`.
        host: "" when unknown.
        phase: `before`, `during` or `after`.
        headline: Verdict with the title; "" in cases judged before it was stored.
        certainty: How certain it is as one sentence; "" in cases judged before it was stored.
        confidence: 0..1; null without a verdict.
        coverage: Share of the conditions that the evidence decides, 0..1.
        rivals_open: Excluding conditions that could not be checked.
        entity: Variable to entity; "" when the evidence names none.
        extract: Named values of the evidence.
        next: Captures that would decide conditions that are not decided.
        superseded_by: The more specific signature that matches; "" when none.
        caused_by: Signature that explains it and comes first.
        suspected_cause: Suspected signature that may explain this match.
        is_near_miss: Not listed, but among the closest.
        is_listed: Lists show it: a match, a suspect, or one whose required condition is met.
        is_provisional: Rests on the preview of an upload in progress and may change.
        is_narrowed: `title` is the narrower title of a weak reading, which says what is seen.
        is_capped: Supported by weak readings only.
        fault: Why it could not be evaluated; "" when it was.
        library: Library of a team that the signature is from, with the commit; "" for that of Casebook.
    """

    SPARSE: ClassVar[frozenset[str]] = frozenset({"is_narrowed", "is_capped", "fault", "library"})

    kind: Literal["signature"] = "signature"
    level: Level
    fingerprint: str
    signature: str
    version: int = 0
    title: str
    severity: Severity
    status: str = "stable"
    host: str
    phase: str
    verdict: Verdict
    headline: str = ""
    certainty: str = ""
    because: str = ""
    score: float = 0.0
    confidence: float | None = None
    confidence_word: str | None = None
    coverage: float = 0.0
    coverage_word: str = ""
    caps: tuple[CapDocument, ...] = ()
    rivals_open: tuple[str, ...] = ()
    affected: Affected = field(default_factory=Affected)
    entity: Mapping[str, str] = field(default_factory=dict)
    extract: Mapping[str, str] = field(default_factory=dict)
    conditions: tuple[ConditionDocument, ...] = ()
    fixes: tuple[FixDocument, ...] = ()
    next: tuple[ConditionCaptureDocument, ...] = ()
    references: tuple[ReferenceDocument, ...] = ()
    superseded_by: str = ""
    caused_by: str = ""
    suspected_cause: str = ""
    is_near_miss: bool = False
    is_listed: bool = False
    is_provisional: bool = False
    is_narrowed: bool = False
    is_capped: bool = False
    fault: str = ""
    library: str = ""

    @staticmethod
    def completed(document: JsonObject) -> JsonObject:
        """Return a document with level and fingerprint, which those of older releases lack."""
        if "level" in document and "fingerprint" in document:
            return document
        level = LEVEL_OF_SEVERITY.get(str(document.get("severity")), "notable")
        parts = (str(document.get(name, "")) for name in ("signature", "host", "phase"))
        return {"level": level, "fingerprint": fingerprint(*parts), **document}


def fingerprint(*parts: str) -> str:
    """Return the SHA-256 of what a finding is about, the same in the next build; parts hold no measures."""
    return hashlib.sha256(" ".join(parts).encode(errors="surrogatepass")).hexdigest()
