"""A check for a build as one value: findings, files, and the expressions that fail it."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Protocol

from signatures.documents.alarm import is_relevant

if TYPE_CHECKING:
    from collections.abc import Iterable

    from ingest.model.json_value import JsonObject
    from signatures.documents.alarm import AnyFinding


class Gate(Protocol):
    """An expression of --fail-on (`signatures.reporting.fail_on.FailOnPolicy`)."""

    @property
    def text(self) -> str:
        """Its source."""

    def met_by(self, findings: Iterable[AnyFinding]) -> list[AnyFinding]:
        """Return the findings that satisfy it."""


@dataclass(frozen=True, slots=True)
class Sent:
    """One file; `state` is read, rejected or failed, with the reason."""

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
        document: The JSON report of the service, printed as it came.
    """

    subject: str
    page: str
    findings: tuple[AnyFinding, ...]
    evidence: tuple[Sent, ...]
    gates: tuple[Gate, ...] = ()
    document: JsonObject = field(default_factory=dict)

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

    @cached_property
    def unread(self) -> tuple[Sent, ...]:
        """Files that could not be read."""
        return tuple(one for one in self.evidence if one.state != "read")

    @property
    def sentence(self) -> str:
        """The outcome in one sentence."""
        hits = len(self.hits)
        expression = " or ".join(gate.text for gate in self.gates)
        if hits:
            counted = f"{hits} {'finding' if hits == 1 else 'findings'} with {expression}"
        elif self.gates:
            counted = f"no finding with {expression}"
        else:
            count = len(self.relevant)
            counted = f"{count or 'no'} {'finding' if count == 1 else 'findings'}"
        unread = (
            f"; {len(self.unread)} of {len(self.evidence)} files could not be read" if self.unread else ""
        )
        return f"{self.subject}: {counted}{unread}"
