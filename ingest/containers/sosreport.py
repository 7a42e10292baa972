"""Sosreports: what marks one, and its members as files of the captured machine.

A sosreport packs one directory, `sosreport-HOST-…/`, with `proc/`, `sos_commands/` and so on below it.

Source: https://github.com/sosreport/sos
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ingest.model.evidence import Evidence

MARKS = frozenset(("sos_commands", "version.txt", "sos_reports"))
"""Top-level names, one of which is in every sosreport."""

OWN = ("sos_reports/", "sos_logs/", "version.txt")
"""What sos writes about its own run: lists of commands, not their output."""


def without_root(members: Sequence[Evidence]) -> list[Evidence]:
    """Return members with their paths on the captured machine, without the packed directory."""
    return [_moved(member, member.captured_path.partition("/")[2]) for member in members]


def _moved(member: Evidence, captured_path: str) -> Evidence:
    """Return `member` at another captured path, its sections too."""
    sections = tuple(
        replace(section, path=captured_path) if section.path == member.captured_path else section
        for section in member.sections
    )
    return replace(member, captured_path=captured_path, sections=sections)


def host_of(members: Sequence[Evidence]) -> str:
    """Return the host name a sosreport states, "" when it states none."""
    for member in members:
        for section in member.sections:
            for fact in section.reading.facts:
                if fact.name == "host.name":
                    return str(fact.value)
    return ""
