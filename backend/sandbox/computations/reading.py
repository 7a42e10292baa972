"""Reading evidence: parse it, save reading folders, write the report."""

from __future__ import annotations

import json
import os
import time
from dataclasses import asdict
from typing import TYPE_CHECKING, Any

from backend.sandbox.first_part import write_first_part
from backend.sandbox.fork_server import PART, REPORT
from backend.sandbox.members import MemberBytes
from ingest import evidence as front_door
from ingest.model import reading_folder

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    from ingest.evidence import Evidence, Section
    from ingest.model.reading import Skipped

READINGS = "readings"
MEMBERS = "members"
PROGRESS_SECONDS = 0.2


def read(request: dict[str, Any], output: Path, descriptor: int) -> None:
    """Read the evidence of `descriptor` into reading folders below `output`."""
    if request["part_bytes"]:
        with open(descriptor, "rb", closefd=False) as stream:
            write_first_part(stream, output / PART, request["part_bytes"])
        os.dup2(os.open(output / PART, os.O_RDONLY), descriptor)
    with open(descriptor, "rb") as stream:
        evidence = front_door.read_stream(
            stream,
            name=request["name"],
            captured_path=request["captured_path"],
            on_progress=Progress(os.fstat(stream.fileno()).st_size),
        )
        members = MemberBytes(output / MEMBERS)
        if evidence.members:
            stream.seek(0)
            members.save(stream, evidence)
    report = {"evidence": _Saver(output, members.stored).evidence(evidence)}
    text = json.dumps(report, allow_nan=False)
    (output / REPORT).write_text(text, encoding="utf-8", errors="surrogatepass")


def read_several(request: dict[str, Any], output: Path, _input: int) -> None:
    """Read the files of `request`, as many as can be begun in its seconds, into numbered directories."""
    deadline = time.monotonic() + request["seconds"]
    for number, file in enumerate(request["files"]):
        if number and time.monotonic() > deadline:
            return
        place = output / str(number)
        place.mkdir()
        read(file | {"part_bytes": 0}, place, os.open(file["path"], os.O_RDONLY | os.O_CLOEXEC))


class Progress:
    """Reports progress to the worker, throttled."""

    def __init__(self, size_bytes: int) -> None:
        """Start at 0 of `size_bytes` stored bytes."""
        self._size_bytes = max(size_bytes, 1)
        self._told_at = 0.0

    def __call__(self, read_bytes: int) -> None:
        """Report `read_bytes` stored bytes as read."""
        now = time.monotonic()
        if now - self._told_at >= PROGRESS_SECONDS:
            self._told_at = now
            os.write(1, json.dumps({"share": min(read_bytes / self._size_bytes, 1.0)}).encode() + b"\n")


class _Saver:
    """Saves readings in numbered folders below the output directory."""

    def __init__(self, output: Path, members: Mapping[str, str]) -> None:
        self._output = output
        self._members = members
        self._saved = 0

    def evidence(self, evidence: Evidence) -> dict[str, Any]:
        """Save all readings of `evidence` and its members; return its part of the report."""
        return {
            "name": evidence.name,
            "captured_path": evidence.captured_path,
            "sha256": evidence.sha256,
            "size_bytes": evidence.size_bytes,
            "line_count": evidence.line_count,
            "state": evidence.state,
            "reason": evidence.reason,
            "host": evidence.host,
            "placed": evidence.placed and evidence.placed._asdict(),
            "content": self._content(evidence.sha256),
            "skipped": _skipped(evidence.skipped),
            "sections": [self.section(section) for section in evidence.sections],
            "members": [self.evidence(member) for member in evidence.members],
        }

    def _content(self, sha256: str) -> str:
        stored = self._members.get(sha256)
        return f"{MEMBERS}/{stored}" if stored else ""

    def section(self, section: Section) -> dict[str, Any]:
        """Save the reading of `section`; return its part of the report."""
        place = f"{READINGS}/{self._saved}"
        self._saved += 1
        digest = reading_folder.save(section.reading, self._output / place)
        return {
            "ordinal": section.ordinal,
            "format": section.format,
            "format_version": section.format_version,
            "first_line": section.first_line,
            "last_line": section.last_line,
            "path": section.path,
            "command": section.command,
            "folder": place,
            "digest": digest,
        }


def _skipped(rows: tuple[Skipped, ...]) -> list[dict[str, Any]]:
    return [asdict(row) for row in rows]
