"""An analysis as a chat message: short lines, no tables, no headings.

Example:
    **95.6 % of packets met a full backlog of a CPU (17,510,430 of 18,309,755)** (`softnet_stat:3`)
    May be: A CPU cannot keep up with received packets. Decides: `nstat -asz`. [net/softirq-budget-squeeze]
    Alarm: network. Not looked at: kernel log, memory, IO, locks, scheduling, cgroup limits.
    - Packets are dropped at the backlog: 17,510,430 (`softnet_stat:3`)
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from cli.reports import finding_text, overview_text
from signatures.judging.decide import MATCH, SUSPECT
from signatures.judging.observation import State
from signatures.rendering import words
from signatures.rendering.lines import bare

if TYPE_CHECKING:
    from collections.abc import Iterator

    from cli.evidence.analysis import Analysis
    from signatures.judging.finding import Finding

MAX_CONDITIONS = 3
ALSO = {MATCH: "also", SUSPECT: words.MAY_BE}


def chat_lines(analysis: Analysis) -> Iterator[str]:
    """Yield headline, suspicion, what was assessed, the reasons, what to do, and what to run next."""
    yield from (bare(line) for line in _lines(analysis))


def _lines(analysis: Analysis) -> Iterator[str]:
    overview = analysis.overview
    said = overview_text.headline_words(overview)
    yield f"**{said.text}**" + (f" (`{said.places}`)" if said.places else "")
    if overview.headline.kind == "no evidence":
        yield from overview_text.rejected_words(analysis)
        yield f"{overview_text.read_words(analysis)}."
        return
    suspicion = overview_text.suspicion_words(overview)
    if suspicion:
        yield suspicion
    yield overview_text.assessed_words(overview)
    firing = [one for one in analysis.listed() if one.verdict in (MATCH, SUSPECT)]
    if firing:
        yield from _finding(firing[0])
        for finding in firing[1:]:
            yield f"- {ALSO[finding.verdict]}: {finding.title} (`{finding.signature.id}`)"
    for said in overview_text.statements(overview):
        yield f"- {said.text} (`{said.places}`)"
    for said in overview_text.further_alarms(analysis, overview_text.stated(overview)):
        yield f"- also alarm: {said.text}" + (f" (`{said.places}`)" if said.places else "")
    steps = overview_text.steps_words(overview)
    if steps and overview.is_urgent:
        yield f"First: {steps}"
    if (command := overview.next_capture.command) and command not in suspicion:
        yield f"{overview_text.next_words(overview)}: `{' '.join(command.split())}`"
    if steps and not overview.is_urgent:
        yield steps
    if not firing:
        yield f"{overview_text.signature_words(overview)}."
    yield from overview_text.rejected_words(analysis)
    yield f"{overview_text.read_words(analysis)}."


def _finding(finding: Finding) -> Iterator[str]:
    """Yield the met conditions of a finding and its first safe fix."""
    met = [
        state
        for state in finding.clauses
        if state.state is State.TRUE and state.clause.role in {"core", "corroborates"}
    ]
    for state in met[:MAX_CONDITIONS]:
        observed = finding_text.observed_words(state)
        value = f": {observed}" if observed else ""
        yield f"- {finding_text.title_of(state)}{value} (`{', '.join(finding_text.places(state))}`)"
    for fix in finding_text.fixes_now(finding)[:1]:
        run = f": `{' '.join(fix.run.split())}`" if fix.run else ""
        yield f"Do this now: {fix.title}{run}"
