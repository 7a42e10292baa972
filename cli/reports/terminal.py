"""An analysis as terminal lines: evidence, findings, fixes, recommended captures.

Example:
    IS        mm/memcg-limit-reclaim
              A memory cgroup at its limit reclaims its own page cache …
              host vm. Very likely: every distinguishing condition is met, …
                + Charges hit the limit, again and again [hits_limit]: 6,041,560 (threshold 1,000)  …
              score 12, confidence 1.00, coverage 1.00
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from cli.reports import finding_text
from cli.reports.evidence_lines import evidence_lines
from cli.reports.overview_lines import brief_lines, head_lines
from cli.reports.panel_lines import panel_lines
from signatures.judging.decide import MATCH, SUSPECT, UNKNOWN
from signatures.judging.observation import State
from signatures.rendering import words
from signatures.rendering.lines import Line
from signatures.rendering.verdict import certainty, headline, verdict_words
from signatures.reporting.next_captures import deciding_capture, next_captures

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from cli.evidence.analysis import Analysis
    from signatures.judging.finding import Finding, NextCapture
    from signatures.judging.states import ClauseState

COLOURS = {MATCH: "red", SUSPECT: "yellow"}
MARKS = {State.TRUE: "+", State.FALSE: "-", State.UNKNOWN: "?", State.NOT_OBSERVABLE: " "}
MARK_COLOURS = {"+": "green", "!": "yellow"}
"""`+` met, `-` not met, `?` not decided, `!` an excluding condition is met."""
MAX_LACKING = 3


def lines_of(analysis: Analysis, *, with_all: bool = False) -> Iterator[Line]:
    """Yield the whole report; without a match at most twelve lines unless `with_all`."""
    if analysis.has_read and not analysis.has_verdict and not with_all:
        yield from brief_lines(analysis)
        return
    if analysis.has_read:
        yield from head_lines(analysis)
        yield Line()
    yield from evidence_lines(analysis.evidences, with_all=with_all)
    if not analysis.has_read:
        yield Line()
        yield Line("Nothing could be read.")
        return
    listed = analysis.listed(with_all=with_all)
    for finding in listed:
        yield Line()
        yield from finding_lines(finding)
    if not any(finding.is_listed for finding in listed):
        yield Line()
        yield from _nothing_found(analysis)
    missed = [finding for finding in analysis.findings if finding.is_near_miss and finding not in listed]
    if missed:
        yield Line()
        yield Line("Closest signatures:")
        for finding in missed:
            yield from _near_miss(finding)
    if analysis.panels:
        yield Line()
        yield from panel_lines(analysis.panels, with_all=with_all)
    captures = next_captures(analysis.findings)
    if captures:
        yield Line()
        yield Line("Collect next, most useful first:")
        for number, wanted in enumerate(captures, start=1):
            yield from capture_lines(number, wanted)


def finding_lines(finding: Finding, *, with_rivals: bool = False) -> Iterator[Line]:
    """Yield one finding: verdict, certainty, conditions with citations, fixes.

    Excluding conditions are shown when met; all of them with `with_rivals`.
    """
    verdict = verdict_words(finding).upper()
    colour = COLOURS.get(finding.verdict, "")
    yield Line(f"{verdict:<9} {finding.signature.id}", colour)
    yield Line(f"          {headline(finding, deciding_capture(finding))}", colour)
    during = "" if finding.phase == "during" else f", {finding.phase} the incident"
    yield Line(f"          host {finding.host or 'unknown'}{during}. {certainty(finding)}")
    yield Line(f"          {finding_text.version_words(finding)}")
    yield from (Line(f"          caveat: {cap}") for cap in finding_text.caps(finding))
    clauses = finding.clauses if with_rivals else finding_text.shown_clauses(finding)
    yield from (_clause_line(state) for state in clauses)
    yield Line(f"          {finding_text.numbers(finding)}")
    if finding.verdict in (MATCH, SUSPECT):
        yield from _fix_lines(finding)


def _clause_line(state: ClauseState) -> Line:
    mark = "!" if finding_text.speaks_against(state) else MARKS[state.state]
    text = f"            {mark} {finding_text.title_of(state)} [{state.clause.id}]"
    if state.state in (State.TRUE, State.FALSE):
        observed, threshold = finding_text.observed_words(state), finding_text.threshold_words(state)
        text += f": {observed}" if observed else ""
        text += f" (threshold {threshold})" if threshold else ""
    if state.outcome.note and state.state is not State.UNKNOWN:
        text += f", {state.outcome.note}"
    reason = finding_text.open_words(state)
    text += f" - {reason}" if reason else ""
    places = ", ".join(finding_text.places(state))
    return Line(f"{text}  {places}" if places else text, MARK_COLOURS.get(mark, ""))


def _fix_lines(finding: Finding) -> Iterator[Line]:
    yield from (Line(f"          Careful: {warning}", "yellow") for warning in finding_text.warnings(finding))
    now, later = finding_text.fixes_now(finding), finding_text.fixes_later(finding)
    if now:
        yield Line("          Do this now:")
    for fix in now:
        yield Line(f"            * {fix.title}")
        for command in (fix.run or "").strip().splitlines():
            yield Line(f"                {command}", is_command=True)
        yield from (Line(f"              {detail}") for detail in finding_text.fix_details(fix))
    if later:
        yield Line(f"          Needs planning (details: `casebook signature show {finding.signature.id}`):")
    for fix in later:
        details = "; ".join(finding_text.fix_details(fix, finding_text.LATER))
        yield Line(f"            * {fix.title} ({fix.scope or 'any time'}; {details})")


def _nothing_found(analysis: Analysis) -> Iterator[Line]:
    judged = len({finding.signature.id for finding in analysis.findings})
    yield Line(f"{words.NO_SIGNATURE}; {judged} signatures were evaluated.")
    undecided = [
        finding
        for finding in analysis.findings
        if finding.verdict == UNKNOWN
        and not (finding.superseded_by or finding.is_listed or finding.is_near_miss)
    ]
    for verdict in (words.NOT_DECIDED, words.NOT_LOOKED_AT):
        found = [finding for finding in undecided if verdict_words(finding) == verdict]
        if found:
            yield Line(f"{words.capital(verdict)}:")
        for finding in found:
            lacking = [finding_text.title_of(one) for one in finding.clauses if one.state is State.UNKNOWN]
            yield Line(f"  {finding.signature.id}  {words.several(lacking, MAX_LACKING)}")


def _near_miss(finding: Finding) -> Iterator[Line]:
    yield Line(f"  {finding.signature.id}  {finding.decision.because or verdict_words(finding)}")
    against = [
        state for state in finding.clauses if state.state is State.FALSE and state.clause.role == "core"
    ]
    vetoes = [state for state in finding.clauses if state.state is State.TRUE and state.clause.is_veto]
    yield from (_clause_line(state) for state in (*vetoes, *against))


def capture_lines(number: int, wanted: NextCapture) -> Iterator[Line]:
    """Yield one capture: title, cost, command, conditions it decides."""
    capture = wanted.capture
    needs = f"; needs {', '.join(capture.needs)}" if capture.needs else ""
    yield Line(f"  {number}. {capture.title} (cost: {capture.cost}{needs})")
    yield from (Line(f"       {line}", is_command=True) for line in capture.run.strip().splitlines())
    if capture.unsafe_if:
        yield Line(f"     unsafe if: {', '.join(capture.unsafe_if)}")
    settles: dict[str, list[str]] = {}
    for one in wanted.settles:
        settles.setdefault(one.signature, []).append(one.title)
    effects = (f"{signature}{_titles(titles)}" for signature, titles in sorted(settles.items()))
    yield Line(f"     decides {'; '.join(effects)}")


def _titles(titles: Sequence[str]) -> str:
    """Return the first condition behind its signature, and how many others there are."""
    first, *others = dict.fromkeys(filter(None, titles)) or [""]
    return f" ({first}{f', and {len(others)} more' if others else ''})" if first else ""
