"""`case.html` of a handoff: one self-contained page without network or script.

Its Content-Security-Policy forbids both, and every text is escaped, because evidence is untrusted.
"""

from __future__ import annotations

import re
from collections import defaultdict
from html import escape
from itertools import islice
from pathlib import Path
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

    from signatures.handoff.contents import BundleFile, Contents

POLICY = "default-src 'none'; style-src 'unsafe-inline'; img-src data:; base-uri 'none'; form-action 'none'"
AROUND = 3
MAX_CITED_LINES = 60
MAX_LINES_OF_FILE = 1_500
MAX_LINE_CHARS = 600

STYLE = Path(__file__).with_name("page.css").read_text(encoding="utf-8")


def html(contents: Contents) -> str:
    """Return the page."""
    title = escape(contents.title)
    body = "".join(_body(contents))
    return (
        f'<!doctype html><html lang="en"><head><meta charset="utf-8">'
        f'<meta http-equiv="Content-Security-Policy" content="{POLICY}">'
        f'<meta name="viewport" content="width=device-width, initial-scale=1">'
        f"<title>{title}</title><style>{STYLE}</style></head><body>{body}</body></html>\n"
    )


def _body(contents: Contents) -> Iterator[str]:
    hosts = escape(", ".join(contents.hosts) or "a host that is not named")
    yield f"<header><h1>{escape(contents.title)}</h1>"
    yield f'<p class="soft">Case {contents.number} on {hosts}, handed to {escape(contents.recipient)}. '
    yield "Names are pseudonyms; lines are as they were.</p>"
    yield '<nav aria-label="Parts"><a href="#findings">Why</a><a href="#next">What to do next</a>'
    yield '<a href="#graphs">Flame graphs</a><a href="#oom">OOM?</a><a href="#tried">What was tried</a>'
    yield '<a href="#evidence">Evidence</a></nav></header><main>'
    if contents.question:
        yield f"<h2>Question</h2><blockquote>{escape(contents.question)}</blockquote>"
    yield f"<h2>{escape(contents.lead)}</h2>"
    if contents.statements:
        yield f"<ul>{''.join(_statement(contents, one) for one in contents.statements)}</ul>"
    yield '<h2 id="findings">Why</h2>'
    if not contents.findings:
        yield "<p>No signature of the library explains this evidence.</p>"
    for finding in contents.findings:
        yield from _finding(contents, finding)
    yield from _next(contents)
    if contents.wait_graphs:
        yield '<h2 id="waits">Wait graph</h2>'
    for graph in contents.wait_graphs:
        yield f"<h3>{escape(graph.title)}</h3>"
        yield f"<ul>{''.join(f'<li>{escape(sentence)}</li>' for sentence in graph.sentences)}</ul>"
        yield f"<figure>{graph.svg}</figure>"
    yield '<h2 id="graphs">Flame graphs</h2>'
    if not contents.pictures:
        yield "<p>There are no stacks in this evidence.</p>"
    for name, svg in contents.pictures:
        yield f"<h3>{escape(name)}</h3><figure>{svg}</figure>"
    yield f'<h2 id="oom">{ANSWERS[contents.oom["answer"]]}</h2><p>{escape(contents.oom["sentence"])}</p>'
    if contents.oom["places"]:
        yield f"<ul>{''.join(_oom_place(contents, place) for place in contents.oom['places'])}</ul>"
    if contents.resolution:
        yield f"<h2>How it ended</h2><p>{escape(contents.resolution)}</p>"
    yield '<h2 id="tried">What was tried</h2>'
    yield "".join(f"<p>{escape(sentence)}</p>" for sentence in contents.tried)
    yield "".join(f"<blockquote>{escape(note)}</blockquote>" for note in contents.notes)
    if not contents.tried and not contents.notes:
        yield "<p>No notes.</p>"
    yield from _evidence(contents)
    yield "</main>"


def _next(contents: Contents) -> Iterator[str]:
    fixes = [one for finding in contents.findings for one in next_fixes(finding)]
    commands = captures_of(contents)
    if fixes or commands:
        yield '<h2 id="next">What to do next</h2>'
    for label, fix in fixes:
        yield f"<p><strong>{label}:</strong> {escape(str(fix.get('title', '')))} "
        yield f'<span class="soft">({escape(limits_of(fix))})</span></p>'
        if fix.get("run"):
            yield f"<pre>{escape(str(fix['run']).strip())}</pre>"
    for title, run in commands:
        yield f"<p><strong>Collect:</strong> {escape(title)}</p><pre>{escape(run.strip())}</pre>"


