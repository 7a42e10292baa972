"""Story draft generated from a case: findings with lines, timeline and notes.

Every sentence comes from the case and cites its lines.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING
from uuid import UUID

from sqlalchemy import select

from backend.cases import overview
from backend.cases.overview import UNTITLED
from backend.core.errors import CasebookError
from backend.core.http.pagination import WHOLE
from backend.core.http.request_body import with_marks
from backend.evidence import lines
from backend.evidence import queries as evidence_queries
from backend.findings import library, overviews, report
from backend.models.evidence import Evidence
from backend.postmortems import timeline
from backend.stories.schemas import MAX_FIX_CHARS, MAX_LINKS, MAX_TITLE_CHARS, StoryText
from backend.uploads.names import is_made_title
from signatures.language.number_format import value_words

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from sqlalchemy.orm import Session

    from backend.cases.schemas import CaseRead
    from backend.core.storage.object_store import Store
    from backend.findings.schemas import FindingRead
    from backend.models.case import Case
    from backend.postmortems.schemas import TimelineEntry
    from signatures.documents.citation import Citation, Place
    from signatures.documents.finding import ConditionDocument

FOUND = ("match", "suspect")
SAYS = {"match": "This is what happened", "suspect": "This may be what happened; it is not proved"}
FIRST_LINES, LAST_LINES = 10, 4
MAX_LINE_CHARS = 240
MAX_CITATIONS = 2
MAX_ENTRIES = 60


def draft(session: Session, store: Store, case: Case) -> StoryText:
    """Return the draft; unknown parts are omitted."""
    head = overview.describe_one(session, case.id)
    findings = report.signatures_of_case(session, case, with_all=False)
    found = [one for one in findings if one.verdict in FOUND and not one.superseded_by]
    near = [one for one in findings if one.is_near_miss]
    named = [case.cause_signature, *(one.signature for one in found)]
    signatures = [name for name in dict.fromkeys(named) if library.catalog().get(name) is not None]
    text = "\n".join(
        [
            *_where(session, case, head),
            *_was(case, found),
            *_chain(session, case),
            *(line for one in found for line in _finding(session, store, case, one)),
            *_near(case, near),
            *_helped(case, found),
            *_timeline(session, case),
        ]
    )
    return StoryText(
        title=with_marks(_title(session, case, found))[:MAX_TITLE_CHARS],
        area=signatures[0].partition("/")[0] if signatures else "",
        signatures=signatures[:MAX_LINKS],
        cases=[case.number],
        fix=case.fix[:MAX_FIX_CHARS],
        text=text.rstrip() + "\n",
    )


def _title(session: Session, case: Case, found: list[FindingRead]) -> str:
    """Return the title of the case, or of its findings; file names are no title."""
    files = select(Evidence.captured_path, Evidence.filename).where(
        Evidence.case_id == case.id, Evidence.parent_id.is_(None)
    )
    names = [path or filename for path, filename in session.execute(files)]
    if case.title != UNTITLED and not is_made_title(case.title, names):
        return case.title
    return found[0].title if found else ""


def _where(session: Session, case: Case, head: CaseRead) -> Iterator[str]:
    yield from ("## Where it happened", "")
    yield f"- Case: [{case.number} {plain(case.title)}](/cases/{case.number})"
    yield f"- Opened: {case.created_at:%Y-%m-%d %H:%M} UTC"
    if case.closed_at is not None:
        yield f"- Closed: {case.closed_at:%Y-%m-%d %H:%M} UTC"
    hosts = ", ".join(plain(host) for host in head.hosts)
    yield f"- Hosts: {hosts or 'the evidence names none'}"
    releases = {
        str(fact.value)
        for fact in evidence_queries.facts_of_case(session, case, WHOLE, name="kernel.release")
    }
    kernels = ", ".join(code(release) for release in sorted(releases))
    yield f"- Kernel: {kernels or 'the evidence does not say'}"
    yield ""


def _was(case: Case, found: list[FindingRead]) -> Iterator[str]:
    yield from ("## What it was", "")
    if case.cause:
        yield from (case.cause, "")
    if not found:
        yield from ("Nothing in the library explains the evidence of this case.", "")


def _chain(session: Session, case: Case) -> Iterator[str]:
    """Yield the chain of causes as a list: each node with its line, the reason of its edge, and the proof."""
    chain = overviews.of_case(session, case).chain
    if not chain:
        return
    yield from ("### Chain of causes", "")
    for at, node in enumerate(chain, start=1):
        proof = [_link(case, place) for place in node.proof if place != node.citation]
        reason = "; ".join(filter(None, (plain(node.reason), ", ".join(proof))))
        beside = "beside it: " if node.edge == "with" else ""
        yield f"{at}. {beside}{plain(node.text)}, {_link(case, node.citation)}" + (
            f" ({reason})" if reason else ""
        )
    yield ""


def _link(case: Case, place: Place) -> str:
    """Return the first line of a place as a link into the case."""
    words = f"{code(place.evidence)} line {place.first_line}"
    if place.evidence_id is None:
        return words
    return f"[{words}](/cases/{case.number}?evidence={place.evidence_id}&line={place.first_line})"


def _finding(session: Session, store: Store, case: Case, found: FindingRead) -> Iterator[str]:
    area, name = found.signature.split("/", 1)
    yield from (f"### {plain(found.title)}", "")
    on = f" on {plain(found.host)}" if found.host else ""
    confidence = f", confidence {found.confidence_word}" if found.confidence_word else ""
    yield (
        f"{SAYS[found.verdict]}{on}: [{found.signature}](/signatures/{area}/{name}){confidence}, "
        f"coverage {found.coverage_word}; [in the case](/cases/{case.number}?finding={found.id}). "
        f"{found.affected.sentence}"
    )
    yield ""
    own = [clause for clause in found.conditions if clause.role != "rival"]
    for clause in (one for one in own if one.state == "TRUE"):
        yield from _clause(session, store, case, found, clause)
    rivals = [one.title or one.id for one in found.conditions if one.role == "rival" and one.state == "FALSE"]
    if rivals:
        yield from (f"Ruled out: {'; '.join(plain(rival) for rival in rivals)}.", "")
    unknown = [one.title or one.id for one in own if one.state == "UNKNOWN"]
    if unknown:
        yield from (f"Not known from this evidence: {'; '.join(plain(one) for one in unknown)}.", "")


def _clause(
    session: Session, store: Store, case: Case, found: FindingRead, clause: ConditionDocument
) -> Iterator[str]:
    threshold = (
        f", threshold {value_words(clause.threshold, clause.unit)}" if clause.threshold is not None else ""
    )
    value = f": {value_words(clause.observed, clause.unit)}{threshold}" if clause.observed is not None else ""
    yield from (f"**{plain(clause.title or clause.id)}**{plain(value)}", "")
    for citation in clause.citations[:MAX_CITATIONS]:
        yield from _quoted(session, store, case, f"finding={found.id}&clause={clause.id}", citation)
    more = len(clause.citations) - MAX_CITATIONS
    if more > 0:
        yield from (f"{more} more {'places say' if more > 1 else 'place says'} so, in the case.", "")


def _quoted(session: Session, store: Store, case: Case, shown: str, citation: Citation) -> Iterator[str]:
    first, last = citation.first_line, citation.last_line
    which = f"lines {first} to {last}" if last > first else f"line {first}"
    if citation.evidence_id is None:
        yield from (f"{code(citation.evidence)}, {which}", "")
        return
    at = f"/cases/{case.number}?{shown}&evidence={citation.evidence_id}&line={first}"
    yield from (f"{code(citation.evidence)}, [{which}]({at}):", "")
    if last - first < FIRST_LINES + LAST_LINES:
        yield from _block(_lines(session, store, citation.evidence_id, first, last))
        return
    yield from _block(_lines(session, store, citation.evidence_id, first, first + FIRST_LINES - 1))
    yield from (f"… {last - first + 1 - FIRST_LINES - LAST_LINES} lines further:", "")
    yield from _block(_lines(session, store, citation.evidence_id, last - LAST_LINES + 1, last))


def _block(excerpt: list[str]) -> Iterator[str]:
    if excerpt:
        yield from (*fenced(excerpt), "")


def _lines(session: Session, store: Store, evidence_id: str, first: int, last: int) -> list[str]:
    """Return lines of evidence; none when they cannot be decoded any more."""
    evidence = session.get(Evidence, UUID(evidence_id))
    if evidence is None or evidence.deleted_at is not None:
        return []
    try:
        excerpt = lines.read(store, evidence, first=first, last=last)
    except CasebookError:
        return []
    return [line if len(line) <= MAX_LINE_CHARS else f"{line[:MAX_LINE_CHARS]} …" for line in excerpt.lines]


def _near(case: Case, near: list[FindingRead]) -> Iterator[str]:
    if near:
        yield from ("## What it is close to, and is not shown to be", "")
        for one in near:
            yield f"- [{plain(one.title)}](/cases/{case.number}?finding={one.id})"
        yield ""


def _helped(case: Case, found: list[FindingRead]) -> Iterator[str]:
    fixes = [fix for one in found for fix in one.fixes if fix.title]
    if not case.fix and not fixes:
        return
    yield from ("## What helped", "")
    if case.fix:
        yield from (case.fix, "")
    if fixes:
        yield from ("What the signature says helps:", "")
        for fix in fixes:
            risk = f" Risk: {plain(fix.risk).rstrip('.')}." if fix.risk else ""
            yield f"- {plain(fix.title).rstrip('.')}.{risk}"
        yield ""


def _timeline(session: Session, case: Case) -> Iterator[str]:
    excerpt = timeline.of_case(session, case)
    entries = [one for one in excerpt.items if one.kind != "note"]
    yield from ("## When", "")
    if entries:
        yield from ("| UTC | what |", "| --- | --- |")
        yield from (_row(entry) for entry in entries[:MAX_ENTRIES])
        yield ""
    if len(entries) > MAX_ENTRIES:
        yield from (f"{len(entries) - MAX_ENTRIES} more entries are in the case.", "")
    if excerpt.untimed:
        names = ", ".join(code(one.name) for one in excerpt.untimed)
        yield from (f"When it was recorded is not known of {names}.", "")
    yield from _notes(one for one in excerpt.items if one.note is not None)


def _row(entry: TimelineEntry) -> str:
    until = f" to {entry.until:%Y-%m-%d %H:%M:%S}" if entry.until and entry.until != entry.at else ""
    says = plain(" ".join(entry.says.split())).replace("|", "\\|")
    return f"| {entry.at:%Y-%m-%d %H:%M:%S}{until} | {says} |"


def _notes(entries: Iterable[TimelineEntry]) -> Iterator[str]:
    for at, entry in enumerate(entries):
        if at == 0:
            yield from ("## What people noted", "")
        yield from (f"{plain(entry.actor)}, {entry.at:%Y-%m-%d %H:%M} UTC:", "")
        yield from (f"> {line}".rstrip() for line in entry.text.splitlines())
        yield ""


def plain(text: str) -> str:
    """Return text escaped for Markdown."""
    return re.sub(r"([\\`*_\[\]<>#~])", r"\\\1", text)


def code(text: str) -> str:
    """Return text as inline code, safe for any backticks."""
    ticks = "`" * (max((len(run) for run in re.findall("`+", text)), default=0) + 1)
    pad = " " if text.startswith("`") or text.endswith("`") else ""
    return f"{ticks}{pad}{text}{pad}{ticks}"


def fenced(excerpt: list[str]) -> list[str]:
    """Return lines as a fenced block, safe for any fences in them."""
    longest = max((len(run) for line in excerpt for run in re.findall("`+", line)), default=0)
    fence = "`" * max(3, longest + 1)
    return [f"{fence}text", *excerpt, fence]
