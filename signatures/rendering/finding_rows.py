"""The document of a finding in words, for CI reports: of a signature, or of an alarm.

rule_of(finding)  ->  "mm/memcg-limit-reclaim"  or  "alarm/ext4_error"
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from signatures.documents.alarm import ALARM, AlarmDocument
from signatures.language.number_format import value_words
from signatures.rendering import finding_text
from signatures.rendering.lines import bare
from signatures.rendering.places import places_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    from signatures.documents.alarm import AnyFinding
    from signatures.documents.citation import Place
    from signatures.documents.finding import ConditionDocument


def rule_of(finding: AnyFinding) -> str:
    """Return the signature, or `alarm/` with the class of the kernel log or the area."""
    return f"{ALARM}/{finding.alarm}" if isinstance(finding, AlarmDocument) else finding.signature


def rule_words(finding: AnyFinding) -> str:
    """Return the rule, and of a team's signature its library."""
    return rule_of(finding) if isinstance(finding, AlarmDocument) else finding_text.signature_words(finding)


def verdict_of(finding: AnyFinding) -> str:
    """Return the verdict of a signature, else `alarm`."""
    return ALARM if isinstance(finding, AlarmDocument) else finding.verdict


def verdict_words(finding: AnyFinding) -> str:
    """Return the verdict of a signature for people, else `alarm`."""
    return ALARM if isinstance(finding, AlarmDocument) else finding_text.verdict_words(finding)


def line_of(finding: AnyFinding) -> str:
    """Return a finding as one line: severity, verdict unless it is a match, rule, host and title."""
    host = f" on {finding.host}" if finding.host else ""
    open_ = "" if finding.verdict == "match" else f"{verdict_words(finding)} "
    of = ALARM if isinstance(finding, AlarmDocument) else f"{open_}{rule_of(finding)}"
    title = finding.headline if isinstance(finding, AlarmDocument) else finding.title
    return bare(f"{finding.severity}: {of}{host}: {title}.")


def meaning_of(finding: AnyFinding) -> str:
    """Return what a finding means for this host: of a signature its kernel, of an alarm the first step."""
    if isinstance(finding, AlarmDocument):
        return f"{finding.first_steps[0]}." if finding.first_steps else ""
    return finding.affected.sentence


def help_of(finding: AnyFinding) -> str:
    """Return what to do about a finding, for the help of a rule."""
    if not isinstance(finding, AlarmDocument):
        return f"{finding.title}. Conditions, fixes: casebook signature show {rule_of(finding)}"
    steps = " ".join(f"{step}." for step in finding.first_steps)
    command = finding.next_capture
    collect = f"Next ({finding.next_capture_reason}): {command}" if command else ""
    return " ".join(filter(None, (f"{finding.title}.", steps, collect)))


def citations_of(finding: AnyFinding) -> list[tuple[str, Place]]:
    """Return the cited lines, each with what it shows; required conditions first."""
    if isinstance(finding, AlarmDocument):
        return [(finding.title, at) for at in finding.citations]
    met = [one for one in finding.conditions if one.state == "TRUE" and one.role != "rival"]
    met.sort(key=lambda one: one.role != "core")
    return [(one.title or one.id, at) for one in met for at in one.citations]


def finding_lines(finding: AnyFinding) -> Iterator[str]:
    """Yield one finding with its evidence: of a signature that of each true condition."""
    if isinstance(finding, AlarmDocument):
        yield f"{ALARM}  {rule_of(finding)}  {bare(finding.headline)}"
        yield f"  {', '.join(places_of(finding.citations))}"
    else:
        yield f"{verdict_words(finding)}  {finding_text.signature_words(finding)}  {bare(finding.title)}"
        for clause in finding.conditions:
            if clause.state == "TRUE":
                places = ", ".join(places_of(clause.citations))
                yield f"  {clause.id:<20} {_observed(clause):<24} {places}"
    yield ""


def _observed(clause: ConditionDocument) -> str:
    if clause.observed is None:
        return "seen" if clause.is_seen else ""
    return value_words(clause.observed, clause.unit)