def _statement(contents: Contents, statement: dict[str, Any]) -> str:
    text = "seen in" if statement["text"] == contents.lead else escape(statement["text"])
    return f"<li>{' '.join([text, *(_link(contents, one) for one in statement['citations'][:1])])}</li>"


def _oom_place(contents: Contents, place: dict[str, Any]) -> str:
    citation = {"evidence": place["evidence"], "first_line": place["line"], "last_line": place["line"]}
    return f"<li>{_link(contents, citation)}: {escape(place['text'])}</li>"


def with_commands(text: str) -> str:
    """Return `text` escaped, what stands between backticks as code."""
    return re.sub(r"`([^`]+)`", r"<code>\1</code>", escape(text))


def _finding(contents: Contents, finding: dict[str, Any]) -> Iterator[str]:
    verdict = finding["verdict"]
    claim, decides = claim_of(finding)
    host = escape(finding["host"] or "unknown host")
    yield f'<section><h3><span class="{escape(verdict)}">{escape(claim)}</span></h3>'
    yield f"<p>{escape(finding['signature'])} on {host}: {escape(certainty(finding))} "
    affected = f"{finding['affected']['sentence'].rstrip('.')} ({finding['affected']['basis']})."
    yield f"{with_commands(affected)}</p>"
    if decides:
        yield f"<p>{with_commands(decides)}</p>"
    yield "<table><thead><tr><th>condition<th>state<th>measured<th>where</tr></thead><tbody>"
    for clause in shown_clauses(finding):
        links = ", ".join(link for link in (_link(contents, one) for one in clause["citations"][:3]) if link)
        more = len(clause["citations"]) - 3
        rest = f" and {more} more" if more > 0 else ""
        name = escape(clause["title"] or clause["id"])
        yield f"<tr><td>{name}<td>{escape(state_words(clause))}<td>{escape(observed(clause))}"
        yield f"<td>{links}{rest}</tr>"
    yield "</tbody></table>"
    yield "</section>"


def _link(contents: Contents, citation: dict[str, Any]) -> str:
    file = contents.file_of(str(citation["evidence"]))
    if file is None:
        return ""
    return f'<a href="#e{file.number}l{citation["first_line"]}">{escape(contents.place(citation))}</a>'


def _evidence(contents: Contents) -> Iterator[str]:
    yield '<h2 id="evidence">Evidence</h2>'
    yield '<p class="soft">The lines that something rests on; the whole files are in the bundle.</p>'
    wanted = _wanted(contents)
    for file in contents.files:
        yield f"<h3>{escape(file.path)}</h3>"
        replaced = f"{file.changed:,} of {file.lines:,} lines had a name replaced"
        yield f'<p class="soft">{replaced}; SHA-256 {file.sha256}</p>'
        if wanted[file.number]:
            yield f"<pre>{''.join(_excerpt(file, wanted[file.number]))}</pre>"


def _wanted(contents: Contents) -> dict[int, dict[int, bool]]:
    """Return the lines to show of each file: number to whether it is cited, not just context."""
    wanted: dict[int, dict[int, bool]] = defaultdict(dict)
    cited = [
        one for finding in contents.findings for clause in finding["clauses"] for one in clause["citations"]
    ]
    cited += [one for statement in contents.statements for one in statement["citations"][:1]]
    cited += [
        {"evidence": one["evidence"], "first_line": one["line"], "last_line": one["line"]}
        for one in contents.oom["places"]
    ]
    for citation in cited:
        file = contents.file_of(str(citation["evidence"]))
        if file is None:
            continue
        lines = wanted[file.number]
        first = citation["first_line"]
        last = min(citation["last_line"], first + MAX_CITED_LINES)
        for line in range(max(1, first - AROUND), last + AROUND + 1):
            if len(lines) < MAX_LINES_OF_FILE:
                lines[line] = lines.get(line, False) or first <= line <= last
    return wanted


def _excerpt(file: BundleFile, wanted: dict[int, bool]) -> Iterator[str]:
    at = 0
    with file.local_path.open("rb") as stream:
        for number in sorted(wanted):
            skipped = number - at - 1
            line = next(islice(stream, skipped, None), None)
            if line is None:
                return
            if skipped > 0:
                yield "<b>      …</b>\n"
            at = number
            text = line.rstrip(b"\n").decode("utf-8", "replace")
            shown = escape(text[:MAX_LINE_CHARS]) + ("…" if len(text) > MAX_LINE_CHARS else "")
            row = f'<span id="e{file.number}l{number}"><b>{number:>7}</b> {shown}</span>'
            yield f"<mark>{row}</mark>" if wanted[number] else f"{row}\n"
