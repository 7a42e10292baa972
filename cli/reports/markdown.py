"""An analysis as Markdown for a ticket.

Example:
    ## A memory cgroup at its limit reclaims its own page cache with every fault
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from cli.evidence.paths import flat, name_of
from cli.reports import finding_text, overview_text
from signatures.judging.decide import MATCH, SUSPECT
from signatures.rendering.lines import bare
from signatures.rendering.verdict import certainty, claim_and_decides, headline
from signatures.reporting.next_captures import deciding_capture, next_captures

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Sequence

    from cli.evidence.analysis import Analysis
    from signatures.documents.fix import FixDocument
    from signatures.judging.finding import Finding
    from signatures.overview import Panel
    from signatures.overview.first_screen import Overview

FENCE = "```"


def markdown_lines(analysis: Analysis, *, with_all: bool = False) -> Iterator[str]:
    """Yield headline, findings, fixes, recommended captures and evidence."""
    listed = analysis.listed(with_all=with_all)
    if not analysis.has_read:
        yield "Nothing could be read."
        yield ""
    else:
        yield from _overview(analysis)
        if not analysis.has_verdict and not with_all:
            return
    for finding in listed:
        yield from _finding(finding)
    yield from _panels(analysis.panels)
    captures = next_captures(analysis.findings)
    if captures:
        yield "## Collect next"
        yield ""
        for number, wanted in enumerate(captures, start=1):
            yield f"{number}. {wanted.capture.title} (cost: {wanted.capture.cost})"
            yield ""
            yield from _command(wanted.capture.run, "   ")
    yield from _evidence(analysis)


def _overview(analysis: Analysis) -> Iterator[str]:
    """Yield headline, suspicion, questions, alarms; without a match also statements and the next capture."""
    overview = analysis.overview
    said = overview_text.headline_words(overview)
    yield f"## {_text(said.text)}"
    yield ""
    if said.places:
        yield f"Seen at `{_text(said.places)}`."
        yield ""
    if suspicion := overview_text.suspicion_words(overview):
        yield f"{_text(suspicion)}."
        yield ""
    if overview.headline.kind != "no evidence":
        yield overview_text.assessed_words(overview)
        yield ""
    if analysis.has_verdict:
        yield from _alarms(analysis, {overview.headline.text})
        return
    stated = list(overview_text.statements(overview))
    yield from (f"- {_text(said.text)} (`{_text(said.places)}`)" for said in stated)
    if stated:
        yield ""
    yield from _alarms(analysis, overview_text.stated(overview))
    if overview.is_urgent:
        yield from _steps(overview)
    if command := overview.next_capture.command:
        yield f"{_text(overview_text.next_words(overview))}:"
        yield ""
        yield from _command(command, "")
    if not overview.is_urgent:
        yield from _steps(overview)
    checked = (
        f"{_text(overview_text.signature_words(overview))}. "
        if overview.headline.kind != "no evidence"
        else ""
    )
    yield f"{checked}{_text(overview_text.read_words(analysis))}."
    yield ""
    yield from _rejected(analysis)


def _steps(overview: Overview) -> Iterator[str]:
    if overview.first_steps:
        yield from (f"- {_text(step)}" for step in overview.first_steps)
        yield ""


def _alarms(analysis: Analysis, stated: Collection[str]) -> Iterator[str]:
    """Yield the alarms that no match explains and that are not `stated`."""
    alarms = list(overview_text.further_alarms(analysis, stated))
    if not alarms:
        return
    yield "**Also in alarm**"
    yield ""
    for said in alarms:
        yield f"- {_text(said.text)}" + (f" (`{_text(said.places)}`)" if said.places else "")
    yield ""


def _panels(panels: Sequence[Panel]) -> Iterator[str]:
    """Yield the notable results of the system-wide analyses."""
    notable = [panel for panel in panels if panel.state == "notable"]
    if not notable:
        return
    yield "## System overview"
    yield ""
    for panel in notable:
        yield f"- {_text(panel.title)} {_text(panel.summary)}"
        for figure in panel.figures:
            if figure.is_notable:
                where = ", ".join(f"`{bare(at.evidence)}:{at.first_line}`" for at in figure.places)
                yield f"  - {_text(figure.label)}: {_text(figure.words)} ({where})"
    yield ""


def _finding(finding: Finding) -> Iterator[str]:
    claim, decides = claim_and_decides(headline(finding, deciding_capture(finding)))
    yield f"## {claim}"
    yield ""
    host = _text(finding.host) or "unknown host"
    version = _text(finding_text.version_words(finding))
    yield f"`{finding.signature.id}` on {host}: {certainty(finding)} {version}."
    if decides:
        yield ""
        yield decides
    yield ""
    for cap in finding_text.caps(finding):
        yield f"- caveat: {_text(cap)}"
    if finding_text.caps(finding):
        yield ""
    yield "| condition | state | observed | threshold | where |"
    yield "| --- | --- | --- | --- | --- |"
    for state in finding_text.shown_clauses(finding):
        cells = (
            finding_text.title_of(state),
            finding_text.state_words(state),
            finding_text.observed_words(state),
            finding_text.threshold_words(state),
            ", ".join(f"`{place}`" if ":" in place else place for place in finding_text.places(state)),
        )
        yield f"| {' | '.join(_cell(cell) for cell in cells)} |"
    yield ""
    yield f"{finding_text.numbers(finding).capitalize()}."
    yield ""
    if finding.verdict in (MATCH, SUSPECT):
        for warning in finding_text.warnings(finding):
            yield f"**Careful:** {warning}"
            yield ""
        yield from _fixes("Do this now", finding_text.fixes_now(finding), finding_text.NOW)
        yield from _fixes("Needs planning", finding_text.fixes_later(finding), finding_text.LATER)


def _fixes(heading: str, fixes: Sequence[FixDocument], keys: Sequence[str]) -> Iterator[str]:
    if not fixes:
        return
    yield f"**{heading}**"
    yield ""
    for fix in fixes:
        yield f"- {fix.title}: {'; '.join(finding_text.fix_details(fix, keys))}"
        if fix.run and keys is finding_text.NOW:
            yield ""
            yield from _command(fix.run, "  ")
    yield ""


def _command(run: str, indent: str) -> Iterator[str]:
    yield f"{indent}{FENCE}sh"
    yield from (f"{indent}{line}" for line in run.strip().splitlines())
    yield f"{indent}{FENCE}"
    yield ""


def _evidence(analysis: Analysis) -> Iterator[str]:
    everything = list(flat(analysis.evidences))
    read = [evidence for evidence in everything if evidence.state == "read"]
    yield "## Evidence"
    yield ""
    yield f"{len(read)} read, {len(everything) - len(read)} rejected."
    yield ""
    yield from _rejected(analysis)


def _rejected(analysis: Analysis) -> Iterator[str]:
    for evidence in flat(analysis.evidences):
        if evidence.state != "read":
            yield f"- rejected `{_text(name_of(evidence))}`: {_text(evidence.reason)}"


def _cell(text: str) -> str:
    return _text(text).replace("|", "\\|")


def _text(text: str) -> str:
    return bare(text).strip()
