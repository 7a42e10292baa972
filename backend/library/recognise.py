"""Recognises evidence pasted into the search box: parsed and judged, never stored.

A stack, a screen of `perf top` or a line of a kernel log uses the same readers, sandbox and engine as the
evidence of a case. Text recognised only as plain text is treated as search words.
"""

from __future__ import annotations

import tempfile
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from backend.findings import library
from backend.profiles.indexing import heaviest
from backend.sandbox.runner import SandboxCrashError, SandboxLimits, read_in_sandbox
from ingest.frames.normalise import normalise
from ingest.model import reading_folder
from ingest.model.errors import IngestError
from ingest.readers import FORMATS
from signatures.judging.judge import judge
from signatures.judging.observation import State
from signatures.judging.scope import Item
from signatures.judging.several_stacks import is_unweighed

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from backend.core.settings import Settings
    from backend.sandbox.report import ReadEvidence
    from ingest.model.reading import Reading
    from signatures.judging.finding import Finding
    from signatures.judging.states import ClauseState

LIMITS = SandboxLimits(cpu_seconds=5, wall_seconds=10.0, memory_bytes=768 << 20, output_bytes=16 << 20)
"""A search is no upload: input that takes longer belongs in a case."""

MAX_FRAMES = 80
PLAIN = "text"
_TITLES = {one.NAME: one.TITLE for one in FORMATS}
_FIRING = {"match": 1.0, "suspect": 0.7}
_SUPERSEDED = 0.5
_PARTLY = 0.35
SEEN = 0.6
"""Strength of a signature that one stack names: it has no verdict, and a search wants its story."""


class Piece(NamedTuple):
    """Lines recognised as the output of a tool."""

    format: str
    title: str
    first_line: int
    last_line: int


class Judged(NamedTuple):
    """The verdict of a signature on the pasted text.

    Attributes:
        strength: Contribution to the rank of the entry, 0..1.
        met: Titles of the conditions that were met.
        affected: What its version table says of the kernel named in the text, on what basis.
    """

    signature: str
    verdict: str
    strength: float
    met: tuple[str, ...]
    affected: str
    basis: str


@dataclass(frozen=True, slots=True)
class Recognised:
    """A recognised pasted text.

    Attributes:
        pieces: Recognised parts, in the order of the lines.
        prose: The lines that are words and nothing else, and the messages of kernel logs; all of it when
            neither a function nor a signature was found in what was recognised.
        frames: Functions and their weight, 0..1.
        judged: Verdicts by signature id, only relevant ones.
        problem: Why it could not be read as evidence, "" when it could.
    """

    pieces: tuple[Piece, ...] = ()
    prose: str = ""
    frames: dict[str, float] = field(default_factory=dict)
    judged: dict[str, Judged] = field(default_factory=dict)
    problem: str = ""


def recognise(settings: Settings, pasted: str) -> Recognised:
    """Parse `pasted` as evidence and judge it."""
    settings.scratch_dir.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=settings.scratch_dir, prefix="search-") as scratch:
        content, output = Path(scratch, "content"), Path(scratch, "output")
        content.write_bytes(pasted.encode("utf-8", "surrogateescape"))
        output.mkdir()
        try:
            report = read_in_sandbox(
                content, output=output, limits=replace(LIMITS, policy=settings.sandbox), name=""
            )
        except SandboxCrashError:
            return Recognised(prose=pasted, problem="the reader of evidence failed on this text")
        if report.state == "rejected":
            return Recognised(prose=pasted, problem=report.reason)
        items = list(_items(report, output))
    return _recognised(pasted, items)


def _items(report: ReadEvidence, output: Path) -> Iterator[Item]:
    for section in report.sections:
        try:
            reading = reading_folder.load(output / section.folder)
        except IngestError as error:
            raise SandboxCrashError(f"a reading cannot be loaded: {error}") from error
        yield Item(
            evidence="search",
            captured_path=section.path,
            host="",
            boot="",
            phase="during",
            section=section.ordinal,
            format=section.format,
            reading=reading,
            first_line=section.first_line,
            last_line=section.last_line,
        )


def _recognised(pasted: str, items: Sequence[Item]) -> Recognised:
    lines = pasted.splitlines()
    pieces: list[Piece] = []
    prose: list[str] = []
    frames: dict[str, float] = {}
    for item in items:
        if item.format == PLAIN:
            prose += lines[item.first_line - 1 : item.last_line]
        else:
            title = _TITLES.get(item.format, item.format)
            pieces.append(Piece(item.format, title, item.first_line, item.last_line))
        prose += [record.message for record in item.reading.log_records]
        for name, weight in _frames(item.reading):
            frames[name] = max(frames.get(name, 0.0), weight)
    heavy = sorted(frames.items(), key=lambda one: (-one[1], one[0]))[:MAX_FRAMES]
    says_something = bool(pieces) or any(item.reading.facts for item in items)
    strengths = _strengths(judge(items, library.catalog())) if says_something else {}
    is_silent = not prose and not heavy and not strengths
    return Recognised(tuple(pieces), pasted if is_silent else "\n".join(prose), dict(heavy), strengths)


def _frames(reading: Reading) -> Iterator[tuple[str, float]]:
    """Yield functions with weights: total share weighs little, self share much."""
    for profile in reading.profiles:
        for one in heaviest(profile):
            yield one.name, 0.3 * one.total_share + 0.7 * one.self_share
    for table in reading.tables:
        for symbol in table.symbols:
            yield normalise(symbol.name), max(symbol.self_share, 0.5 * (symbol.total_share or 0.0))
    for record in reading.log_records:
        function = record.fields.get("function")
        if isinstance(function, str):
            yield normalise(function), 1.0


def _strengths(findings: Sequence[Finding]) -> dict[str, Judged]:
    """Return the strength of every signature; a superseding signature replaces its special case.

    The engine does so only on a match; a search wants the nearest story.
    """
    judged = {one.signature: one for finding in findings if (one := _judged(finding)) is not None}
    strongest = dict(judged)
    for finding in findings:
        own = finding.signature.id
        for parent in finding.signature.supersedes:
            if own in judged and parent in judged:
                strength = max(strongest[own].strength, judged[parent].strength)
                strongest[own] = strongest[own]._replace(strength=strength)
                strongest[parent] = judged[parent]._replace(strength=_SUPERSEDED * judged[parent].strength)
    return strongest


def _judged(finding: Finding) -> Judged | None:
    met = [state for state in finding.clauses if state.state is State.TRUE and state.clause.role != "rival"]
    seen = [state for state in finding.clauses if _is_seen(state)]
    core = [state for state in (*met, *seen) if state.clause.role == "core"]
    strength = _FIRING.get(finding.verdict, 0.0)
    if finding.verdict == "unknown" and core:
        strength = _PARTLY * len(core) / sum(one.clause.role == "core" for one in finding.clauses)
        strength = SEEN if any(state in seen for state in core) else strength
    if not strength:
        return None
    return Judged(
        finding.signature.id,
        finding.verdict,
        strength,
        (
            *(state.clause.title for state in met),
            *(f"{one.clause.title} (seen, not weighed)" for one in seen),
        ),
        finding.affected.verdict,
        finding.affected.basis,
    )


def _is_seen(state: ClauseState) -> bool:
    """Return whether stacks show a condition that a verdict needs more of: one stack names its story, too."""
    return state.state is State.UNKNOWN and is_unweighed(state.outcome.reason)
