"""What an analysis says, as one value: terminal, Markdown and chat are made of it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from ingest.evidence import Evidence
    from signatures.documents.alarm import AlarmDocument
    from signatures.documents.capture import NextCaptureDocument
    from signatures.documents.finding import FindingDocument
    from signatures.documents.overview import OverviewDocument
    from signatures.documents.panel import PanelDocument


@dataclass(frozen=True, slots=True, kw_only=True)
class Report:
    """Files and what was found in them.

    Attributes:
        evidences: Files in the order given; archives hold members.
        findings: Every signature judged, the most certain first.
        alarms: The worst level first.
        panels: Results of the system-wide analyses by host.
        captures: What to collect next, the most useful first.
    """

    evidences: tuple[Evidence, ...]
    overview: OverviewDocument
    findings: tuple[FindingDocument, ...] = ()
    alarms: tuple[AlarmDocument, ...] = ()
    panels: tuple[PanelDocument, ...] = ()
    captures: tuple[NextCaptureDocument, ...] = ()

    @property
    def has_read(self) -> bool:
        """Whether any evidence could be read."""
        return any(evidence.state == "read" for evidence in self.evidences)

    @property
    def has_verdict(self) -> bool:
        """Whether a signature matches or is suspected."""
        suspicion = self.overview.suspicion
        return bool(self.overview.headline.signature or (suspicion and suspicion.signature))

    def listed(self, *, with_all: bool = False) -> list[FindingDocument]:
        """Return matches, suspected and relevant undecided findings; all with `with_all`."""
        return [finding for finding in self.findings if with_all or finding.is_listed]


def flat(evidences: Sequence[Evidence]) -> Iterator[Evidence]:
    """Yield evidence, each archive followed by its members."""
    for evidence in evidences:
        yield evidence
        yield from flat(evidence.members)


def name_of(evidence: Evidence) -> str:
    """Return the name used in citations."""
    return evidence.captured_path or evidence.name
