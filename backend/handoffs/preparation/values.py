"""Values between the stages of a preparation: each adds the results of its stage to those before.

    Preparation → LearnedNames → RedactedFiles → JudgedContents → WrittenBundle → ScannedBundle

Each stage accepts only the value of the stage before, so the type checker verifies their order.
"""

from __future__ import annotations

from dataclasses import dataclass, fields
from typing import TYPE_CHECKING, Any, TypeVar

if TYPE_CHECKING:
    from pathlib import Path

    from backend.core.jobs.run import Run
    from backend.handoffs.contents import BundleFile, Contents
    from backend.handoffs.selection import Subject
    from ingest.redact import Redactor


@dataclass(frozen=True, slots=True, kw_only=True)
class Preparation:
    """A preparation before its first stage.

    Attributes:
        scratch: Directory for redacted texts and the bundle; deleted at the end.
    """

    run: Run
    subject: Subject
    scratch: Path


@dataclass(frozen=True, slots=True, kw_only=True)
class LearnedNames(Preparation):
    """The redactor knows every name of the case; its counts grow while it redacts."""

    redactor: Redactor


@dataclass(frozen=True, slots=True, kw_only=True)
class RedactedFiles(LearnedNames):
    """The chosen text evidence, redacted."""

    files: tuple[BundleFile, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class JudgedContents(RedactedFiles):
    """The contents with the verdicts on the redacted evidence.

    Attributes:
        compared: Number of verdicts compared with those before redaction.
        listed: Number of verdicts that a case page lists.
    """

    contents: Contents
    compared: int
    listed: int


@dataclass(frozen=True, slots=True, kw_only=True)
class WrittenBundle(JudgedContents):
    """The bundle as a file.

    Attributes:
        documents: Generated documents of the bundle by path.
    """

    documents: dict[str, bytes]
    path: Path
    sha256: str
    size_bytes: int


@dataclass(frozen=True, slots=True, kw_only=True)
class ScannedBundle(WrittenBundle):
    """The bundle with the findings of the leak scan and of the second look."""

    leaks: tuple[dict[str, Any], ...]
    open_classes: tuple[dict[str, Any], ...]


Value = TypeVar("Value", bound=Preparation)


def extend(value: Preparation, to: type[Value], **results: Any) -> Value:
    """Return `value` with the results of the next stage."""
    return to(**{field.name: getattr(value, field.name) for field in fields(value)}, **results)
