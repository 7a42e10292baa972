"""What is computed of the readings of a case, and stored with it."""

from __future__ import annotations

from dataclasses import dataclass

from signatures.documents.alarm import AlarmDocument
from signatures.documents.capture import NextCaptureDocument
from signatures.documents.comparison import ComparisonDocument
from signatures.documents.finding import FindingDocument
from signatures.documents.overview import CaseHeadlineDocument, OverviewDocument
from signatures.documents.panel import PanelDocument
from signatures.documents.waits import WaitGraphDocument


@dataclass(frozen=True, slots=True)
class Judgement:
    """Verdicts over all readings of a case.

    Attributes:
        findings: Of every signature, host and phase; `is_provisional` where a reading is.
        next_captures: What to collect next.
    """

    findings: tuple[FindingDocument, ...]
    next_captures: tuple[NextCaptureDocument, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class CaseScreen:
    """What the pages of a case show beside its findings.

    Attributes:
        headline: The first sentence as lists show it; None without evidence that is read.
        overview: The first screen.
        panels: The system-wide analyses.
        waits: Wait graphs of the hosts and phases whose evidence shows tasks.
        comparisons: Whether the recordings of two phases of a host compare.
    """

    headline: CaseHeadlineDocument | None = None
    alarms: tuple[AlarmDocument, ...] = ()
    overview: OverviewDocument
    panels: tuple[PanelDocument, ...] = ()
    waits: tuple[WaitGraphDocument, ...] = ()
    comparisons: tuple[ComparisonDocument, ...] = ()
