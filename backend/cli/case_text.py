"""Cases as rows of a list and as text."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from backend.cli.output import bare

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

Document = dict[str, Any]
HEADER = ("CASE", "STATE", "SEVERITY", "TITLE", "UPDATED")
RELEVANT = ("match", "suspect")
VERDICTS = {"match": "match", "suspect": "suspected"}


def case_rows(cases: Sequence[Document], *, is_terminal: bool) -> Iterator[str]:
    """Yield a row for each case: aligned with a header for a terminal, tab-separated for programs."""
    rows = [
        (
            str(one["number"]),
            one["state"],
            one["severity"] or "–",
            _cell(one["title"]),
            _minute(one["updated_at"]),
        )
        for one in cases
    ]
    if not is_terminal:
        yield from ("\t".join(row) for row in rows)
        return
    table = [HEADER, *rows]
    widths = [max(len(row[at]) for row in table) for at in range(len(HEADER))]
    for row in table:
        yield "  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip()


def case_lines(
    case: Document, findings: Sequence[Document], notes: Sequence[Document], url: str
) -> Iterator[str]:
    """Yield a case with its matches, suspected findings and notes."""
    yield f"{case['number']}  {bare(case['title'])}"
    severity = f", {case['severity']}" if case["severity"] else ""
    created, updated = _minute(case["created_at"]), _minute(case["updated_at"])
    yield f"{case['state']}{severity}, created {created}, updated {updated}"
    if case["hosts"]:
        yield f"hosts: {', '.join(map(bare, case['hosts']))}"
    unread = f", {case['unread_count']} could not be read" if case["unread_count"] else ""
    judged = "" if case["judged"] else ", still being read"
    yield f"evidence: {case['evidence_count']} files{unread}{judged}"
    yield f"{url}/cases/{case['number']}"
    relevant = [one for one in findings if one["verdict"] in RELEVANT and not one["superseded_by"]]
    for one in relevant:
        yield ""
        yield f"{VERDICTS[one['verdict']]}  {one['severity']}  {one['signature']}"
        yield f"  {bare(one['title'])}"
    if case["judged"] and not relevant:
        yield ""
        yield "no finding"
    if case["resolution"]:
        yield ""
        yield from (f"{name}: {bare(text)}" for name, text in case["resolution"].items() if text)
    for one in notes:
        yield ""
        yield f"note of {bare(one['author'])}, {_minute(one['created_at'])}"
        yield from (f"  {bare(line)}" for line in one["text"].splitlines())


def _cell(text: str) -> str:
    return bare(text).replace("\t", " ")


def _minute(at: str) -> str:
    return at[:16].replace("T", " ")
