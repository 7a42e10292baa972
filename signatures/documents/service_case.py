"""Cases and notes as a service returns them; only the fields that text for people shows."""

from __future__ import annotations

from typing import TYPE_CHECKING, NotRequired, TypedDict

if TYPE_CHECKING:
    from collections.abc import Mapping


class ServiceHeadline(TypedDict):
    """The headline of a case; of signature, alarm and suspicion one at most is not empty."""

    text: str
    signature: str
    alarm: str
    suspicion: str


class ServiceName(TypedDict):
    """A person or team by name."""

    name: str


class ServiceCase(TypedDict):
    """A case; times are ISO 8601.

    Attributes:
        status: `investigating`, `mitigated` or `resolved`.
        name: The title, or the headline of a case that nobody named; services of before lack it.
        severity: "" or null without a finding.
        judged: Whether everything is read and judged.
        resolution: Cause, signature and fix of a closed case.
        closed_at: Null while it is open.
        problems, kernels, distros, classes, labels, seen_before: Of a case of a list.
    """

    number: int
    title: str
    name: NotRequired[str]
    state: str
    status: str
    severity: str | None
    assignee: ServiceName | None
    team: ServiceName | None
    tags: list[str]
    created_at: str
    updated_at: str
    hosts: list[str]
    evidence_count: int
    unread_count: int
    judged: bool
    headline: ServiceHeadline | None
    resolution: Mapping[str, str] | None
    closed_at: NotRequired[str | None]
    problems: NotRequired[list[str]]
    kernels: NotRequired[list[str]]
    distros: NotRequired[list[str]]
    classes: NotRequired[list[str]]
    labels: NotRequired[list[str]]
    seen_before: NotRequired[int]


class ServiceNote(TypedDict):
    """A note of a person; `text` is Markdown."""

    author: str
    created_at: str
    text: str
