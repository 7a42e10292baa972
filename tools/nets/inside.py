"""What a checkout makes of its inputs, written as files: `python inside.py OUT PART` in its root.

This file alone runs with the Python and the code of the checkout that is looked at, which may be older or
newer than the file. So it calls the command and the entry points of the engine only.
"""

from __future__ import annotations

import hashlib
import json
import math
import re
import sys
import tarfile
import tempfile
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Iterator

SUFFIXES = ("txt", "md", "json", "sarif", "xml")
"""Of reports that `--output` writes by the suffix of their file."""

NOT_EVIDENCE = ("PROVENANCE.md", "expect.yaml")
HANDED = ("manifest.json", "summary.md", "case.html", "findings.json")
"""Members of a handoff bundle beside the evidence, whose digests the manifest has."""

COMMANDS = ("cli", "backend.cli")
"""Modules of the command, the newer place first."""

FIRST_LINES = 40
"""Lines of a sample that the table of recognition is made of."""


_READ = re.compile(r"(Read [\d,]+ files: )([^.;\n]*)")
"""Formats with equally many files, which older checkouts list in the order of a set, which is random."""


def inside(out: Path, part: int) -> None:
    """Write the nets of the checkout in the working directory."""
    for path in _chosen(_files(), part):
        _write(out / "readings" / f"{path}.json", _reading(path))
        _write(out / "recognition" / f"{path}.txt", "\n".join(_recognised(path)))
    for case in _chosen(_cases(), part):
        report = _analyse(case, out / "cases" / case)
        if case.name.startswith("pos-"):
            _hand_over(case, report, out / "handoffs" / case)
    _write(out / "openapi.json", _run("openapi"))


def _chosen(paths: Iterator[Path], part: int) -> Iterator[Path]:
    return (path for path in paths if is_chosen(str(path), part))


def is_chosen(subject: str, part: int) -> bool:
    """Return whether an input is taken: by its name, so that further inputs do not change the choice."""
    return int(hashlib.sha256(subject.encode()).hexdigest(), 16) % part == 0


def _files() -> Iterator[Path]:
    """Yield every sample of a format and every file of a fixture, relative to the checkout."""
    for path in sorted(Path("tests/data").rglob("*")):
        is_sample = path.is_file() and path.parts[2] not in {"expected", "builds", "contributing", "releases"}
        if is_sample and path.name != "PROVENANCE.md" and path.stat().st_size < 2_000_000:
            yield path
    for path in sorted(Path("signatures/library").glob("*/*/evidence/*/**/*")):
        if path.is_file() and path.name not in NOT_EVIDENCE:
            yield path


def _cases() -> Iterator[Path]:
    """Yield every folder or file that is analysed as a case, relative to the checkout."""
    for path in sorted(Path("signatures/library").rglob("expect.yaml")):
        # A fixture that has the evidence of another one has no files.
        if any(one.name not in NOT_EVIDENCE for one in path.parent.iterdir()):
            yield path.parent
    yield from sorted(Path("tests/data/published").iterdir())
    yield from sorted(Path("benchmarks/pool/shown").rglob("*.txt"))


def _reading(path: Path) -> str:
    from ingest.evidence import read_file  # noqa: PLC0415 - of the checkout that is looked at
    from ingest.model import reading_documents  # noqa: PLC0415 - same

    evidence = read_file(path, captured_path=_captured(path))
    document = {
        "state": evidence.state,
        "reason": evidence.reason,
        "members": len(evidence.members),
        "sections": [
            {
                "format": section.format,
                "lines": [section.first_line, section.last_line],
                "path": section.path,
                "profiles": [_profile(profile) for profile in section.reading.profiles],
                **reading_documents.documents(section.reading),
                "row_sets": [_rows(rows) for rows in section.reading.row_sets],
            }
            for section in evidence.sections
        ],
    }
    return json.dumps(document, indent=1, ensure_ascii=False, default=str)


def _rows(rows: Any) -> dict[str, Any]:
    """Return a set of rows; checkouts differ in whether it is held, and kept, by row or by column."""
    cells = [list(map(_cell, column)) for column in zip(*rows.rows, strict=True)]
    return {
        "name": rows.name,
        "columns": list(rows.columns),
        "cells": cells,
        "row_lines": list(rows.row_lines),
        "duration": rows.duration,
    }


def _cell(value: Any) -> Any:
    return {"float": str(value)} if isinstance(value, float) and not math.isfinite(value) else value


def _captured(path: Path) -> str:
    """Return the path that a file has on the machine it is of: below its fixture, or below files/MACHINE."""
    if path.parts[0] == "signatures":
        return "/".join(path.parts[6:])
    return "/".join(path.parts[4:]) if path.parts[2] == "files" else ""


def _profile(profile: Any) -> dict[str, Any]:
    columns = {
        name: value for name in profile.__slots__ if hasattr(value := getattr(profile, name), "tobytes")
    }
    digest = hashlib.sha256(b"".join(columns[name].tobytes() for name in sorted(columns)))
    frames = [frame.name for frame in profile.frames]
    return {"event": profile.event, "unit": profile.unit, "columns": digest.hexdigest(), "frames": frames}


