"""Wording of findings, shared by terminal and Markdown."""

from __future__ import annotations

from typing import TYPE_CHECKING

from signatures.judging.observation import State
from signatures.language.number_format import common_unit, value_words
from signatures.rendering import words
from signatures.reporting import fix_plan

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from signatures.documents.fix import FixDocument
    from signatures.judging.finding import Finding
    from signatures.judging.states import ClauseState

MAX_PLACES = 3
SEEN = "seen"
TRUTHS = {"True": "yes", "False": "no"}
SOURCES = {"STORY-ONLY": "from a story, not verified"}


def numbers(finding: Finding) -> str:
    """Return the numbers of a verdict: score, confidence and coverage."""
    decision = finding.decision
    confidence = "" if decision.confidence is None else f"confidence {decision.confidence:.2f}, "
    return f"score {decision.score:g}, {confidence}coverage {decision.coverage:.2f}"


def version_words(finding: Finding) -> str:
    """Return the status of this kernel with its source."""
    return f"{finding.sentence.removesuffix('.')}: {finding.affected.basis}"


def caps(finding: Finding) -> list[str]:
    """Return the caveats of the evidence."""
    titles = {state.clause.id: title_of(state) for state in finding.clauses}
    return [f"{reason} ({titles.get(clause, clause)})" for reason, clause in finding.decision.caps]


def shown_clauses(finding: Finding) -> list[ClauseState]:
    """Return the conditions, and of the excluding ones those that are met."""
    return [state for state in finding.clauses if state.clause.role != "rival" or state.state is State.TRUE]


def speaks_against(state: ClauseState) -> bool:
    """Return whether an excluding condition is met."""
    return state.clause.role == "rival" and state.state is State.TRUE


def title_of(state: ClauseState) -> str:
    """Return the title of a condition."""
    return state.clause.title or state.clause.id


def observed_words(state: ClauseState) -> str:
    """Return the observed value, "" when there is none."""
    outcome = state.outcome
    if outcome.observed is None:
        return ""
    if isinstance(outcome.observed, str):
        return TRUTHS.get(outcome.observed, outcome.observed)
    return value_words(outcome.observed, common_unit(outcome.unit, outcome.observed, outcome.threshold))


def threshold_words(state: ClauseState) -> str:
    """Return the threshold, "" when there is none."""
    threshold = state.outcome.threshold
    if threshold is None or (isinstance(threshold, str) and threshold in (SEEN, *TRUTHS)):
        return ""
    return value_words(threshold, common_unit(state.outcome.unit, state.outcome.observed, threshold))


def state_words(state: ClauseState) -> str:
    """Return the state of a condition with its reason."""
    if speaks_against(state):
        return f"**{words.EXCLUDES}**"
    return words.condition_words(state.state.value, state.outcome.reason, state.outcome.observed)


def open_words(state: ClauseState) -> str:
    """Return why a condition is not met; of one that is not decided also that it is not; "" when met."""
    if state.state is State.FALSE:
        return words.condition_reason(state.state.value, state.outcome.reason)
    return "" if state.state is State.TRUE else state_words(state)


def places(state: ClauseState) -> list[str]:
    """Return the first citations as `file:first-last`; a last entry counts the rest."""
    cited = state.outcome.citations
    places_ = [
        f"{evidence}:{lines.first_line}"
        + (f"-{lines.last_line}" if lines.last_line > lines.first_line else "")
        for evidence, _, lines in cited[:MAX_PLACES]
    ]
    more = len(cited) - len(places_)
    return [*places_, f"and {more} more"] if more > 0 else places_


def fixes_now(finding: Finding) -> list[FixDocument]:
    """Return the fixes that are safe to apply on the running system at once."""
    return fix_plan.fixes_now(finding.fixes)


def warnings(finding: Finding) -> list[str]:
    """Return what must not be done."""
    return [fix.title for fix in finding.fixes if fix.kind == "warning"]


def fixes_later(finding: Finding) -> list[FixDocument]:
    """Return the fixes that need a change, a restart or planning."""
    now = fixes_now(finding)
    return [fix for fix in finding.fixes if fix not in now and fix.kind != "warning"]


NOW = ("needs", "first_on", "unsafe_if", "risk", "undo", "verify", "note", "status")
LATER = ("endangers", "needs", "unsafe_if", "risk")

_DETAIL_WORDS = {
    "endangers": "endangers",
    "needs": "needs",
    "first_on": "first on",
    "unsafe_if": "never when",
    "risk": "risk",
    "undo": "undo",
    "verify": "it worked when",
    "note": "note",
    "status": "source",
}


def fix_details(fix: FixDocument, keys: Sequence[str] = NOW) -> Iterator[str]:
    """Yield risk, undo and verification of a fix."""
    for key in keys:
        value = getattr(fix, key)
        if value:
            text = ", ".join(map(str, value)) if isinstance(value, tuple) else str(value)
            yield f"{_DETAIL_WORDS[key]}: {SOURCES.get(text, text)}"
