"""Objects of SARIF 2.1.0 that reports have; fields are named as there.

Source: https://docs.oasis-open.org/sarif/sarif/v2.1.0/
"""

from __future__ import annotations

from typing import NotRequired, TypedDict


class Message(TypedDict):
    """A text, with the same as Markdown."""

    text: str
    markdown: NotRequired[str]


class ArtifactLocation(TypedDict):
    """A percent-encoded path relative to the checkout."""

    uri: str


class Region(TypedDict):
    """Lines, from 1."""

    startLine: int
    endLine: int


class PhysicalLocation(TypedDict):
    """Lines of a file."""

    artifactLocation: ArtifactLocation
    region: Region


class LogicalLocation(TypedDict):
    """A function."""

    fullyQualifiedName: str
    kind: str


class Location(TypedDict):
    """A place that shows a result; `id` numbers the related ones from 1."""

    id: NotRequired[int]
    physicalLocation: PhysicalLocation
    logicalLocations: NotRequired[list[LogicalLocation]]
    message: NotRequired[Message]


class Configuration(TypedDict):
    """`error`, `warning` or `note`."""

    level: str


class RuleProperties(TypedDict):
    """What SARIF has no field for."""

    kind: str
    severity: str
    level: str
    status: str


class Rule(TypedDict):
    """A reporting descriptor."""

    id: str
    name: str
    shortDescription: Message
    fullDescription: Message
    help: Message
    helpUri: NotRequired[str]
    defaultConfiguration: Configuration
    properties: NotRequired[RuleProperties]


class Result(TypedDict):
    """A result of a rule, with fingerprints by the name of their method."""

    ruleId: str
    level: str
    message: Message
    locations: list[Location]
    relatedLocations: list[Location]
    partialFingerprints: dict[str, str]