def _recognised(path: Path) -> Iterator[str]:
    """Yield the readers that begin or continue at each of the first lines of a sample."""
    from ingest.readers import FORMATS  # noqa: PLC0415 - of the checkout that is looked at

    lines = path.read_bytes()[:200_000].decode("utf-8", "replace").splitlines()[:FIRST_LINES]
    for number, line in enumerate(lines, start=1):
        begin = [one.NAME for one in FORMATS if one.begins(lines, number - 1)]
        continue_ = [one.NAME for one in FORMATS if one.continues(line)]
        yield f"{number} begin: {' '.join(begin)}; continue: {' '.join(continue_)}"


def _analyse(case: Path, out: Path) -> Path:
    """Write every report of a case; return the path of the one in JSON."""
    out.mkdir(parents=True)
    reports = [f"--output={out}/report.{suffix}" for suffix in SUFFIXES]
    _write(out / "exit.txt", _run("analyze", "--all", *reports, str(case)))
    _write(out / "chat.md", _run("analyze", "--format=chat", str(case)))
    for path in (out / "chat.md", out / "report.md", out / "report.txt"):
        if path.exists():
            _write(path, _READ.sub(_in_order, path.read_text(encoding="utf-8")))
    return out / "report.json"


def _in_order(words: re.Match[str]) -> str:
    return words[1] + ", ".join(sorted(words[2].split(", ")))


def _run(*arguments: str) -> str:
    """Return what the command prints, behind its exit status when that is not 0."""
    from click.testing import CliRunner  # noqa: PLC0415 - of the checkout that is looked at

    place = next(one for one in COMMANDS if (Path(*one.split(".")) / "__init__.py").is_file())
    result = CliRunner().invoke(import_module(place).main, arguments)
    status = f"exit {result.exit_code} {result.exception or ''}\n" if result.exit_code else ""
    return status + result.output


def _hand_over(case: Path, report: Path, out: Path) -> None:
    """Write what a handoff of all files of a case holds: the computation of the service, without a server."""
    from backend.sandbox.computations.handoff import prepare_handoff  # noqa: PLC0415 - same
    from ingest.evidence import read_file  # noqa: PLC0415 - same
    from ingest.model import reading_folder  # noqa: PLC0415 - same
    from ingest.model.zstd import zstd  # noqa: PLC0415 - same
    from signatures.judging.scope import items_of  # noqa: PLC0415 - same

    evidences = [
        read_file(path, captured_path=path.relative_to(case).as_posix())
        for path in sorted(case.rglob("*"))
        if path.is_file() and path.name not in NOT_EVIDENCE
    ]
    items = items_of(evidences)
    places = {item.evidence: (item.host, item.boot) for item in items}
    with tempfile.TemporaryDirectory() as folder:
        readings = []
        for number, item in enumerate(items):
            place = {name: getattr(item, name) for name in item.__slots__ if name != "reading"}
            reading_folder.save(item.reading, Path(folder) / f"reading-{number}")
            readings.append({"folder": f"{folder}/reading-{number}", "item": place})
        subject = {
            "number": 1,
            "title": case.name,
            "recipient": "the vendor",
            "question": "What happened?",
            "resolution": ["", ""],
            "hosts": sorted({host for host, _ in places.values()} - {""}),
            "replacements": [],
            "notes": ["A note."],
            "tried": [],
            "pseudonym_map": {},
            "sources": [_source(case, one, places) for one in evidences],
        }
        given = {"subject": subject, "key": "6b" * 32, "version": "0", "readings": readings}
        verdicts = json.loads(report.read_text(encoding="utf-8"))["findings"]
        verdicts = [one for one in verdicts if one["kind"] == "signature"]
        prepare_handoff(given | {"verdicts": verdicts}, Path(folder), -1)
        with (
            zstd.ZstdFile(next(Path(folder).glob("*.tar.zst"))) as stream,
            tarfile.open(fileobj=stream, mode="r|") as bundle,
        ):
            for member in bundle:
                if member.name in HANDED:
                    _write(out / member.name, bundle.extractfile(member).read().decode())
        _write(out / "result.json", (Path(folder) / "result.json").read_text(encoding="utf-8"))


def _source(case: Path, evidence: Any, places: dict[str, tuple[str, str]]) -> dict[str, Any]:
    is_text = evidence.state == "read" and bool(evidence.line_count)
    host, boot = places.get(evidence.captured_path, ("", ""))
    return {
        "id": evidence.captured_path,
        "content": str(case / evidence.captured_path) if is_text else "",
        "name": evidence.name,
        "captured_path": evidence.captured_path,
        "is_chosen": True,
        "reason": "" if is_text else "not text",
        "host": host,
        "boot": boot,
        "phase": "during",
    }


def _write(path: Path, text: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8", errors="replace")


if __name__ == "__main__":
    inside(Path(sys.argv[1]), int(sys.argv[2]))
