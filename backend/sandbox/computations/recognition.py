"""Recognition of a pasted text: read and judged in one process, never stored.

A stack, a screen of `perf top` or a line of a kernel log uses the same readers and engine as the evidence of
a case.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from backend.sandbox.computations.case_analysis import catalog
from backend.sandbox.computations.results import leave, noted_faults
from ingest.evidence import read_bytes
from ingest.export.heaviest import heaviest
from ingest.frames.normalise import normalise
from ingest.readers import FORMATS
from signatures.judging.judge import judge
from signatures.judging.observation import State
from signatures.judging.scope import Item
from signatures.judging.several_stacks import is_unweighed
from signatures.reporting.search_strengths import SEEN, STRENGTHS

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from pathlib import Path

    from ingest.evidence import Evidence
    from ingest.model.reading import Reading
    from signatures.judging.finding import Finding
    from signatures.judging.states import ClauseState

Document = dict[str, Any]

MAX_FRAMES = 80
PLAIN = "text"
_TITLES = {one.NAME: one.TITLE for one in FORMATS}
_SUPERSEDED = 0.5
_PARTLY = 0.35


def recognise(arguments: dict[str, Any], output: Path, _input: int) -> None:
    """Read `arguments["text"]` as evidence and judge it.

    Leaves `result.json`: pieces, prose, frames, verdicts and `problem`, as
    `backend.library.recognise.Recognised` has them; faults.
    """
    faults = noted_faults()
    pasted = arguments["text"]
    evidence = read_bytes(pasted.encode("utf-8", "surrogateescape"), name="")
    if evidence.state == "rejected":
        recognised: Document = {"prose": pasted, "problem": evidence.reason}
    else:
        recognised = _recognised(pasted, list(_items(evidence)))
    leave({"recognised": recognised, "faults": faults}, output)


def _items(evidence: Evidence) -> Iterator[Item]:
    for section in evidence.sections:
        yield Item(
            evidence="search",
            captured_path=section.path,
            host="",
            boot="",
            phase="during",
            section=section.ordinal,
            format=section.format,
            reading=section.reading,
            first_line=section.first_line,
            last_line=section.last_line,
        )


def _recognised(pasted: str, items: Sequence[Item]) -> Document:
    lines = pasted.splitlines()
    pieces: list[Document] = []
    prose: list[str] = []
    frames: dict[str, float] = {}
    for item in items:
        if item.format == PLAIN:
            prose += lines[item.first_line - 1 : item.last_line]
        else:
            title = _TITLES.get(item.format, item.format)
            piece = {"format": item.format, "title": title}
            pieces.append(piece | {"first_line": item.first_line, "last_line": item.last_line})
        prose += [record.message for record in item.reading.log_records]
        for name, weight in _frames(item.reading):
            frames[name] = max(frames.get(name, 0.0), weight)
    heavy = sorted(frames.items(), key=lambda one: (-one[1], one[0]))[:MAX_FRAMES]
    says_something = bool(pieces) or any(item.reading.facts for item in items)
    judged = _strengths(judge(items, catalog())) if says_something else {}
    is_silent = not prose and not heavy and not judged
    return {
        "pieces": pieces,
        "prose": pasted if is_silent else "\n".join(prose),
        "frames": dict(heavy),
        "judged": judged,
    }


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


def _strengths(findings: Sequence[Finding]) -> dict[str, Document]:
    """Return the strength of every signature; a superseding signature replaces its special case.

    The engine does so only on a match; a search wants the nearest story.
    """
    judged = {finding.signature.id: one for finding in findings if (one := _judged(finding)) is not None}
    strengths = {name: one["strength"] for name, one in judged.items()}
    for finding in findings:
        own = finding.signature.id
        for parent in finding.signature.supersedes:
            if own in judged and parent in judged:
                strengths[own] = max(strengths[own], judged[parent]["strength"])
                strengths[parent] = _SUPERSEDED * judged[parent]["strength"]
    return {name: one | {"strength": strengths[name]} for name, one in judged.items()}


def _judged(finding: Finding) -> Document | None:
    met = [state for state in finding.clauses if state.state is State.TRUE and state.clause.role != "rival"]
    seen = [state for state in finding.clauses if _is_seen(state)]
    core = [state for state in (*met, *seen) if state.clause.role == "core"]
    strength = STRENGTHS.get(finding.verdict, 0.0)
    if finding.verdict == "unknown" and core:
        strength = _PARTLY * len(core) / sum(one.clause.role == "core" for one in finding.clauses)
        strength = SEEN if any(state in seen for state in core) else strength
    if not strength:
        return None
    return {
        "signature": finding.signature.id,
        "verdict": finding.verdict,
        "strength": strength,
        "met": [
            *(state.clause.title for state in met),
            *(f"{one.clause.title} (seen, not weighed)" for one in seen),
        ],
        "affected": finding.affected.verdict,
        "basis": finding.affected.basis,
    }


def _is_seen(state: ClauseState) -> bool:
    """Return whether stacks show a condition that a verdict needs more of: one stack names its story, too."""
    return state.state is State.UNKNOWN and is_unweighed(state.outcome.reason)
