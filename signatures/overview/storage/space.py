"""File systems that are full, in space or in inodes: `/var has no space left: 100 % of 48 GiB used`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from signatures.language.number_format import quantity_words
from signatures.overview.model import Answer, Figure, Statement, shortened

if TYPE_CHECKING:
    from signatures.overview.scope_evidence import FactEntry, ScopeEvidence

SHOWN = 6
FULL_SHARE = 0.98
CAPTURE = "df -T; df -i"


def filesystem_space(evidence: ScopeEvidence) -> Answer:
    """Return the fullest file systems, by space and by inodes."""
    figures: list[Figure] = []
    statements: list[Statement] = []
    sizes = {_key(one): one for one in evidence.facts("filesystem.size_bytes")}
    for name, words in (("space", "space"), ("inodes", "inodes")):
        used = evidence.facts(f"filesystem.{name}_used_share")
        for entry in sorted(used, key=lambda one: -one.number)[:SHOWN]:
            size = sizes.get(_key(entry)) if name == "space" else None
            is_full = entry.number >= FULL_SHARE
            places = (entry.place,)
            of = f" of {quantity_words(size.number, 'bytes')}" if size else f" of the {words}"
            note = f"{quantity_words(entry.number, 'share')}{of}"
            figures.append(
                Figure(f"{entry.label('mount')}: {words} used", entry.number, "share", places, is_full)
            )
            if is_full:
                text = f"{entry.label('mount')} has no {words} left: {note} used"
                statements.append(
                    Statement("io", text, places, "alarm", subject=f"{words} of {entry.label('mount')}")
                )
    if not figures:
        return Answer("No data about space in file systems.", lacks=(CAPTURE,))
    figures.sort(key=lambda one: -float(one.value))
    summary = f"{statements[0].text}." if statements else "No file system is full."
    return Answer(summary, shortened(figures, SHOWN), (), tuple(statements))


def _key(entry: FactEntry) -> tuple[int, str, int]:
    return (id(entry.item), entry.label("mount"), entry.fact.snapshot)
