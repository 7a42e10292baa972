"""Signatures of the library as JSON values.

Dictionaries with named fields: the compiled library has thousands of them, and lists print them as they are.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, TypedDict

if TYPE_CHECKING:
    from collections.abc import Mapping

    from ingest.model.json_value import JsonObject, JsonValue


class VerificationDocument(TypedDict):
    """The day on which hash and subject of a fix were verified, and the stored text."""

    day: str
    by: str


class LinkDocument(TypedDict):
    """A link with its title."""

    title: str
    url: str


class FixRecordDocument(TypedDict):
    """The record of a fix: releases of every branch, and links; `lines` by release line of packages."""

    name: str
    commit: str
    subject: str
    status: str
    introduced: str
    fixed: list[str]
    absent: list[str]
    lines: dict[str, dict[str, str]]
    verified: VerificationDocument
    links: list[LinkDocument]
    sources: list[str]
    note: str


class AtLeastDocument(TypedDict):
    """A number of conditions, and of which."""

    count: int
    of: list[str]


class RequireDocument(TypedDict):
    """Conditions that a match requires."""

    all: list[str]
    not_false: list[str]
    any: list[str]
    at_least: AtLeastDocument


class SuspectDocument(TypedDict):
    """Score and conditions of a suspect."""

    score: float
    any: list[str]


class MatchDocument(TypedDict):
    """Score and conditions of a match."""

    score: float
    all: list[str]
    any: list[str]
    any_of_pairs: list[list[str]]


class DecideDocument(TypedDict):
    """The conditions that a verdict needs, and its scores."""

    require: RequireDocument
    suspect: SuspectDocument
    match: MatchDocument


class SignatureConditionDocument(TypedDict):
    """One condition of a signature; `asks` are the fields of `ConditionText` of each of its tests."""

    id: str
    title: str
    role: str
    weight: float
    veto: bool
    ruled_out_by: list[str]
    asks: list[JsonObject]


class PublishedSignatureDocument(TypedDict):
    """A signature without its story, as the service publishes it.

    Attributes:
        affected: Rows of the version table with the fields that are stated.
        reported: As its author wrote them.
        next: Captures by the id of the condition that they settle (`CaptureDocument`).
        fixes: As its author wrote them.
        references: `ReferenceDocument` as JSON.
    """

    id: str
    version: int
    title: str
    severity: str
    status: str
    kind: str
    reason: str
    symptoms: list[str]
    aliases: list[str]
    clauses: list[SignatureConditionDocument]
    decide: DecideDocument
    affected: list[Mapping[str, JsonValue]]
    fix_records: list[FixRecordDocument]
    reported: list[dict[str, str]]
    supersedes: list[str]
    next: dict[str, list[dict[str, JsonValue]]]
    fixes: list[JsonObject]
    references: list[dict[str, JsonValue]]


class SignatureDocument(PublishedSignatureDocument):
    """A signature with its story; `library` is that of a team, "" for that of Casebook."""

    story: str
    library: str
