"""Outcome of a check for a build: findings, files, expressions that fail it, and the exit status."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Any

from cli.process import exits
from signatures.documents.alarm import is_relevant

if TYPE_CHECKING:
    from collections.abc import Mapping

    from signatures.documents.alarm import AnyFinding
    from signatures.reporting.fail_on import FailOnPolicy


@dataclass(frozen=True, slots=True)
class Sent:
    """One uploaded file; `state` is read, rejected or failed, with the reason."""

    name: str
    state: str
    reason: str


@dataclass(frozen=True)
class Outcome:
    """The findings of a run and its --fail-on expressions.

    Attributes:
        subject: Display name of the judged evidence.
        page: URL of the case; "" where there is none.
        findings: By certainty and severity.
        document: The full JSON report.
    """

    subject: str
    page: str
    findings: tuple[AnyFinding, ...]
    evidence: tuple[Sent, ...]
    gates: tuple[FailOnPolicy, ...] = ()
    document: Mapping[str, Any] = field(default_factory=dict)

    @cached_property
    def hits(self) -> tuple[AnyFinding, ...]:
        """Findings that meet any of the expressions."""
        met = {id(one) for gate in self.gates for one in gate.met_by(self.findings)}
        return tuple(one for one in self.findings if id(one) in met)

    @cached_property
    def relevant(self) -> tuple[AnyFinding, ...]:
        """Matches, alarms that none of them explains, suspected findings, and whatever fails the build."""
        hits = self.hits
        return tuple(one for one in self.findings if one in hits or is_relevant(one))

    def in_state(self, state: str) -> tuple[Sent, ...]:
        """Return the files in `state`."""
        return tuple(one for one in self.evidence if one.state == state)

    @property
    def status(self) -> int:
        """The exit status; 0 only when every file is read."""
        if self.hits:
            return exits.CHECK_FAILED
        if len(self.in_state("read")) + len(self.in_state("rejected")) < len(self.evidence):
            return exits.SERVICE_FAILED
        return exits.INCOMPLETE if self.in_state("rejected") else 0
