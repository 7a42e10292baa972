"""Local analysis of evidence without a server, used by `analyze` and `signature explain`."""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

from backend.core.version import VERSION
from cli.evidence.documents import skipped_document
from cli.evidence.paths import read
from signatures.document.catalog import load_catalog
from signatures.documents import SCHEMA_VERSION
from signatures.documents.codec import to_document, to_documents
from signatures.judging.judge import judge
from signatures.judging.scope import items_of
from signatures.overview import run
from signatures.overview.alarm_findings import alarm_findings, in_rank
from signatures.overview.first_screen import overview_of
from signatures.overview.report import panel_document
from signatures.overview.screen_document import headline_document, overview_document
from signatures.rendering.check import Outcome, Sent
from signatures.rendering.report import Report, flat, name_of
from signatures.reporting.next_captures import next_captures
from signatures.reporting.report import finding_document, next_documents

if TYPE_CHECKING:
    from collections.abc import Sequence

    from cli.evidence.documents import AnalysisDocument, EvidenceDocument, FactDocument, SectionDocument
    from ingest.evidence import Evidence, Section
    from ingest.model.facts import Fact
    from signatures.documents.alarm import AlarmDocument, AnyFinding
    from signatures.documents.finding import FindingDocument
    from signatures.documents.levels import Severity
    from signatures.judging.finding import Finding
    from signatures.language.model import Catalog
    from signatures.overview import Panel
    from signatures.overview.first_screen import Overview
    from signatures.reporting.fail_on import FailOnPolicy


@dataclass(frozen=True)
class Analysis:
    """Evidence and findings of a local analysis.

    Attributes:
        evidences: Files in the order given; archives hold members.
        findings: Every signature judged, the most certain first.
        problems: Errors of signatures that could not be loaded, as sentences.
        panels: Results of the system-wide analyses by host.
    """

    evidences: tuple[Evidence, ...]
    findings: tuple[Finding, ...]
    problems: tuple[str, ...] = ()
    panels: tuple[Panel, ...] = ()

    @property
    def has_read(self) -> bool:
        """Whether any evidence could be read."""
        return any(evidence.state == "read" for evidence in self.evidences)

    @cached_property
    def overview(self) -> Overview:
        """Headline, assessed questions, statements and the next capture."""
        formats = {section.format for one in flat(self.evidences) for section in one.sections}
        return overview_of(
            self.panels,
            self._documents,
            [wanted.capture.run for wanted in next_captures(self.findings)],
            formats,
        )

    @cached_property
    def alarms(self) -> list[AlarmDocument]:
        """Alarms as finding documents, the worst level first."""
        return alarm_findings(self.panels, self._documents)

    @property
    def severity(self) -> Severity | None:
        """Severity of the finding or alarm of the headline."""
        return headline_document(self.overview, self._documents, self.alarms).severity

    @cached_property
    def _documents(self) -> list[FindingDocument]:
        return [finding_document(finding) for finding in self.findings]

    def documents(self, *, with_all: bool = False) -> list[AnyFinding]:
        """Return the documents of listed findings and of alarms, by certainty."""
        return in_rank([one for one in self._documents if with_all or one.is_listed], self.alarms)

    @cached_property
    def report(self) -> Report:
        """The analysis as wire values, of which reports for people are made."""
        return Report(
            evidences=self.evidences,
            overview=overview_document(self.overview, self.severity),
            findings=tuple(self._documents),
            alarms=tuple(self.alarms),
            panels=tuple(map(panel_document, self.panels)),
            captures=next_documents(next_captures(self.findings)),
        )


def analyse(paths: Sequence[str], catalog: Catalog | None = None) -> Analysis:
    """Read `paths` (files, directories, archives, `-` for standard input) and judge them."""
    evidences = tuple(read(paths))
    library = catalog or load_catalog()
    items = items_of(evidences)
    findings = judge(items, library)
    problems = tuple(str(problem) for problem in library.problems)
    return Analysis(evidences, tuple(findings), problems, tuple(run(items)))


def document(analysis: Analysis, *, with_all: bool = False) -> AnalysisDocument:
    """Return an analysis as JSON values; `analyze.schema.json` describes it."""
    return {
        "schema_version": SCHEMA_VERSION,
        "engine": {"name": "casebook", "version": VERSION},
        "evidence": [_evidence(evidence) for evidence in flat(analysis.evidences)],
        "overview": to_document(analysis.report.overview),
        "findings": to_documents(analysis.documents(with_all=with_all)),
        "next_captures": to_documents(analysis.report.captures),
        "analyses": to_documents(analysis.report.panels),
    }


def outcome_of(analysis: Analysis, gates: Sequence[FailOnPolicy]) -> Outcome:
    """Return the analysis as the outcome of a CI check."""
    evidence = tuple(flat(analysis.evidences))
    return Outcome(
        subject=", ".join(name_of(one) for one in analysis.evidences),
        page="",
        findings=tuple(analysis.documents()),
        evidence=tuple(Sent(name_of(one), one.state, one.reason) for one in evidence),
        gates=tuple(gates),
    )


def _evidence(evidence: Evidence) -> EvidenceDocument:
    return {
        "name": evidence.name,
        "captured_path": evidence.captured_path,
        "sha256": evidence.sha256,
        "size_bytes": evidence.size_bytes,
        "line_count": evidence.line_count,
        "state": evidence.state,
        "reason": evidence.reason,
        "sections": [_section(section) for section in evidence.sections],
        "skipped": [skipped_document(row) for row in evidence.skipped],
    }


def _section(section: Section) -> SectionDocument:
    return {
        "format": section.format,
        "first_line": section.first_line,
        "last_line": section.last_line,
        "path": section.path,
        "command": section.command,
        "skipped": [skipped_document(row) for row in section.reading.skipped],
        "profiles": [
            {
                "event": profile.event,
                "unit": profile.unit,
                "samples": profile.samples,
                "weight": profile.weight,
            }
            for profile in section.reading.profiles
        ],
        "facts": [_fact(fact) for fact in section.reading.facts],
    }


def _fact(fact: Fact) -> FactDocument:
    value = fact.value
    if isinstance(value, float) and not math.isfinite(value):
        value = str(value)
    return {
        "name": fact.name,
        "value": value,
        "unit": fact.unit,
        "labels": dict(fact.labels),
        "first_line": fact.lines.first,
        "last_line": fact.lines.last,
    }
