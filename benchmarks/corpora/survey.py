"""Counts of one collection: files by format, by reason of rejection, by reason of being text."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from benchmarks.corpora.claims import why_text
from ingest.readers.logs import text as plain

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ingest.model.evidence import Evidence


class Folder:
    """Counts of one folder of a collection."""

    def __init__(self) -> None:
        """Start with no file."""
        self.files = 0
        self.formats: Counter[str] = Counter()
        self.reasons: Counter[str] = Counter()
        self.texts: Counter[str] = Counter()
        self.skipped = 0
        self.lines = 0

    def add(self, path: str, evidence: Evidence) -> None:
        """Count one file and, for an archive, its members; `path` is relative to the collection."""
        self.files += 1
        if evidence.state != "read":
            self.reasons[evidence.reason] += 1
            return
        for one in flat(evidence):
            self.lines += one.line_count
            for section in one.sections:
                self.formats[section.format] += 1
                self.skipped += sum(row.count for row in section.reading.skipped)
        if formats_of(evidence) <= {plain.NAME}:
            self.texts[why_text(path) or "no documented reason"] += 1


def flat(evidence: Evidence) -> Iterator[Evidence]:
    """Yield evidence and its members."""
    yield evidence
    for member in evidence.members:
        yield from flat(member)


def formats_of(evidence: Evidence) -> set[str]:
    """Return the formats of all sections, members included."""
    return {section.format for one in flat(evidence) for section in one.sections}


def table(title: str, folders: dict[str, Folder]) -> Iterator[str]:
    """Yield one collection as Markdown."""
    yield f"## {title}"
    yield ""
    yield "| folder | files | read | text alone | rejected | sections by format |"
    yield "| --- | ---: | ---: | ---: | ---: | --- |"
    for name, folder in folders.items():
        rejected, texts = folder.reasons.total(), folder.texts.total()
        formats = ", ".join(f"{one} {count:,}" for one, count in folder.formats.most_common())
        read = folder.files - rejected - texts
        yield f"| {name} | {folder.files} | {read} | {texts} | {rejected} | {formats} |"
    yield ""
    reasons = sum((folder.reasons for folder in folders.values()), Counter[str]())
    texts_by_reason = sum((folder.texts for folder in folders.values()), Counter[str]())
    yield from _reasons("rejected because", reasons)
    yield from _reasons("text alone because it is", texts_by_reason)
    files = sum(folder.files for folder in folders.values())
    lines = sum(folder.lines for folder in folders.values())
    skipped = sum(folder.skipped for folder in folders.values())
    read = files - reasons.total() - texts_by_reason.total()
    yield f"{files:,} files, {lines:,} lines: {read:,} read with a format, {texts_by_reason.total()} kept as"
    yield f"text alone, {reasons.total()} rejected; {skipped:,} lines skipped and counted."
    yield ""


def _reasons(head: str, counted: Counter[str]) -> Iterator[str]:
    if not counted:
        return
    yield f"| {head} | files |"
    yield "| --- | ---: |"
    yield from (f"| {reason.replace('|', ' ')} | {count} |" for reason, count in counted.most_common())
    yield ""
