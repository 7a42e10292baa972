"""Changelog of a kernel package: `rpm -q --changelog kernel-core-…`, `changelog.Debian.gz`.

Examples:
    * Tue Mar 05 2024 A Maintainer <a@vendor.example> [5.14.0-427.13.1.el9_4]
    - writeback: Avoid softlockup when switching many inodes (A Developer) [RHEL-12345]

    linux (6.1.106-3) bookworm; urgency=medium

      * New upstream stable update:
        - writeback: Avoid softlockup when switching many inodes

The command may name the release: `rpm -q --changelog kernel-core-5.14.0-427.13.1.el9_4.x86_64`.

Source: rpm(8), deb-changelog(5).
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from ingest.model.reading import Reading, RowSet, SkipCounter
from ingest.native.linear import Pattern

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ingest.model.section import Text

NAME = "kernel-changelog"
VERSION = 1
TITLE = "Changelog of a kernel package"
EXAMPLE = (
    "* Tue Mar 05 2024 A Maintainer <a@vendor.example> [5.14.0-427.13.1.el9_4]\n"
    "- writeback: Avoid softlockup when switching many inodes (A Developer) [RHEL-12345]"
)

PATHS: tuple[str, ...] = ("usr/share/doc/linux-*/changelog.Debian",)
COMMANDS: tuple[str, ...] = (
    r"rpm -q[a-z]* --changelog (?:-f \S+|kernel\S*)",
    r"zcat /usr/share/doc/linux-\S+/changelog\.Debian\.gz",
    r"apt-get changelog linux-\S+",
)
HINTS: tuple[str, ...] = ("changelog.Debian*",)

SET = "kernel_changelog"
COLUMNS = ("version", "text", "release")
_RPM = Pattern(
    r"^\* (?:Mon|Tue|Wed|Thu|Fri|Sat|Sun) (?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec) +\d{1,2} "
    r"(?:\d{2}:\d{2}:\d{2} \w+ )?\d{4} (?P<who>[^\[]*?)"
    r"(?:\[(?P<bracketed>\d+\.[^\]]+)\]| - (?P<dashed>\d+\.\d+\S*))?\s*$"
)
_DEB = Pattern(r"^linux[\w.+-]* \((?P<version>\d+\.\d+[^)\s]*)\) [^;]+; urgency=\w+")
_KERNEL = Pattern(r"^\d+\.\d+\.\d+-")
_TRAILER = re.compile(r"^ -- ")
_RELEASE = Pattern(
    r"kernel[a-z-]*-(?P<release>\d+\.\d+\.\d+-\S+)|linux-\w+-(?P<deb>\d+\.\d+\.\d+\S*?)(?:/|$)"
)


STARTS = (
    r"\* [A-Z][a-z][a-z] ",
    r"linux[\w.+-]* \(",
)


def begins(lines: Sequence[str], at: int) -> bool:
    """Return whether the changelog of a kernel package starts at `lines[at]`."""
    if _DEB.match(lines[at]):
        return True
    found = _RPM.match(lines[at])
    if not found:
        return False
    version = found["bracketed"] or found["dashed"] or ""
    return bool(_KERNEL.match(version)) and at + 1 < len(lines) and lines[at + 1].startswith("- ")


def continues(line: str) -> bool:
    """Return whether `line` is a heading, an entry, a continued entry or a trailer."""
    return line.startswith((" ", "-", "*")) or bool(_DEB.match(line)) or not line.strip()


def read(text: Text) -> Reading:
    """Read every entry with the version of its heading."""
    skips = SkipCounter()
    rows: list[tuple[str, str, str]] = []
    places: list[int] = []
    version = ""
    named = _RELEASE.search(text.command or text.path)
    release = (named["release"] or named["deb"] or "") if named else ""
    for line, entry in enumerate(text.lines, start=text.first_line):
        if heading := _RPM.match(entry):
            version = heading["bracketed"] or heading["dashed"] or version
        elif heading := _DEB.match(entry):
            version = heading["version"]
        elif _TRAILER.match(entry) or not entry.strip():
            continue
        elif entry.startswith(("- ", " ")):
            rows.append((version, entry.strip(), release))
            places.append(line)
        else:
            skips.add("not an entry of a changelog", line)
    sets = (RowSet.of_rows(SET, COLUMNS, tuple(rows), tuple(places)),) if rows else ()
    return Reading(row_sets=sets, skipped=skips.result())
