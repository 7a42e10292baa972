"""Checks for every file of a collection: no reader crashes, no samples are lost."""

from __future__ import annotations

import csv
import gzip
import re
from fnmatch import fnmatch
from pathlib import Path
from typing import TYPE_CHECKING

from ingest.model.errors import IngestError
from ingest.model.section import Text
from ingest.native import parse_perf_script
from ingest.readers import FORMATS

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ingest.model.evidence import Evidence

MANIFEST = "MANIFEST.tsv"
TEXT_REASONS = Path(__file__).with_name("kept-as-text.tsv")
"""Files that end as text, and why: a pattern of the path, a reason."""

EXPECTED = {
    "perf-script": {"perf-script"},
    "perf-report": {"perf-table"},
    "folded": {"folded"},
    "bpftrace": {"bpftrace-text", "bcc-rows", "bcc-histogram"},
    "bcc": {"bcc-rows", "bcc-histogram", "bcc-stacks", "folded", "bpftrace-text"},
    "dmesg-oom": {"kernel-log"},
    "dmesg-other": {"kernel-log"},
    "speedscope-json": {"speedscope"},
    "sysstat": {"pidstat", "mpstat", "iostat", "sar", "vmstat"},
}
"""Formats by the label of the collection; a label that is not here names no tool."""

_HEAD = re.compile(r"^\S.*?\s+-?\d+(?:/-?\d+)?\s.*\d+\.\d+:\s")
_LARGEST_TEXT = 64 << 10


def labels(root: Path) -> dict[str, str]:
    """Return label by path below `root`, as the collection's own list has them; empty without one."""
    listed = root / MANIFEST
    if not listed.is_file():
        return {}
    with listed.open(encoding="utf-8", newline="") as lines:
        return {row["path"]: row["format"] for row in csv.DictReader(lines, delimiter="\t")}


def reasons() -> list[tuple[str, str]]:
    """Return pattern and reason of every file that may end as text."""
    with TEXT_REASONS.open(encoding="utf-8", newline="") as lines:
        return [(row["path"], row["because"]) for row in csv.DictReader(lines, delimiter="\t")]


def why_text(path: str) -> str:
    """Return the documented reason why a file is stored as text, "" without one."""
    return next((because for pattern, because in reasons() if fnmatch(path, pattern)), "")


def of_one(path: str, label: str, evidence: Evidence, found: set[str]) -> Iterator[str]:
    """Yield the problems of one file.

    Args:
        path: Below its collection.
        label: What the collection says it is, "" when it does not.
        evidence: What became of it.
        found: The formats of its sections and members.
    """
    if evidence.state != "read":
        if not evidence.reason:
            yield f"{path}: {evidence.state} without a sentence"
        return
    if found <= {"text"}:
        if not why_text(path):
            yield f"{path}: stored as text without a documented reason"
    elif label in EXPECTED and not found & EXPECTED[label] and not why_text(path):
        yield f"{path}: labelled {label}, read as {', '.join(sorted(found))}"


def of_text(path: Path) -> Iterator[str]:
    """Yield the readers that crash on a text; a rejection is no crash."""
    content = _content(path)
    if len(content) > _LARGEST_TEXT:
        return
    lines = content.decode("utf-8", "replace").splitlines()
    for reader in FORMATS:
        try:
            reading = reader.read(Text(lines))
        except IngestError:
            continue
        except Exception as error:  # noqa: BLE001 - reported with the file
            yield f"{path.name}: {reader.NAME} breaks: {error!r}"
            continue
        if any(record.lines.first > record.lines.last for record in reading.log_records):
            yield f"{path.name}: {reader.NAME} cites lines backwards"


def of_perf_script(path: Path) -> Iterator[str]:
    """Yield a complaint when samples and heads differ in number."""
    content = _content(path)
    heads = [
        line
        for line in content.decode("utf-8", "replace").splitlines()
        if _HEAD.match(line) and "PERF_RECORD_" not in line
    ]
    samples = sum(profile.samples for profile in parse_perf_script([content]).profiles) if heads else 0
    if samples != len(heads):
        yield f"{path.name}: {len(heads)} heads, {samples} samples"


def of_tables(path: str, evidence: Evidence) -> Iterator[str]:
    """Yield symbol tables that do not add up."""
    for section in evidence.sections:
        for table in section.reading.tables:
            named = sum(row.self_share for row in table.symbols)
            if not 0 < named < 1.1:
                yield f"{path}: a table whose rows are {named:.0%} of it"


def _content(path: Path) -> bytes:
    content = path.read_bytes()
    return gzip.decompress(content) if path.suffix == ".gz" else content
