"""`summary.md` of a handoff: enough for a stranger to take over the case."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from signatures.handoff.contents import (
    ANSWERS,
    captures_of,
    certainty,
    claim_of,
    limits_of,
    next_fixes,
    observed,
    shown_clauses,
    state_words,
)

if TYPE_CHECKING:
    from collections.abc import Iterator

    from signatures.handoff.contents import Contents

_SPECIAL = re.compile(r"([\\`*_{}\[\]<>#|])")
FENCE = "```"


def markdown(contents: Contents) -> str:
    """Return the summary as Markdown."""
    return "\n".join(_lines(contents)).rstrip() + "\n"


def _lines(contents: Contents) -> Iterator[str]:
    yield f"# {plain(contents.title)}"
    yield ""
    hosts = ", ".join(map(plain, contents.hosts)) or "a host that is not named"
    yield f"Case {contents.number} on {hosts}, handed to {plain(contents.recipient)}."
    yield "Names are pseudonyms; lines are as they were."
    yield ""
    if contents.question:
        yield "## Question"
        yield ""
        yield contents.question
        yield ""
    yield f"## {plain(contents.lead)}"
    yield ""
    for statement in contents.statements:
        text = "seen in" if statement["text"] == contents.lead else plain(statement["text"])
        places = [f"`{place}`" for place in map(contents.place, statement["citations"][:1]) if place]
        yield f"- {' '.join([text, *places])}"
    yield ""
    yield from _findings(contents)
    yield from _next(contents)
    yield from _waits(contents)
    yield from _oom(contents)
    if contents.resolution:
        yield "## How it ended"
        yield ""
        yield plain(contents.resolution)
        yield ""
    yield from _tried(contents)
    yield from _evidence(contents)


def _findings(contents: Contents) -> Iterator[str]:
    yield "## Why"
    yield ""
    if not contents.findings:
        yield "No signature of the library explains this evidence."
        yield ""
    for finding in contents.findings:
        claim, decides = claim_of(finding)
        if claim != contents.lead:
            yield f"### {plain(claim)}"
            yield ""
        host = plain(finding["host"]) or "unknown host"
        affected = f"{finding['affected']['sentence'].rstrip('.')} ({finding['affected']['basis']})"
        yield f"`{finding['signature']}` on {host}: {plain(certainty(finding))} {with_commands(affected)}."
        yield ""
        if decides:
            yield with_commands(decides)
            yield ""
        yield "| condition | state | measured | where |"
        yield "| --- | --- | --- | --- |"
        for clause in shown_clauses(finding):
            yield f"| {' | '.join(_cells(contents, clause))} |"
        yield ""


def _oom(contents: Contents) -> Iterator[str]:
    yield f"## {ANSWERS[contents.oom['answer']]}"
    yield ""
    yield contents.oom["sentence"]
    yield ""
    for place in contents.oom["places"]:
        where = contents.place({"evidence": place["evidence"], "first_line": place["line"], "last_line": 0})
        yield f"- `{where}`: {plain(place['text'])}"
    if contents.oom["more"]:
        yield f"- and {contents.oom['more']} more"
    yield ""


def _waits(contents: Contents) -> Iterator[str]:
    if contents.wait_graphs:
        yield "## Wait graph"
        yield ""
    for graph in contents.wait_graphs:
        yield f"### {plain(graph.title)}"
        yield ""
        yield from (f"- {plain(sentence)}" for sentence in graph.sentences)
        yield ""
        yield f"{FENCE}mermaid"
        yield graph.mermaid
        yield FENCE
        yield ""


def _cells(contents: Contents, clause: dict[str, Any]) -> list[str]:
    where = [place for place in map(contents.place, clause["citations"]) if place]
    shown = ", ".join(f"`{place}`" for place in where[:3])
    more = f" and {len(where) - 3} more" if len(where) > 3 else ""
    return [
        plain(clause["title"] or clause["id"]),
        plain(state_words(clause)),
        plain(observed(clause)),
        shown + more,
    ]


def _tried(contents: Contents) -> Iterator[str]:
    yield "## What was tried"
    yield ""
    if not contents.tried and not contents.notes:
        yield "No notes."
        yield ""
    for sentence in contents.tried:
        yield f"- {plain(sentence)}"
    if contents.tried:
        yield ""
    for note in contents.notes:
        yield from (f"> {line}".rstrip() for line in note.splitlines())
        yield ""


def _next(contents: Contents) -> Iterator[str]:
    fixes = [one for finding in contents.findings for one in next_fixes(finding)]
    commands = captures_of(contents)
    if not fixes and not commands:
        return
    yield "## What to do next"
    yield ""
    for label, fix in fixes:
        yield f"{label}: {plain(str(fix.get('title', '')))} ({plain(limits_of(fix))})"
        yield ""
        yield from _command(str(fix.get("run") or ""))
    for title, run in commands:
        yield f"Collect: {plain(title)}"
        yield ""
        yield from _command(run)


def _command(run: str) -> Iterator[str]:
    if run:
        yield f"{FENCE}sh"
        yield run.strip()
        yield FENCE
        yield ""


def _evidence(contents: Contents) -> Iterator[str]:
    yield "## Evidence"
    yield ""
    yield "| file | lines | lines with a name replaced |"
    yield "| --- | --- | --- |"
    for file in contents.files:
        yield f"| `{file.path}` | {file.lines:,} | {file.changed:,} |"
    yield ""
    for reason, count in sorted(contents.left_out.items()):
        yield f"- {count} not handed over: {plain(reason)}"
    changed = [one for one in contents.differences if one["cause"] == "redaction"]
    if changed:
        yield f"- redaction changed {len(changed)} verdict{'s' if len(changed) > 1 else ''}:"
        for one in changed:
            yield f"  - {plain(one['title'])}: {plain('; '.join(one['what']))}"
    else:
        yield "- judged again after redaction: every verdict, condition and cited line is what it was before"


def plain(text: str) -> str:
    """Return `text` escaped for Markdown, on one line."""
    return _SPECIAL.sub(r"\\\1", " ".join(text.split()))


def with_commands(text: str) -> str:
    """Return `text` escaped, what stands between backticks as code."""
    parts = re.split(r"`([^`]+)`", " ".join(text.split()))
    return "".join(f"`{one}`" if at % 2 else _SPECIAL.sub(r"\\\1", one) for at, one in enumerate(parts))
