"""The verdict of a finding in words: its headline, and how certain it is.

Example:
    May be: A CPU cannot keep up with received packets. Decides: `nstat -asz`.
    Possible: not decided: a long call holds the CPU.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from signatures.judging.decide import MATCH, SUSPECT, UNKNOWN
from signatures.rendering import words

if TYPE_CHECKING:
    from signatures.documents.finding import ConditionDocument, ConditionState, FindingDocument

DRAFT = "draft signature"
SUPPORTING = ("corroborates", "context")
DECIDES = ". Decides: "
"""Between the claim of a suspicion and the command that decides it."""


def claim(finding: FindingDocument) -> str:
    """Return the verdict with the title, and if it is a draft; of a match the title only.

    The narrower title of a capped reading says what is seen: it has no verdict.
    """
    if finding.fault:
        return f"{words.capital(words.NOT_DECIDED)}: {finding.title} ({finding.fault})"
    draft = f" ({DRAFT})" if finding.status == "draft" else ""
    if finding.verdict == MATCH or (finding.verdict == SUSPECT and finding.is_narrowed):
        return f"{finding.title}{draft}"
    return f"{words.capital(verdict_words(finding))}{draft}: {finding.title}"


def headline(finding: FindingDocument, decides: str) -> str:
    """Return the claim, and of a suspicion the command that decides it, where one is known."""
    is_open = finding.verdict == SUSPECT and decides
    return with_decider(claim(finding), decides) if is_open else claim(finding)


def with_decider(headline_: str, decides: str) -> str:
    """Return the claim of a headline with the command that decides it."""
    return f"{claim_and_decides(headline_)[0]}{DECIDES}`{' '.join(decides.split())}`."


def claim_and_decides(headline_: str) -> tuple[str, str]:
    """Return the claim of a headline, and as a sentence what decides it; "" where nothing does."""
    claimed, _, command = headline_.partition(DECIDES)
    return claimed, f"Decides: {command}" if command else ""


def verdict_words(finding: FindingDocument) -> str:
    """Return the verdict: not looked at where nothing that could decide was in the evidence."""
    is_looked_at = bool(finding.fault) or any(_is_looked_at(one) for one in _own_conditions(finding))
    return words.verdict(finding.verdict, is_looked_at=is_looked_at)


def _own_conditions(finding: FindingDocument) -> list[ConditionDocument]:
    """Return the conditions that speak for the signature."""
    return [one for one in finding.conditions if one.role != "rival"]


def _is_looked_at(condition: ConditionDocument) -> bool:
    return words.is_looked_at(condition.state, condition.reason, condition.observed)


def certainty(finding: FindingDocument) -> str:
    """Return how certain a finding is in one word, with its reason; without a confidence the reason."""
    if finding.confidence is None:
        reason = finding.because or "the conditions do not decide it"
        return f"{words.capital('; '.join((reason, *_open_reasons(finding))))}."
    return f"{_word(finding)}: {_reason(finding)}."


def _word(finding: FindingDocument) -> str:
    """Return how certain a verdict is: a suspect is possible at most, a match of a draft likely at most."""
    if finding.verdict != MATCH:
        return words.CERTAINTY["low"]
    is_sure = finding.confidence_word == "high" and finding.status != "draft"
    return words.CERTAINTY["high" if is_sure else "medium"]


def _open_reasons(finding: FindingDocument) -> list[str]:
    """Return why required conditions of an undecided signature are not decided, though looked at."""
    if finding.verdict != UNKNOWN:
        return []
    open_ = [
        words.condition_reason(one.state, one.reason)
        for one in finding.conditions
        if one.role == "core" and one.state == "UNKNOWN" and _is_looked_at(one)
    ]
    reasons = list(dict.fromkeys(filter(None, open_)))
    return [words.several(reasons)] if reasons else []


def _reason(finding: FindingDocument) -> str:
    if finding.verdict == MATCH:
        cores = [one.state == "TRUE" for one in finding.conditions if one.role == "core"]
        met = (
            "every distinguishing condition is met"
            if all(cores)
            else f"{sum(cores)} of {len(cores)} distinguishing conditions met, as many as it needs"
        )
        return f"{met}{_refuted(finding)}{_remaining(finding)}"
    if finding.is_capped:
        reasons = dict.fromkeys(cap.reason for cap in finding.caps)
        weak = f"it rests on weak readings alone ({words.several(reasons)})"
        return "; ".join(filter(None, (weak, _open(finding))))
    return _open(finding) or finding.because


def _open(finding: FindingDocument) -> str:
    """Return what a suspicion leaves open: alternatives, met ones first, else required conditions."""
    if met := _titles(finding, "rival", "TRUE"):
        return f"an alternative is met, too: {words.several(met)}"
    open_ = _titles(finding, "rival", "UNKNOWN") or _titles(finding, "core", "UNKNOWN")
    return f"{words.NOT_DECIDED}: {words.several(open_)}" if open_ else ""


def _titles(finding: FindingDocument, role: str, state: ConditionState) -> list[str]:
    """Return the titles of the conditions of a role in a state; an exclusion of other evidence counts not."""
    return [
        one.name
        for one in finding.conditions
        if one.role == role and one.state == state and not (one.veto and state == "TRUE")
    ]


def _refuted(finding: FindingDocument) -> str:
    """Return the supporting conditions that the evidence refutes: they cost confidence."""
    titles = _titles(finding, "corroborates", "FALSE")
    return f"; refuted: {words.several(titles)}" if titles else ""


def _remaining(finding: FindingDocument) -> str:
    """Return what a match does not know, else that no alternative is open and how much is not decided."""
    if questions := _unanswered(finding):
        return f"; {words.NOT_DECIDED}: {words.several(questions)}"
    has_rivals = any(one.role == "rival" for one in finding.conditions)
    denied = ", and no alternative is open" if has_rivals else ""
    undecided = sum(one.role in SUPPORTING and one.state == "UNKNOWN" for one in finding.conditions)
    further = "1 further condition is" if undecided == 1 else f"{undecided} further conditions are"
    return f"{denied}; {further} {words.NOT_DECIDED}" if undecided else denied


def _unanswered(finding: FindingDocument) -> list[str]:
    """Return the questions of which no condition that answers them is met, such as who holds the memory."""
    answers = [(one.answers, one.state == "TRUE") for one in finding.conditions]
    known = {question for question, is_met in answers if is_met}
    return [one for one in dict.fromkeys(question for question, _ in answers if question) if one not in known]
