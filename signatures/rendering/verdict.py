"""The verdict of a finding in words: its headline, and how certain it is.

Example:
    May be: A CPU cannot keep up with received packets. Decides: `nstat -asz`.
    Possible: not decided: a long call holds the CPU.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from signatures.judging.decide import MATCH, SUSPECT, UNKNOWN
from signatures.judging.observation import State
from signatures.language.number_format import word_of
from signatures.rendering import words

if TYPE_CHECKING:
    from signatures.judging.finding import Finding
    from signatures.judging.states import ClauseState

DRAFT = "draft signature"
SUPPORTING = ("corroborates", "context")
DECIDES = ". Decides: "
"""Between the claim of a suspicion and the command that decides it."""


def claim(finding: Finding) -> str:
    """Return the verdict with the title, and if it is a draft; of a match the title only.

    The narrower title of a capped reading says what is seen: it has no verdict.
    """
    if finding.fault:
        return f"{words.capital(words.NOT_DECIDED)}: {finding.title} ({finding.fault.words})"
    draft = f" ({DRAFT})" if finding.signature.status == "draft" else ""
    is_seen = finding.verdict == SUSPECT and finding.title != finding.signature.title
    if finding.verdict == MATCH or is_seen:
        return f"{finding.title}{draft}"
    return f"{words.capital(verdict_words(finding))}{draft}: {finding.title}"


def headline(finding: Finding, decides: str) -> str:
    """Return the claim, and of a suspicion the command that decides it, where one is known."""
    is_open = finding.verdict == SUSPECT and decides
    return f"{claim(finding)}{DECIDES}`{' '.join(decides.split())}`." if is_open else claim(finding)


def claim_and_decides(headline_: str) -> tuple[str, str]:
    """Return the claim of a headline, and as a sentence what decides it; "" where nothing does."""
    claimed, _, command = headline_.partition(DECIDES)
    return claimed, f"Decides: {command}" if command else ""


def verdict_words(finding: Finding) -> str:
    """Return the verdict: not looked at where nothing that could decide was in the evidence."""
    is_looked_at = bool(finding.fault) or any(_is_looked_at(one) for one in _own_conditions(finding))
    return words.verdict(finding.verdict, is_looked_at=is_looked_at)


def _own_conditions(finding: Finding) -> list[ClauseState]:
    """Return the conditions that speak for the signature."""
    return [one for one in finding.clauses if one.clause.role != "rival"]


def _is_looked_at(state: ClauseState) -> bool:
    return words.is_looked_at(state.state.value, state.outcome.reason, state.outcome.observed)


def certainty(finding: Finding) -> str:
    """Return how certain a finding is in one word, with its reason; without a confidence the reason."""
    decision = finding.decision
    if decision.confidence is None:
        reason = decision.because or "the conditions do not decide it"
        return f"{words.capital('; '.join((reason, *_open_reasons(finding))))}."
    return f"{_word(finding, decision.confidence)}: {_reason(finding)}."


def _word(finding: Finding, confidence: float) -> str:
    """Return how certain a verdict is: a suspect is possible at most, a match of a draft likely at most."""
    if finding.verdict != MATCH:
        return words.CERTAINTY["low"]
    is_sure = word_of(confidence) == "high" and finding.signature.status != "draft"
    return words.CERTAINTY["high" if is_sure else "medium"]


def _open_reasons(finding: Finding) -> list[str]:
    """Return why required conditions of an undecided signature are not decided, though looked at."""
    if finding.verdict != UNKNOWN:
        return []
    open_ = [
        words.condition_reason(one.state.value, one.outcome.reason)
        for one in finding.clauses
        if one.clause.role == "core" and one.state is State.UNKNOWN and _is_looked_at(one)
    ]
    reasons = list(dict.fromkeys(filter(None, open_)))
    return [words.several(reasons)] if reasons else []


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
        weak = f"it rests on weak readings alone ({words.several(reasons)})"
        return "; ".join(filter(None, (weak, _open(finding))))
    return _open(finding) or finding.decision.because


def _open(finding: Finding) -> str:
    """Return what a suspicion leaves open: alternatives, met ones first, else required conditions."""
    if met := _titles(finding, "rival", State.TRUE):
        return f"an alternative is met, too: {words.several(met)}"
    open_ = _titles(finding, "rival", State.UNKNOWN) or _titles(finding, "core", State.UNKNOWN)
    return f"{words.NOT_DECIDED}: {words.several(open_)}" if open_ else ""


def _titles(finding: Finding, role: str, state: State) -> list[str]:
    """Return the titles of the conditions of a role in a state; an exclusion of other evidence counts not."""
    return [
        one.clause.title or one.clause.id.replace("_", " ")
        for one in finding.clauses
        if one.clause.role == role and one.state is state and not (one.clause.is_veto and state is State.TRUE)
    ]


def _refuted(finding: Finding) -> str:
    """Return the supporting conditions that the evidence refutes: they cost confidence."""
    titles = _titles(finding, "corroborates", State.FALSE)
    return f"; refuted: {words.several(titles)}" if titles else ""


def _remaining(finding: Finding) -> str:
    """Return what a match does not know, else that no alternative is open and how much is not decided."""
    if questions := _unanswered(finding):
        return f"; {words.NOT_DECIDED}: {words.several(questions)}"
    has_rivals = any(state.clause.role == "rival" for state in finding.clauses)
    denied = ", and no alternative is open" if has_rivals else ""
    undecided = sum(
        state.clause.role in SUPPORTING and state.state is State.UNKNOWN for state in finding.clauses
    )
    further = "1 further condition is" if undecided == 1 else f"{undecided} further conditions are"
    return f"{denied}; {further} {words.NOT_DECIDED}" if undecided else denied


def _unanswered(finding: Finding) -> list[str]:
    """Return the questions of which no condition that answers them is met, such as who holds the memory."""
    answers = [(state.clause.answers, state.state is State.TRUE) for state in finding.clauses]
    known = {question for question, is_met in answers if is_met}
    return [one for one in dict.fromkeys(question for question, _ in answers if question) if one not in known]
