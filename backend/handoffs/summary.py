"""`summary.md` of a handoff: what a stranger needs to take the case over without asking back."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from backend.handoffs.contents import ANSWERS, STATES, certainty, now_fixes, observed, shown_clauses

if TYPE_CHECKING:
    from collections.abc import Iterator

    from backend.handoffs.contents import Contents

_SPECIAL = re.compile(r"([\\`*_{}\[\]<>#|])")
FENCE = "```"


def markdown(told: Contents) -> str:
    """Return the summary as Markdown."""
    return "\n".join(_lines(told)).rstrip() + "\n"


def _lines(told: Contents) -> Iterator[str]:
    yield f"# {plain(told.title)}"
    yield ""
    hosts = ", ".join(map(plain, told.hosts)) or "a host that is not named"
    yield f"Case {told.number} on {hosts}, handed to {plain(told.recipient)}."
    yield "Names are pseudonyms; lines are as they were."
    yield ""
    if told.question:
        yield "## What is asked"
        yield ""
        yield told.question
        yield ""
    yield f"## {ANSWERS[told.oom['answer']]}"
    yield ""
    yield told.oom["sentence"]
    yield ""
    for place in told.oom["places"]:
        where = told.place({"evidence": place["evidence"], "first_line": place["line"], "last_line": 0})
        yield f"- `{where}`: {plain(place['text'])}"
    if told.oom["more"]:
        yield f"- and {told.oom['more']} more"
    yield ""
    yield from _findings(told)
    if told.resolution:
        yield "## How it ended"
        yield ""
        yield plain(told.resolution)
        yield ""
    yield from _tried(told)
    yield from _next(told)
    yield from _evidence(told)


def _findings(told: Contents) -> Iterator[str]:
    yield "## What the evidence shows"
    yield ""
    if not told.findings:
        yield "No signature of the library explains this evidence."
        yield ""
    for finding in told.findings:
        yield f"### {finding['verdict'].replace('_', ' ')}: {plain(finding['title'])}"
        yield ""
        host = plain(finding["host"]) or "an unknown host"
        affected = f"{finding['affected']['sentence'].rstrip('.')} ({finding['affected']['basis']})"
        yield f"`{finding['signature']}` on {host}: {certainty(finding)}. {plain(affected)}."
        yield ""
        yield "| condition | seen | measured | where |"
        yield "| --- | --- | --- | --- |"
        for clause in shown_clauses(finding):
            yield f"| {' | '.join(_cells(told, clause))} |"
        yield ""
        for fix in now_fixes(finding):
            risk = plain(str(fix.get("risk") or "not said"))
            yield f"- may be done now: {plain(str(fix.get('title', '')))} (risk: {risk})"
        yield ""


def _cells(told: Contents, clause: dict[str, Any]) -> list[str]:
    where = [place for place in map(told.place, clause["citations"]) if place]
    shown = ", ".join(f"`{place}`" for place in where[:3])
    more = f" and {len(where) - 3} more" if len(where) > 3 else ""
    return [
        plain(clause["title"] or clause["id"]),
        STATES[clause["state"]],
        plain(observed(clause)),
        shown + more,
    ]


def _tried(told: Contents) -> Iterator[str]:
    yield "## What was tried"
    yield ""
    if not told.tried and not told.notes:
        yield "Nothing is noted."
        yield ""
    for sentence in told.tried:
        yield f"- {plain(sentence)}"
    if told.tried:
        yield ""
    for note in told.notes:
        yield from (f"> {line}".rstrip() for line in note.splitlines())
        yield ""


def _next(told: Contents) -> Iterator[str]:
    if not told.captures:
        return
    yield "## What would tell more"
    yield ""
    for capture in told.captures:
        yield f"{plain(capture['title'])} (cost: {capture['cost']})"
        yield ""
        yield f"{FENCE}sh"
        yield capture["run"].strip()
        yield FENCE
        yield ""


def _evidence(told: Contents) -> Iterator[str]:
    yield "## Evidence"
    yield ""
    yield "| file | lines | lines with a name replaced |"
    yield "| --- | --- | --- |"
    for piece in told.pieces:
        yield f"| `{piece.path}` | {piece.lines:,} | {piece.changed:,} |"
    yield ""
    for reason, count in sorted(told.left_out.items()):
        yield f"- {count} not handed over: {plain(reason)}"
    changed = [one for one in told.differences if one["cause"] == "redaction"]
    if changed:
        yield f"- redaction changed {len(changed)} verdict{'s' if len(changed) > 1 else ''}:"
        for one in changed:
            yield f"  - {plain(one['title'])}: {plain('; '.join(one['what']))}"
    else:
        yield "- judged again after redaction: every verdict, condition and cited line is what it was before"


def plain(text: str) -> str:
    """Return `text` as Markdown that shows it letter by letter, on one line."""
    return _SPECIAL.sub(r"\\\1", " ".join(text.split()))
