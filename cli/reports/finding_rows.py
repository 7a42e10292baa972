"""The document of a finding in words, for CI reports: of a signature, or of an alarm.

rule_of(finding)  ->  "mm/memcg-limit-reclaim"  or  "alarm/ext4_error"
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from signatures.language.number_format import value_words
from signatures.rendering import words
from signatures.rendering.lines import bare

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

Document = dict[str, Any]

ALARM = "alarm"
SHOWN_PLACES = 3


def is_alarm(finding: Document) -> bool:
    """Return whether a finding is an alarm, not a signature."""
    return bool(finding["kind"] == ALARM)


def rule_of(finding: Document) -> str:
    """Return the signature, or `alarm/` with the class of the kernel log or the area."""
    return f"{ALARM}/{finding['alarm']}" if is_alarm(finding) else str(finding["signature"])


def verdict_of(finding: Document) -> str:
    """Return the verdict of a signature, else `alarm`."""
    return ALARM if is_alarm(finding) else str(finding["verdict"])


def verdict_words(finding: Document) -> str:
    """Return the verdict of a signature for people, else `alarm`."""
    return words.VERDICTS.get(verdict_of(finding), ALARM)


def line_of(finding: Document) -> str:
    """Return a finding as one line: severity, verdict unless it is a match, rule, host and title."""
    host = f" on {finding['host']}" if finding["host"] else ""
    open_ = "" if finding["verdict"] == "match" else f"{verdict_words(finding)} "
    of = ALARM if is_alarm(finding) else f"{open_}{rule_of(finding)}"
    title = finding["headline"] if is_alarm(finding) else finding["title"]
    return bare(f"{finding['severity']}: {of}{host}: {title}.")


def meaning_of(finding: Document) -> str:
    """Return what a finding means for this host: of a signature its kernel, of an alarm the first step."""
    if is_alarm(finding):
        return f"{finding['first_steps'][0]}." if finding["first_steps"] else ""
    return str(finding["affected"]["sentence"])


def help_of(finding: Document) -> str:
    """Return what to do about a finding, for the help of a rule."""
    if not is_alarm(finding):
        return f"{finding['title']}. Conditions, fixes: casebook signature show {rule_of(finding)}"
    steps = " ".join(f"{step}." for step in finding["first_steps"])
    command = finding["next_capture"]
    collect = f"Next ({finding['next_capture_reason']}): {command}" if command else ""
    return " ".join(filter(None, (f"{finding['title']}.", steps, collect)))


def citations_of(finding: Document) -> list[tuple[str, Document]]:
    """Return the cited lines, each with what it shows; required conditions first."""
    if is_alarm(finding):
        return [(finding["title"], at) for at in finding["citations"]]
    met = [one for one in finding["clauses"] if one["state"] == "TRUE" and one["role"] != "rival"]
    met.sort(key=lambda one: one["role"] != "core")
    return [(one["title"] or one["id"], at) for one in met for at in one["citations"]]


def finding_lines(finding: Document) -> Iterator[str]:
    """Yield one finding with its evidence: of a signature that of each true condition."""
    if is_alarm(finding):
        yield f"{ALARM}  {rule_of(finding)}  {bare(finding['headline'])}"
        yield f"  {', '.join(places_of(finding['citations']))}"
    else:
        yield f"{verdict_words(finding)}  {finding['signature']}  {bare(finding['title'])}"
        for clause in finding["clauses"]:
            if clause["state"] == "TRUE":
                places = ", ".join(places_of(clause["citations"]))
                yield f"  {clause['id']:<20} {_observed(clause):<24} {places}"
    yield ""


def places_of(citations: Sequence[Document]) -> list[str]:
    """Return the first citations as `file:first-last`; a last entry counts the rest."""
    shown = [
        f"{bare(one['evidence'])}:{one['first_line']}"
        + (f"-{one['last_line']}" if one["last_line"] > one["first_line"] else "")
        for one in citations[:SHOWN_PLACES]
    ]
    more = len(citations) - len(shown)
    return [*shown, f"and {more} more"] if more > 0 else shown


def _observed(clause: Document) -> str:
    if clause["observed"] is None:
        return "seen" if clause["is_seen"] else ""
    return value_words(clause["observed"], clause["unit"])
