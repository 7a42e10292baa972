"""Findings as lines for people: plain for a terminal, Markdown for an incident.

Example:
    MATCH     mm/memcg-limit-reclaim  A memory cgroup at its limit reclaims its own page cache with every
    fault
              host vm; confidence high (0.93), coverage high (0.92)
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from signatures.decide import MATCH, SUSPECT
from signatures.observation import State

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from signatures.finding import Finding
    from signatures.observation import Cited
    from signatures.states import ClauseState


def word_of(share: float) -> str:
    """Return `low`, `medium` or `high`: words until human labels have calibrated the numbers."""
    return "high" if share >= 0.75 else "medium" if share >= 0.45 else "low"


def listed(findings: Iterable[Finding], *, is_all: bool = False) -> list[Finding]:
    """Return match, suspect and telling unknown findings with their near misses; everything when `is_all`."""
    return [finding for finding in findings if is_all or finding.is_listed or finding.is_near_miss]


def value_words(value: float | str | None, unit: str = "") -> str:
    """Return a value as a person reads it: `40.8 %`, `230.8 s`, `4.0 GiB`."""
    if value is None:
        return "-"
    if isinstance(value, str):
        return value
    if unit == "share":
        return (
            f"{value:.3g}"
            if value >= 5
            else f"{value * 100:.3g} %"
            if value * 100 >= 0.01 or value == 0
            else f"{value:.2g}"
        )
    seconds = {"ns": 1e-9, "us": 1e-6, "ms": 1e-3, "seconds": 1.0}.get(unit)
    if seconds is not None:
        return f"{value * seconds:.4g} s"
    if unit == "bytes":
        return f"{value / 1024**2:.4g} MiB"
    return f"{value:.6g}"


def text_lines(findings: Sequence[Finding], *, is_all: bool = False) -> list[str]:
    """Return findings as plain lines for a terminal."""
    lines: list[str] = []
    for finding in listed(findings, is_all=is_all):
        lines.extend(_text(finding))
    return lines or ["Nothing in the library explains this evidence."]


def _text(finding: Finding) -> list[str]:
    verdict = (
        "NEAR MISS"
        if finding.is_near_miss and not finding.is_listed
        else finding.verdict.upper().replace("_", " ")
    )
    lines = [f"{verdict:<9} {finding.signature.id}  {finding.signature.title}"]
    lines.append(f"          host {finding.host or 'unknown'}; {_certainty(finding)}")
    lines.append(f"          {finding.sentence} ({finding.affected.basis})")
    lines.extend(f"          capped: {reason} [{clause}]" for reason, clause in finding.decision.caps)
    if finding.verdict in (MATCH, SUSPECT) and finding.rivals_open:
        lines.append(f"          rivals not excluded: {', '.join(finding.rivals_open)}")
    lines.extend(
        f"            {_clause_words(state)}"
        for state in finding.clauses
        if state.clause.role != "rival" or state.state is State.TRUE
    )
    lines.append("")
    return lines


def _certainty(finding: Finding) -> str:
    decision = finding.decision
    coverage = f"coverage {word_of(decision.coverage)} ({decision.coverage:.2f})"
    if decision.confidence is None:
        return f"{coverage}; {decision.because}" if decision.because else coverage
    return f"confidence {word_of(decision.confidence)} ({decision.confidence:.2f}), {coverage}"


def _clause_words(state: ClauseState) -> str:
    outcome = state.outcome
    seen = value_words(outcome.observed, outcome.unit)
    against = (
        f" (threshold {value_words(outcome.threshold, outcome.unit)})"
        if outcome.threshold is not None
        else ""
    )
    places = ", ".join(_place(*citation) for citation in outcome.citations[:2])
    mark = {"TRUE": "+", "FALSE": "-", "UNKNOWN": "?", "NOT_OBSERVABLE": " "}[state.state.value]
    words = f"{mark} {state.clause.title or state.clause.id} [{state.clause.id}]"
    if state.state in (State.TRUE, State.FALSE):
        words += f": {seen}{against}"
    if outcome.note and state.state is not State.UNKNOWN:
        words += f", {outcome.note}"
    if outcome.reason and state.state is not State.TRUE:
        words += f" - {outcome.reason}"
    return f"{words}  {places}" if places else words


def _place(evidence: str, _section: int, cited: Cited) -> str:
    return f"{evidence}:{cited.first_line}" + (
        f"-{cited.last_line}" if cited.last_line > cited.first_line else ""
    )


def markdown_lines(findings: Sequence[Finding], *, is_all: bool = False) -> list[str]:
    """Return findings as Markdown, to paste into an incident."""
    lines: list[str] = []
    for finding in listed(findings, is_all=is_all):
        lines += [f"## {finding.verdict.replace('_', ' ')}: {finding.signature.title}", ""]
        lines += [
            (
                f"`{finding.signature.id}` on {finding.host or 'an unknown host'}: {_certainty(finding)}. "
                f"{finding.sentence}"
            ),
            "",
        ]
        lines += ["| condition | state | observed | threshold | where |", "| --- | --- | --- | --- | --- |"]
        for state in finding.clauses:
            outcome = state.outcome
            where = ", ".join(f"`{_place(*citation)}`" for citation in outcome.citations[:3])
            state_words = state.state.value + (
                f" ({outcome.reason})" if outcome.reason and state.state is State.UNKNOWN else ""
            )
            cells = (
                state.clause.title or state.clause.id,
                state_words,
                value_words(outcome.observed, outcome.unit),
                value_words(outcome.threshold, outcome.unit),
                where,
            )
            lines.append("| " + " | ".join(str(cell).replace("|", "\\|") for cell in cells) + " |")
        lines.append("")
    return lines or ["Nothing in the library explains this evidence."]
