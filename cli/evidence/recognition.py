"""Recognised sections of evidence, without judging it: the core of `casebook inspect`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cli.evidence.documents import skipped_document
from cli.evidence.paths import read
from signatures.rendering.recognition import contents_of
from signatures.rendering.report import flat

if TYPE_CHECKING:
    from collections.abc import Sequence

    from cli.evidence.documents import RecognisedDocument
    from ingest.evidence import Evidence


def recognised(paths: Sequence[str]) -> list[Evidence]:
    """Read `paths` (files, directories, archives, `-` for standard input), each member of an archive."""
    return list(flat(list(read(paths))))


def recognised_document(evidence: Evidence) -> RecognisedDocument:
    """Return the recognised sections of a file as JSON values."""
    return {
        "name": evidence.name,
        "captured_path": evidence.captured_path,
        "state": evidence.state,
        "reason": evidence.reason,
        "line_count": evidence.line_count,
        "members": len(evidence.members),
        "left_out": list(map(skipped_document, evidence.skipped)),
        "sections": [
            {
                "format": section.format,
                "format_version": section.format_version,
                "first_line": section.first_line,
                "last_line": section.last_line,
                "path": section.path,
                "command": section.command,
                "gives": contents_of(section.reading),
                "quality": [
                    {"name": one.name, "detail": one.detail, "line": one.line}
                    for one in section.reading.quality
                ],
                "skipped": list(map(skipped_document, section.reading.skipped)),
            }
            for section in evidence.sections
        ],
    }
