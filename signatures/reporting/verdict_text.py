"""The verdict of a finding in words: its headline, and how certain it is.

Example:
    May be: A CPU cannot keep up with received packets; not ruled out: a long call holds the CPU
    Possible: an alternative is not ruled out.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from signatures.judging.decide import MATCH, NOT_APPLICABLE, SUSPECT, UNKNOWN
from signatures.judging.observation import State
from signatures.language.number_format import word_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from signatures.judging.finding import Finding

MAX_NAMED = 2
DRAFT = "draft signature"
SUPPORTING = ("corroborates", "context")
LABELS = {
    MATCH: "Match",
    SUSPECT: "May be",
    UNKNOWN: "Undecided",
    NOT_APPLICABLE: "Not applicable",
}


def headline(finding: Finding) -> str:
    """Return the verdict with the title, what is not ruled out or not yet shown, and if it is a draft.

    The narrower title of a capped reading says what is seen: it has no verdict.
    """
    if finding.fault:
        return f"{LABELS[UNKNOWN]}: {finding.title} ({finding.fault.words})"
    label = LABELS.get(finding.verdict, "Not matched")
    draft = f" ({DRAFT})" if finding.signature.status == "draft" else ""
    is_seen = finding.verdict == SUSPECT and finding.title != finding.signature.title
    title = f"{finding.title}{draft}" if is_seen else f"{label}{draft}: {finding.title}"
    return f"{title}{_open_words(finding)}"


def _open_words(finding: Finding) -> str:
    """Return what a suspect leaves open: alternatives, shown ones first, else distinguishing conditions."""
    if finding.verdict != SUSPECT:
        return ""
    if shown := _titles(finding, "rival", State.TRUE):
        return f"; also shown: {_several(shown)}"
    if rivals := _titles(finding, "rival", State.UNKNOWN):
        return f"; not ruled out: {_several(rivals)}"
    missing = _titles(finding, "core", State.UNKNOWN)
    return f"; not yet shown: {_several(missing)}" if missing else ""


def _titles(finding: Finding, role: str, state: State) -> list[str]:
    """Return the titles of the conditions of a role in a state."""
    return [
        one.clause.title or one.clause.id.replace("_", " ")
        for one in finding.clauses
        if one.clause.role == role and one.state is state and not (one.clause.is_veto and state is State.TRUE)
    ]


def _several(titles: Sequence[str]) -> str:
    more = len(titles) - MAX_NAMED
    return "; ".join(titles[:MAX_NAMED]) + (f"; and {more} more" if more > 0 else "")


def certainty(finding: Finding) -> str:
    """Return how certain a finding is in one word, with its reason; without a confidence what was covered."""
    decision = finding.decision
    if decision.confidence is None:
        coverage = f"Coverage {word_of(decision.coverage)}"
        return f"{coverage}: {decision.because}." if decision.because else f"{coverage}."
    return f"{_word(finding, decision.confidence)}: {_reason(finding)}."


def _word(finding: Finding, confidence: float) -> str:
    """Return how certain a verdict is: a suspect is possible at most, a match of a draft likely at most."""
    if finding.verdict != MATCH:
        return "Possible"
    is_sure = word_of(confidence) == "high" and finding.signature.status != "draft"
    return "Very likely" if is_sure else "Likely"


def _reason(finding: Finding) -> str:
    if finding.verdict == MATCH:
        cores = [state.state is State.TRUE for state in finding.clauses if state.clause.role == "core"]
        met = (
            "every distinguishing condition is met"
            if all(cores)
            else f"{sum(cores)} of {len(cores)} distinguishing conditions met, as many as it needs"
        )
        return f"{met}{_refuted(finding)}{_remaining(finding)}"
    if finding.decision.is_capped:
        reasons = dict.fromkeys(reason for reason, _ in finding.decision.caps)
        return f"it rests on weak readings alone ({_several(list(reasons))})"
    return finding.decision.because


def _refuted(finding: Finding) -> str:
    """Return the supporting conditions that the evidence refutes: they cost confidence."""
    titles = [
        state.clause.title
        for state in finding.clauses
        if state.clause.role == "corroborates" and state.state is State.FALSE
    ]
    return f"; refuted: {_several(titles)}" if titles else ""


def _remaining(finding: Finding) -> str:
    """Return what a match does not know, else that no alternative is open and how much is undecided."""
    if questions := _unanswered(finding):
        return f"; not known: {_several(questions)}"
    has_rivals = any(state.clause.role == "rival" for state in finding.clauses)
    words = ", and no alternative is open" if has_rivals else ""
    undecided = sum(
        state.clause.role in SUPPORTING and state.state is State.UNKNOWN for state in finding.clauses
    )
    further = "1 further condition is" if undecided == 1 else f"{undecided} further conditions are"
    return f"{words}; {further} undecided" if undecided else words


def _unanswered(finding: Finding) -> list[str]:
    """Return the questions of which no condition that answers them is met, such as who holds the memory."""
    answers = [(state.clause.answers, state.state is State.TRUE) for state in finding.clauses]
    known = {words for words, is_met in answers if is_met}
    return [words for words in dict.fromkeys(words for words, _ in answers if words) if words not in known]
