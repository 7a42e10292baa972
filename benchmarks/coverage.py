"""What becomes of every file of a collection: its format, or the sentence that rejects it.

    CASEBOOK_CORPORA=/path/to/corpora python -m benchmarks.coverage [MORE_FOLDER…]

writes benchmarks/COVERAGE.md: counts by format and by reason, folder by folder. The collections are public
captures of other projects and recordings; none of them is part of this repository.
"""

from __future__ import annotations

import os
import sys
from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING

from ingest.evidence import read_file
from ingest.formats import text as plain

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ingest.evidence_values import Evidence

RESULTS = Path(__file__).with_name("COVERAGE.md")
MAX_UNKNOWN = 12


class Folder:
    """Counts of one folder of a collection."""

    def __init__(self) -> None:
        """Start with no file."""
        self.files = 0
        self.formats: Counter[str] = Counter()
        self.reasons: Counter[str] = Counter()
        self.only_text: list[str] = []
        self.skipped: Counter[str] = Counter()
        self.lines = 0

    def add(self, path: Path, evidence: Evidence) -> None:
        """Count one file and, of an archive, its members."""
        self.files += 1
        if evidence.state != "read":
            self.reasons[evidence.reason] += 1
            return
        found = {section.format for one in flat(evidence) for section in one.sections}
        for one in flat(evidence):
            self.lines += one.line_count
            for section in one.sections:
                self.formats[section.format] += 1
                for row in section.reading.skipped:
                    self.skipped[section.format] += row.count
        if found == {plain.NAME}:
            self.only_text.append(path.name)


def flat(evidence: Evidence) -> Iterator[Evidence]:
    """Yield evidence and its members."""
    yield evidence
    for member in evidence.members:
        yield from flat(member)


def survey(root: Path) -> dict[str, Folder]:
    """Return the counts of every folder directly below `root`."""
    folders: dict[str, Folder] = {}
    for path in sorted(path for path in root.rglob("*") if path.is_file()):
        inside = path.relative_to(root).parts
        name = inside[0] if len(inside) > 1 else "(top)"
        folders.setdefault(name, Folder()).add(path, read_file(path))
    return folders


def table(title: str, folders: dict[str, Folder]) -> Iterator[str]:
    """Yield one collection as Markdown."""
    yield f"## {title}"
    yield ""
    yield "| folder | files | read | only as text | rejected | sections by format |"
    yield "| --- | ---: | ---: | ---: | ---: | --- |"
    for name, folder in folders.items():
        rejected = folder.reasons.total()
        formats = ", ".join(f"{one} {count:,}" for one, count in folder.formats.most_common())
        read = folder.files - rejected - len(folder.only_text)
        yield f"| {name} | {folder.files} | {read} | {len(folder.only_text)} | {rejected} | {formats} |"
    reasons: Counter[str] = Counter()
    for folder in folders.values():
        reasons.update(folder.reasons)
    yield ""
    if reasons:
        yield "| rejected because | files |"
        yield "| --- | ---: |"
        yield from (f"| {reason.replace('|', ' ')} | {count} |" for reason, count in reasons.most_common())
        yield ""
    files = sum(folder.files for folder in folders.values())
    lines = sum(folder.lines for folder in folders.values())
    skipped = sum(folder.skipped.total() for folder in folders.values())
    unknown = sum(len(folder.only_text) for folder in folders.values())
    yield f"{files:,} files, {lines:,} lines: {files - unknown - reasons.total():,} read with a format,"
    yield f"{unknown} kept as text alone, {reasons.total()} rejected; {skipped:,} lines skipped and counted."
    yield ""
    kept = [name for folder in folders.values() for name in folder.only_text]
    shown = ", ".join(f"`{name}`" for name in kept[:MAX_UNKNOWN])
    if kept:
        yield f"Kept as text, the first {min(len(kept), MAX_UNKNOWN)}: {shown}."
        yield ""


def main(roots: list[Path]) -> None:
    """Survey the roots and write the page."""
    lines = [
        "# What becomes of every file",
        "",
        "Written by `python -m benchmarks.coverage`. A file ends *read* with its formats, kept as *text*, or",
        "*rejected* with a sentence; nothing else happens to it. Prose between outputs is a section `text`.",
        "",
    ]
    for root in roots:
        lines += table(root.name, survey(root))
    RESULTS.write_text("\n".join(lines).rstrip() + "\n", encoding="utf-8")


if __name__ == "__main__":
    named = os.environ.get("CASEBOOK_CORPORA")
    main([*map(Path, sys.argv[1:]), *([Path(named)] if named else [])])
