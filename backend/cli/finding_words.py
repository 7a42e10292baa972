"""What a finding says, in words for people: the terminal and the ticket say the same."""

from __future__ import annotations

from typing import TYPE_CHECKING

from signatures.judging.decide import MATCH, SUSPECT
from signatures.judging.observation import State
from signatures.language.number_format import value_words, word_of

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from signatures.judging.finding import Finding
    from signatures.judging.states import ClauseState

MAX_PLACES = 3
SEEN = "seen"
TRUTHS = {"True": "yes", "False": "no"}
SOURCES = {"STORY-ONLY": "told in a story, not verified"}

STATES = {
    State.TRUE: "yes",
    State.FALSE: "no",
    State.UNKNOWN: "not known",
    State.NOT_OBSERVABLE: "this kernel cannot show it",
}

REASONS = {
    "absent": "not in this evidence",
    "unparsable": "could not be understood",
    "filtered": "the output was filtered when it was collected",
    "excerpt": "only an excerpt",
    "outside window": "outside the time of the incident",
    "low quality": "too poor to say",
}


def certainty(finding: Finding) -> str:
    """Return confidence and coverage in words and numbers, or why there is none."""
    decision = finding.decision
    coverage = f"coverage {word_of(decision.coverage)} ({decision.coverage:.2f})"
    if decision.confidence is None:
        return f"{coverage}; {decision.because}" if decision.because else coverage
    return f"confidence {word_of(decision.confidence)} ({decision.confidence:.2f}), {coverage}"


def version_words(finding: Finding) -> str:
    """Return what is known of this kernel, and whence."""
    return f"{finding.sentence.removesuffix('.')}: {finding.affected.basis}"


def caps(finding: Finding) -> list[str]:
    """Return what makes parts of the evidence weaker than they look."""
    titles = {state.clause.id: title_of(state) for state in finding.clauses}
    return [f"{reason} ({titles.get(clause, clause)})" for reason, clause in finding.decision.caps]


def open_rivals(finding: Finding) -> list[str]:
    """Return the other explanations that this evidence cannot exclude; none when nothing is claimed."""
    if finding.verdict not in (MATCH, SUSPECT):
        return []
    titles = {state.clause.id: title_of(state) for state in finding.clauses}
    return [titles.get(rival, rival) for rival in finding.rivals_open]


def shown_clauses(finding: Finding) -> list[ClauseState]:
    """Return the conditions, and of the rivals those that are there."""
    return [state for state in finding.clauses if state.clause.role != "rival" or state.state is State.TRUE]


def speaks_against(state: ClauseState) -> bool:
    """Return whether a condition that is met is another explanation."""
    return state.clause.role == "rival" and state.state is State.TRUE


def title_of(state: ClauseState) -> str:
    """Return a condition as a person would name it."""
    return state.clause.title or state.clause.id


def observed_words(state: ClauseState) -> str:
    """Return the value, "" when nothing was measured."""
    outcome = state.outcome
    if outcome.observed is None:
        return ""
    if isinstance(outcome.observed, str):
        return TRUTHS.get(outcome.observed, outcome.observed)
    return value_words(outcome.observed, outcome.unit)


def threshold_words(state: ClauseState) -> str:
    """Return the value it was held against, "" where there is no number to compare with."""
    threshold = state.outcome.threshold
    if threshold is None or (isinstance(threshold, str) and threshold in (SEEN, *TRUTHS)):
        return ""
    return value_words(threshold, state.outcome.unit)


def reason_words(state: ClauseState) -> str:
    """Return why a condition is not met or not known, "" when it is met."""
    if state.state is State.TRUE:
        return ""
    word, colon, detail = state.outcome.reason.partition(": ")
    if colon and word == "absent":
        return detail
    said = REASONS.get(word, word)
    return f"{said}: {detail}" if colon else said


def places(state: ClauseState) -> list[str]:
    """Return the first cited lines as `file:first-last`; a last entry says how many more there are."""
    cited = state.outcome.citations
    told = [
        f"{evidence}:{lines.first_line}"
        + (f"-{lines.last_line}" if lines.last_line > lines.first_line else "")
        for evidence, _, lines in cited[:MAX_PLACES]
    ]
    more = len(cited) - len(told)
    return [*told, f"and {more} more"] if more > 0 else told


def fixes_now(finding: Finding) -> list[dict[str, object]]:
    """Return what may be done on the running system at once: nothing that is unsafe under any condition."""
    return [
        fix
        for fix in finding.signature.fixes
        if fix.get("scope") == "runtime" and fix.get("kind") != "warning" and not fix.get("unsafe_if")
    ]


def warnings(finding: Finding) -> list[str]:
    """Return what must not be done."""
    return [str(fix.get("title", "")) for fix in finding.signature.fixes if fix.get("kind") == "warning"]


def fixes_later(finding: Finding) -> list[dict[str, object]]:
    """Return what helps and needs a change, a restart or care."""
    now = fixes_now(finding)
    return [fix for fix in finding.signature.fixes if fix not in now and fix.get("kind") != "warning"]


NOW = ("needs", "first_on", "unsafe_if", "risk", "undo", "verify", "note", "status")
LATER = ("needs", "unsafe_if", "risk")

_DETAIL_WORDS = {
    "needs": "needs",
    "first_on": "first on",
    "unsafe_if": "never when",
    "risk": "risk",
    "undo": "undo",
    "verify": "it worked when",
    "note": "note",
    "status": "source",
}


def fix_details(fix: dict[str, object], keys: Sequence[str] = NOW) -> Iterator[str]:
    """Yield what must be known before and after a fix."""
    for key in keys:
        said = fix.get(key)
        if said:
            told = ", ".join(map(str, said)) if isinstance(said, list) else str(said)
            yield f"{_DETAIL_WORDS[key]}: {SOURCES.get(told, told)}"
