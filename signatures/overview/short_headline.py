"""The headline that people read first: who, what, to whom, in twelve words, with its numbers as chips.

    short_of(lead, findings)
    -> Short("Tasks wait for a file system journal (jbd2)", (Chip("4 times", …),))

The long sentence of the lead is unchanged: it stands below as the first statement.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

from signatures.judging.decide import MATCH, SUSPECT
from signatures.overview.headline_chips import Chip, chips_of_finding, chips_of_statement, without_repeats
from signatures.overview.headline_words import (
    capitalised,
    clauses,
    is_short,
    limits,
    repeats,
    short_titles,
    short_words,
    with_clauses,
    with_part,
    with_quote,
)
from signatures.rendering.verdict import claim_and_decides
from signatures.rendering.words import MAY_BE, inside

if TYPE_CHECKING:
    from collections.abc import Sequence

    from signatures.documents.finding import FindingDocument
    from signatures.overview.headline import Headline, Lead
    from signatures.overview.model import Statement

FEWEST_WORDS = 5
"""A report in fewer words, and without a device, says too little: what it prints follows in quotes."""

DEVICE = "device "

NAMED_HOSTS = 20


class Short(NamedTuple):
    """A headline within the limits of the grammar, and its numbers.

    Attributes:
        may_be: The suspected cause below it, in the same grammar; "" without one.
    """

    text: str
    chips: tuple[Chip, ...] = ()
    may_be: str = ""


def short_of(
    lead: Lead,
    findings: Sequence[FindingDocument],
    suspicion: Headline | None = None,
    *,
    has_hosts: bool = False,
    hosts: Sequence[str] = (),
) -> Short:
    """Return the headline of a lead: its sentence where that is short, else its short form.

    Args:
        lead: The long headline with its statement.
        findings: Documents of signatures, for the title and the numbers of a match.
        suspicion: The suspected cause below it.
        has_hosts: Several hosts are stated: the headline names its own.
        hosts: All hosts that have the same headline, where it is more than one.
    """
    headline = lead.headline
    statement = lead.of.statement if lead.of else None
    chips: list[Chip] = []
    if finding := _finding(lead, findings):
        text, chips = _of_match(lead, finding), chips_of_finding(finding)
    elif headline.kind == SUSPECT:
        text = _with_verdict(headline)
    elif statement and lead.part == "whole":
        text, chips = _of_statement(statement)
    else:
        text, spoken = short_words(headline.text)
        chips = chips_of_statement(statement, spoken) if statement else []
    if statement:
        chips += chips_of_statement(statement)
    host = f"{headline.host}: {text}" if has_hosts and headline.host else text
    place = statement.places[0] if statement else next((one.place for one in chips), None)
    if hosts and place:
        chips.insert(0, Chip(f"{len(hosts)} hosts", ", ".join(hosts[:NAMED_HOSTS]), place))
    return Short(
        host if is_short(host) else text,
        tuple(without_repeats(chips, text))[: limits()["chips"]],
        _suspected(suspicion) if suspicion else "",
    )


def _suspected(suspicion: Headline) -> str:
    """Return the suspected cause without its verdict and the command that decides it."""
    _, title = _claim(suspicion)
    return short_titles(suspicion.signature, title)[0]


def _with_verdict(suspicion: Headline) -> str:
    """Return the suspected cause as a headline: `May be: Reclaim of one cgroup …`."""
    verdict, title = _claim(suspicion)
    if not verdict:
        return short_words(title)[0]
    titles = short_titles(suspicion.signature, title)
    said = [f"{verdict}: {inside(one)}" for one in (*titles, short_words(title)[0]) if one]
    return next(filter(is_short, said), None) or short_words(said[0])[0]


def _claim(suspicion: Headline) -> tuple[str, str]:
    """Return the verdict of a suspicion, "" of a title that says what is seen, and what it claims."""
    claim, _ = claim_and_decides(suspicion.text)
    verdict, _, title = claim.partition(": ")
    return (verdict, title) if verdict.lower().startswith(MAY_BE) else ("", claim)


def _finding(lead: Lead, findings: Sequence[FindingDocument]) -> FindingDocument | None:
    headline = lead.headline
    key = (headline.signature, headline.host, headline.kind)
    same = (one for one in findings if (one.signature, one.host, one.verdict) == key)
    return next(same, None) if headline.kind == MATCH else None


def _of_match(lead: Lead, finding: FindingDocument) -> str:
    """Return the short title of a signature, with the thing and the report that the evidence names.

    What the report says together with its consequences stands alone: it names the thing and the harm.
    """
    if lead.of and lead.part == "together":
        return lead.of.statement.short or lead.of.statement.words
    titles = short_titles(finding.signature, finding.title)
    rest = lead.headline.text.removeprefix(finding.headline)
    subject = re.match(r" \(([^()]+)\)", rest)
    part, rest = (subject[0], rest[subject.end() :]) if subject else ("", rest)
    text = with_part(titles[0], part)
    if rest.startswith(": "):
        text = _with_report(lead, titles, part, rest[2:])
    things = lead.of.statement.things if lead.of else ()
    if things and not any(one in text for one in things):
        text = with_part(text, f" ({things[0]})")
    return with_part(text, " (draft)") if finding.status == "draft" else text


def _with_report(lead: Lead, titles: Sequence[str], part: str, report: str) -> str:
    """Return the shortest title with what a kernel report says, and where; else the device only."""
    classes = lead.of.statement.log_classes if lead.of else ()
    first, *others = clauses(report, classes)
    first = short_words(first)[0]
    places = (f"{titles[-1]}{part}", titles[-1])
    if short := lead.of.statement.short if lead.of else "":
        # The cause leads: what a line decides follows it, and stands alone only where a title says nothing.
        decided = [f"{before}: {inside(short)}" for before in places] if titles[-1] else [short]
        if text := next((one for one in decided if is_short(one) and not repeats(one)), ""):
            return text
    if not titles[-1]:
        return with_clauses(capitalised(first) if classes else first, others)
    for before in places:
        for said in (first, first.partition(" (")[0]):
            text = f"{before}: {inside(said)}"
            if is_short(text) and not repeats(text):
                return with_clauses(text, others)
    return with_clauses(with_part(titles[0], part), [one for one in others if one.startswith(DEVICE)])


def _of_statement(statement: Statement) -> tuple[str, list[Chip]]:
    """Return the short form of a statement and the numbers that a row takes out of it."""
    if statement.short and is_short(statement.short):
        return statement.short, []
    if statement.log_classes:
        return _of_log(statement)
    if statement.engine == "catalogue":
        return with_quote(
            short_words(capitalised(statement.subject))[0], statement.text, statement.subject
        ), []
    is_sign = statement.words.startswith(f"{statement.subject}: ") and len(statement.subject.split()) > 2
    if is_sign and not is_short(statement.words):
        return with_quote(short_words(statement.subject)[0], statement.text, statement.subject), []
    text, spoken = short_words(statement.text)
    return text, chips_of_statement(statement, spoken)


def _of_log(statement: Statement) -> tuple[str, list[Chip]]:
    """Return what the kernel reports, where, and what followed; in quotes what says more than the class."""
    gist = statement.gist or statement.words
    first, *others = clauses(gist, statement.log_classes)
    told, spoken = short_words(first)
    text = with_clauses(capitalised(told), others)
    for one in statement.qualifiers:
        if one.startswith("; then: "):
            text = with_part(text, f", then {one.removeprefix('; then: ').partition(',')[0]}")
    is_told = len(text.split()) >= FEWEST_WORDS or bool(statement.device)
    return (text if is_told else with_quote(text, statement.text, gist)), chips_of_statement(
        statement, spoken
    )
