"""Cases as rows of a list and as text."""

from __future__ import annotations

from typing import TYPE_CHECKING

from signatures.documents.alarm import is_relevant
from signatures.rendering.finding_rows import ALARM, rule_of, verdict_words
from signatures.rendering.lines import bare

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from signatures.documents.alarm import AnyFinding
    from signatures.documents.service_case import ServiceCase, ServiceHeadline, ServiceNote

HEADER = ("CASE", "STATE", "SEVERITY", "TITLE", "UPDATED", "FINDING")
TITLE = HEADER.index("TITLE")
GAP = "  "
NARROWEST_TITLE = 20


def case_rows(cases: Sequence[ServiceCase], width: int | None) -> Iterator[str]:
    """Yield a row for each case.

    Args:
        cases: As the service returns them.
        width: Columns of a terminal, whose rows are aligned below a header, with titles cut to fit; None for
            programs, whose rows are separated by tabs.
    """
    rows = [
        (
            str(one["number"]),
            one["state"],
            one["severity"] or "–",
            _cell(one.get("name") or one["title"]),
            _minute(one["updated_at"]),
            _finding(one["headline"]),
        )
        for one in cases
    ]
    if width is None:
        yield from ("\t".join(row) for row in rows)
        return
    table = [HEADER, *rows]
    widths = [max(len(row[at]) for row in table) for at in range(len(HEADER))]
    others = sum(widths) - widths[TITLE] + len(GAP) * (len(widths) - 1)
    widths[TITLE] = min(widths[TITLE], max(NARROWEST_TITLE, width - others))
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
        yield f"{verdict_words(one)}  {one.severity}  {rule_of(one)}"
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


def _finding(headline: ServiceHeadline | None) -> str:
    """Return the signature, alarm or suspicion of a headline; a dash without one."""
    if not headline:
        return "–"
    alarm = f"{ALARM}/{headline['alarm']}" if headline["alarm"] else ""
    return headline["signature"] or alarm or headline["suspicion"] or "–"


def _cut(text: str, size: int) -> str:
    return text if len(text) <= size else f"{text[: size - 1]}…"


def _cell(text: str) -> str:
    return bare(text).replace("\t", " ")


def _minute(at: str) -> str:
    return at[:16].replace("T", " ")
