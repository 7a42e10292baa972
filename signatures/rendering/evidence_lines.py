"""Evidence summary as text lines.

Example:
    read      pidstat.txt: pidstat (lines 1-3)
    rejected  perf.script: this is a JPEG picture: send the text, not a picture of it
"""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from signatures.rendering.lines import Line
from signatures.rendering.report import flat, name_of

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from ingest.evidence import Evidence, Section
    from ingest.model.reading import Skipped

MAX_SINGLE = 20
"""More files than this are summarised, so that the findings stay on screen."""

TEXT = "text"


def evidence_lines(evidences: Sequence[Evidence], *, with_all: bool = False) -> Iterator[Line]:
    """Yield files read, rejected and skipped; many files are grouped by format unless `with_all`."""
    everything = list(flat(evidences))
    rejected = [evidence for evidence in everything if evidence.state != "read"]
    if not everything:
        yield Line("There is no file to read in it.")
    elif with_all or len(everything) <= MAX_SINGLE:
        for evidence in everything:
            yield from _single(evidence)
    else:
        yield from _summed([evidence for evidence in everything if evidence.state == "read"])
        for evidence in rejected:
            yield from _single(evidence)


def _single(evidence: Evidence) -> Iterator[Line]:
    if evidence.state != "read":
        yield Line(f"rejected  {name_of(evidence)}: {evidence.reason}", "red")
        return
    yield Line(f"read      {name_of(evidence)}: {_content(evidence)}")
    yield from (Line(f"            left out: {_members_words(row)}") for row in evidence.skipped)
    for section in evidence.sections:
        yield from (Line(f"            skipped {_skip_words(row)}") for row in section.reading.skipped)


def _summed(read: Sequence[Evidence]) -> Iterator[Line]:
    files = [evidence for evidence in read if not evidence.members]
    formats = Counter(
        name for evidence in files for name in {section.format for section in evidence.sections}
    )
    as_text = formats.pop(TEXT, 0)
    counts = [f"{name} {count}" for name, count in formats.most_common()]
    yield Line(f"read      {_counted(len(files), 'file')}: {', '.join(counts) or 'no known format'}")
    if as_text:
        yield Line(f"            {_counted(as_text, 'file')} unrecognised, stored as text")
    for archive in read:
        if archive.members:
            yield Line(f"            out of {name_of(archive)}: {_content(archive)}")
        yield from (Line(f"            left out: {_members_words(row)}") for row in archive.skipped)
    skipped: Counter[str] = Counter()
    first: dict[str, str] = {}
    for evidence in files:
        for section in evidence.sections:
            for row in section.reading.skipped:
                skipped[row.reason] += row.count
                first.setdefault(row.reason, f"{name_of(evidence)}:{row.first_line}")
    for reason, count in skipped.most_common():
        yield Line(f"            skipped {_times(count)}, first at {first[reason]}: {reason}")
    yield Line("            --all lists every file")


def _content(evidence: Evidence) -> str:
    if evidence.members:
        return f"archive, {_counted(len(evidence.members), 'member')} read"
    return "; ".join(_section_words(section) for section in evidence.sections) or "nothing recognised"


def _section_words(section: Section) -> str:
    words = section.format
    for profile in section.reading.profiles:
        if profile.has_weights:
            words += f", {_counted(profile.samples, 'sample')}"
            words += f" of {profile.event}" if profile.event else ""
    return f"{words} ({_lines_words(section.first_line, section.last_line)})"


def _lines_words(first: int, last: int) -> str:
    return f"lines {first}-{last}" if last > first else f"line {first}"


def _counted(count: float, noun: str) -> str:
    return f"{count:,.0f} {noun}" if count == 1 else f"{count:,.0f} {noun}s"


def _times(count: int) -> str:
    return "once" if count == 1 else f"{count:,} times"


def _skip_words(row: Skipped) -> str:
    return f"{_times(row.count)}, first at line {row.first_line}: {row.reason}"


def _members_words(row: Skipped) -> str:
    """Archive members have a path, not a line."""
    return f"{_counted(row.count, 'member')}, first the one at place {row.first_line}: {row.reason}"
