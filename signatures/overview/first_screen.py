"""The overview of a case: headline, what was assessed, the strongest statements, and the next capture.

overview_of(run(items), findings, captures, formats).headline
-> Headline("observation", "31 % of samples spin on a lock, most of it taken by shrink_node", …)
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from signatures.documents.hypotheses import MatrixDocument
from signatures.faults import reported
from signatures.judging.systems import os_of
from signatures.language.systems import WINDOWS
from signatures.overview import next_capture, undecided
from signatures.overview.assessed_headline import of_evidence
from signatures.overview.combined import with_combined
from signatures.overview.cpu import lone_stacks
from signatures.overview.do_first import decided_of, step_of_class, steps_about
from signatures.overview.finding_questions import with_findings
from signatures.overview.harmful_steps import harms, is_urgent, subjects_of, subjects_of_screen
from signatures.overview.headline import Headline, Lead, headline_of_findings
from signatures.overview.host_leads import HostLead, leads_of, same_hosts
from signatures.overview.hypotheses import Asked, competing, matrix_document
from signatures.overview.next_capture import NextCapture
from signatures.overview.questions import QUESTIONS, Assessment, assess
from signatures.overview.repeats import without_repeats
from signatures.overview.short_headline import Short, short_of
from signatures.overview.statement_order import Shown, in_order
from signatures.overview.undecided import Wanted
from signatures.rendering.verdict import with_decider
from signatures.reporting.next_captures import WHICH_HOST

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence

    from signatures.documents.finding import FindingDocument
    from signatures.faults import Fault
    from signatures.overview.model import Panel, Statement

SHOWN = 3


@dataclass(frozen=True, slots=True)
class Overview:
    """What the first screen says.

    Attributes:
        questions: The state of every question.
        statements: The strongest level first; without the combined one that the headline of a match is.
        next_capture: What to run next and why; empty when everything is assessed.
        checked: Signatures that were evaluated.
        first_steps: What to do first, where no finding has a fix: one step for each thing that may turn out.
        is_urgent: The first steps do not wait for the next capture.
        matrix: What else it could be, and what decides.
        lead: The headline in full with the statement that it is of.
        short: The headline that people read first, with its numbers.
        suspicion: The suspected cause, shown right below a headline that is not of it; None without one.
        by_host: What leads on each host; empty with fewer than two.
    """

    lead: Lead
    short: Short
    questions: tuple[Assessment, ...]
    statements: tuple[Shown, ...]
    next_capture: NextCapture
    checked: int
    first_steps: tuple[str, ...] = ()
    suspicion: Headline | None = None
    is_urgent: bool = False
    matrix: MatrixDocument = field(default_factory=MatrixDocument)
    by_host: tuple[HostLead, ...] = ()

    @property
    def headline(self) -> Headline:
        """The first sentence in full."""
        return self.lead.headline

    @property
    def signature(self) -> str:
        """Id of the signature of the headline, else of the suspicion below it; "" without either."""
        return self.headline.signature or (self.suspicion.signature if self.suspicion else "")


def overview_of(
    panels: Sequence[Panel],
    findings: Sequence[FindingDocument],
    captures: Sequence[str],
    formats: Collection[str],
) -> Overview:
    """Return the overview of a case.

    Args:
        panels: All panels (`signatures.overview.run`).
        findings: All findings as documents (`signatures.reporting.report.finding_document`), by rank.
        captures: Commands of the next captures of the findings, the most useful first.
        formats: Formats that were read.
    """
    try:
        return _composed(panels, findings, captures, formats)
    except Exception as error:  # noqa: BLE001 - findings and panels stand without the first screen
        return _failed(findings, reported("overview", error))


def _failed(findings: Sequence[FindingDocument], fault: Fault) -> Overview:
    """Return the screen of an overview that raised: it says so, and calls nothing calm."""
    questions = tuple(
        Assessment(question, "not assessed", 0, question.capture, is_partial=True, note="analysis failed")
        for question in QUESTIONS
    )
    checked = len({one.signature for one in findings})
    headline = Headline("not assessed", f"The overview {fault.words}; the findings below stand")
    lead = Lead(headline)
    return Overview(lead, short_of(lead, findings), questions, (), NextCapture("", ""), checked)


def _composed(
    panels: Sequence[Panel],
    findings: Sequence[FindingDocument],
    captures: Sequence[str],
    formats: Collection[str],
) -> Overview:
    present = _during(panels)
    is_foreign = os_of(formats) == WINDOWS
    questions = tuple(_without_capture(one) if is_foreign else one for one in assess(present))
    told = with_combined(list(in_order(present)))
    every = tuple(without_repeats(told))
    statements = tuple(one for one in every if not one.statement.is_filler)
    context = tuple(one for one in every if one.statement.is_filler)[:SHOWN]
    found, suspicion = headline_of_findings(findings, statements)
    questions = with_findings(questions, findings)
    sign = undecided.sign_of(findings)
    lead = found or of_evidence(
        questions,
        statements,
        formats,
        sign or (context[0] if context else None),
        is_suspected=suspicion is not None,
    )
    headline, whole = lead.headline, lead.whole
    known = () if is_foreign else formats
    leading = frozenset(one.signature for one in (headline, suspicion) if one and one.signature)
    rivals = competing(Asked(findings, () if is_foreign else captures, lead, suspicion))
    is_divided = WHICH_HOST.run in captures[:1]
    asked = Wanted(findings, captures, leading, "" if is_divided else rivals.next_of(leading))
    wanted = _next(lead, questions, statements, known, asked)
    subjects = subjects_of_screen(whole, headline.host, statements)
    stated = [one for panel in present for one in panel.statements]
    of = decided_of(lead.of.statement, stated) if lead.of else None
    steps = () if is_foreign or of is None else _first_steps(headline, of, subjects)
    by_host = leads_of(findings, [one for one in told if not one.statement.is_filler])
    has_hosts = len({one.host for one in statements}) > 1
    wanted = wanted if not harms(wanted.command, subjects) else NextCapture("", "")
    if suspicion and wanted.command in {one.run for one in rivals.captures}:
        suspicion = suspicion._replace(text=with_decider(suspicion.text, wanted.command))
    if suspicion and headline.kind == "suspect":
        lead, suspicion = Lead(suspicion), None
    is_together = lead.part == "together"
    return Overview(
        lead,
        short_of(
            lead, findings, suspicion, has_hosts=has_hosts, hosts=same_hosts(by_host, lead.headline.host)
        ),
        questions,
        (*(one for one in statements if not (is_together and one is lead.of)), *context),
        wanted,
        len({one.signature for one in findings}),
        steps,
        suspicion,
        bool(steps) and of is not None and _comes_first(of),
        matrix_document(
            rivals.without(lambda run: bool(harms(run, subjects))), wanted, [one.statement for one in every]
        ),
        by_host,
    )


def _without_capture(question: Assessment) -> Assessment:
    """Return a question without its command, which is one of Linux."""
    return question._replace(capture="")


def _during(panels: Sequence[Panel]) -> list[Panel]:
    """Return the panels of the incident; where there is none, those before and after it."""
    return [panel for panel in panels if panel.phase == "during"] or list(panels)


def _next(
    lead: Lead,
    questions: Sequence[Assessment],
    statements: Sequence[Shown],
    formats: Collection[str],
    wanted: Wanted,
) -> NextCapture:
    """Return what to run next: what a finding lacks, what the first statement lacks, what is not assessed.

    A fact has a capture of its own only as the headline. Without `formats` no statement is followed up. A
    statement without a capture of its own asks for what would decide a signature that has a sign on its
    lines, unless stacks of all CPUs are to be taken anyway.
    """
    asked = wanted.deciding or next_capture.asked_by(wanted.signatures, wanted.findings, wanted.captures)
    if lead.headline.kind == "no evidence":
        return NextCapture("", "")
    whole = lead.whole
    if whole and whole.engine == "quantities" and whole.capture and not asked:
        return next_capture.own_capture(whole)
    if wanted.signatures and asked:
        return next_capture.of_finding(asked)
    leading = [
        one.statement for one in statements[:SHOWN] if one.statement.kind != "fact" or one.statement is whole
    ]
    found = next_capture.of_statements(leading, questions, formats) if formats else None
    first = next((one for one in leading[:1] if not one.capture), None)
    if (first or not statements) and not (found and found.command == lone_stacks.CALLERS):
        run, title = undecided.decider_of(wanted, first)
        if run:
            return NextCapture(run, f"whether it is this: {title}")
    found = found or next_capture.of_questions(questions)
    return found or NextCapture(asked, "")


def _comes_first(leading: Statement) -> bool:
    """Return whether the first step does not wait: it is of the very class, or damage grows meanwhile."""
    return bool(step_of_class(leading)) or is_urgent(subjects_of(topic=leading.topic))


def _first_steps(headline: Headline, leading: Statement, subjects: frozenset[str]) -> tuple[str, ...]:
    """Return the harmless first steps about the headline; statements below may be about something else.

    A match has the steps of its signature: above them stands what its lines, or its class, decide.
    """
    steps: tuple[str, ...] = ()
    if headline.kind == "match":
        steps = tuple(filter(None, (step_of_class(leading),)))
    elif leading.first_step or (
        headline.kind in {"statement", "fact"} and not (leading.engine == "quantities" and not leading.topic)
    ):
        steps = steps_about(leading)
    return tuple(step for step in steps if not harms(step, subjects))
