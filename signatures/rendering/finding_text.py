"""The parts of a finding in words, shared by terminal, Markdown and chat."""

from __future__ import annotations

from typing import TYPE_CHECKING

from signatures.fixes import plan
from signatures.language.number_format import value_words
from signatures.rendering import words

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from signatures.documents.finding import ConditionDocument, FindingDocument
    from signatures.documents.fix import FixDocument

SEEN = "seen"
TRUTHS = {"True": "yes", "False": "no"}
SOURCES = {"STORY-ONLY": "from a story, not verified"}


def verdict_words(finding: FindingDocument) -> str:
    """Return the verdict: not looked at where nothing that could decide was in the evidence.

    A signature that could not be evaluated has no conditions, and was looked at.
    """
    own = [one for one in finding.conditions if one.role != "rival"]
    is_looked_at = any(words.is_looked_at(one.state, one.reason, one.observed) for one in own)
    return words.verdict(finding.verdict, is_looked_at=is_looked_at or not finding.conditions)


def numbers(finding: FindingDocument) -> str:
    """Return the numbers of a verdict: score, confidence and coverage."""
    confidence = "" if finding.confidence is None else f"confidence {finding.confidence:.2f}, "
    return f"score {finding.score:g}, {confidence}coverage {finding.coverage:.2f}"


def signature_words(finding: FindingDocument) -> str:
    """Return the id of the signature, and its library if it is a team's."""
    return f"{finding.signature} ({finding.library})" if finding.library else finding.signature


def version_words(finding: FindingDocument) -> str:
    """Return the status of this kernel with its source."""
    return f"{finding.affected.sentence.removesuffix('.')}: {finding.affected.basis}"


def caps(finding: FindingDocument) -> list[str]:
    """Return the caveats of the evidence."""
    titles = {condition.id: title_of(condition) for condition in finding.conditions}
    return [f"{cap.reason} ({titles.get(cap.condition, cap.condition)})" for cap in finding.caps]


def shown_conditions(finding: FindingDocument) -> list[ConditionDocument]:
    """Return the conditions, and of the excluding ones those that are met."""
    return [one for one in finding.conditions if one.role != "rival" or one.state == "TRUE"]


def speaks_against(condition: ConditionDocument) -> bool:
    """Return whether an excluding condition is met."""
    return condition.role == "rival" and condition.state == "TRUE"


def title_of(condition: ConditionDocument) -> str:
    """Return the title of a condition."""
    return condition.title or condition.id


def observed_words(condition: ConditionDocument) -> str:
    """Return the observed value, "" when there is none."""
    if condition.observed is None:
        return ""
    if isinstance(condition.observed, str):
        return TRUTHS.get(condition.observed, condition.observed)
    return value_words(condition.observed, condition.unit)


def threshold_words(condition: ConditionDocument) -> str:
    """Return the threshold, "" when there is none."""
    threshold = condition.threshold
    if threshold is None or (isinstance(threshold, str) and threshold in (SEEN, *TRUTHS)):
        return ""
    return value_words(threshold, condition.unit)


def state_words(condition: ConditionDocument) -> str:
    """Return the state of a condition with its reason."""
    if speaks_against(condition):
        return words.EXCLUDES
    return words.condition_words(condition.state, condition.reason, condition.observed)


def open_words(condition: ConditionDocument) -> str:
    """Return why a condition is not met; of one that is not decided also that it is not; "" when met."""
    if condition.state == "FALSE":
        return words.condition_reason(condition.state, condition.reason)
    return "" if condition.state == "TRUE" else state_words(condition)


def warnings(finding: FindingDocument) -> list[str]:
    """Return what must not be done."""
    return [fix.title for fix in finding.fixes if fix.kind == plan.WARNING]


def fixes_later(finding: FindingDocument) -> list[FixDocument]:
    """Return the fixes that need a change, a restart or planning."""
    now = plan.fixes_now(finding.fixes)
    return [fix for fix in finding.fixes if fix not in now and fix.kind != plan.WARNING]


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
