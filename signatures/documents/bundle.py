"""Manifest of a bundle."""

from __future__ import annotations

from typing import TypedDict


class _Member(TypedDict):
    path: str
    sha256: str
    size_bytes: int


class MemberDocument(_Member, total=False):
    """One file of a bundle; host, boot and phase are those of evidence, which older bundles lack."""

    host: str
    boot: str
    phase: str


class EngineDocument(TypedDict):
    """The program that wrote a document."""

    name: str
    version: str


class BundledCaseDocument(TypedDict):
    """The case that was handed over."""

    number: int
    title: str


class ManifestDocument(TypedDict):
    """Every member but the manifest, by path."""

    format: str
    version: int
    engine: EngineDocument
    case: BundledCaseDocument
    is_redacted: bool
    members: list[MemberDocument]
