"""Cases as rows of a list and as text."""

from __future__ import annotations

from typing import TYPE_CHECKING

from signatures.documents.alarm import is_relevant
from signatures.rendering.case_columns import FOR_TERMINALS, TIMES, cell_text, chosen
from signatures.rendering.finding_rows import rule_words, verdict_words
from signatures.rendering.lines import bare

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from signatures.documents.alarm import AnyFinding
    from signatures.documents.service_case import ServiceCase, ServiceNote
    from signatures.rendering.case_columns import Column

DEFAULT = chosen(FOR_TERMINALS)
GAP = "  "
NARROWEST = 20
CUT = ("title", "headline", "cause", "fix")
"""Columns that are cut where the rows are wider than a terminal."""


def case_rows(
    cases: Sequence[ServiceCase], width: int | None, columns: Sequence[Column] = DEFAULT
) -> Iterator[str]:
    """Yield a row for each case.

    Args:
        cases: As the service returns them.
        width: Columns of a terminal, whose rows are aligned below a header, with texts cut to fit; None for
            programs, whose rows are separated by tabs.
        columns: What the rows say of a case.
    """
    rows = [tuple(_shown(column, one) for column in columns) for one in cases]
    if width is None:
        yield from ("\t".join(row) for row in rows)
        return
    table = [tuple(column.heading.upper() for column in columns), *rows]
    widths = [max(len(row[at]) for row in table) for at in range(len(columns))]
    texts = [at for at, column in enumerate(columns) if column.name in CUT]
    others = sum(size for at, size in enumerate(widths) if at not in texts) + len(GAP) * (len(widths) - 1)
    for at in texts:
        widths[at] = min(widths[at], max(NARROWEST, (width - others) // len(texts)))
    for row in table:
        cells = (_cut(cell, size).ljust(size) for cell, size in zip(row, widths, strict=True))
        yield GAP.join(cells).rstrip()


def case_lines(
    case: ServiceCase, findings: Sequence[AnyFinding], notes: Sequence[ServiceNote], url: str
) -> Iterator[str]:
    """Yield a case with its matches, suspected findings and notes."""
    yield f"{case['number']}  {bare(case['title'])}"
    severity = f", {case['severity']}" if case["severity"] else ""
    created, updated = _minute(case["created_at"]), _minute(case["updated_at"])
    yield f"{case['status']}{severity}, created {created}, updated {updated}"
    people = {"assignee": case["assignee"], "team": case["team"]}
    yield from (f"{role}: {bare(one['name'])}" for role, one in people.items() if one)
    if case["tags"]:
        yield f"tags: {', '.join(map(bare, case['tags']))}"
    if case["hosts"]:
        yield f"hosts: {', '.join(map(bare, case['hosts']))}"
    unread = f", {case['unread_count']} could not be read" if case["unread_count"] else ""
    judged = "" if case["judged"] else ", still being read"
    yield f"evidence: {case['evidence_count']} files{unread}{judged}"
    yield f"{url}/cases/{case['number']}"
    relevant = [one for one in findings if is_relevant(one)]
    for one in relevant:
        yield ""
        yield f"{verdict_words(one)}  {one.severity}  {rule_words(one)}"
        yield f"  {bare(one.title)}"
        yield f"  {bare(one.certainty)}"
    if case["judged"] and not relevant:
        yield ""
        yield bare(case["headline"]["text"]) if case["headline"] else "no finding"
    if case["resolution"]:
        yield ""
        yield from (f"{name}: {bare(text)}" for name, text in case["resolution"].items() if text)
    for note in notes:
        yield ""
        yield f"note of {bare(note['author'])}, {_minute(note['created_at'])}"
        yield from (f"  {bare(line)}" for line in note["text"].splitlines())


def _shown(column: Column, case: ServiceCase) -> str:
    """Return a cell without control characters; a dash without a value."""
    text = cell_text(column, case)
    return bare(_minute(text) if column.name in TIMES else text).replace("\t", " ") or "–"


def _cut(text: str, size: int) -> str:
    return text if len(text) <= size else f"{text[: size - 1]}…"


def _minute(at: str) -> str:
    return at[:16].replace("T", " ")
