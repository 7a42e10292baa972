"""The words that people read for machine values: every outlet, the front end included, takes them from here.

    VERDICTS["suspect"]             ->  "may be"
    condition_words("UNKNOWN", "excerpt", None)
                                    ->  "not decided: only an excerpt"

    python -m signatures.rendering.words

writes `frontend/src/words/words.json`, from which the pages take them.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING

from signatures.language.number_format import TIMES, UNITS
from signatures.rendering.case_columns import COLUMNS

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

IS, MAY_BE, IS_NOT, NOT_DECIDED, NOT_LOOKED_AT = "is", "may be", "is not", "not decided", "not looked at"

VERDICTS: Mapping[str, str] = {
    "match": IS,
    "suspect": MAY_BE,
    "no_match": IS_NOT,
    "unknown": NOT_DECIDED,
    "not_applicable": IS_NOT,
}
"""A signature; one of which nothing that could decide it is in the evidence is not looked at."""

CONDITIONS: Mapping[str, str] = {
    "TRUE": "met",
    "FALSE": "not met",
    "UNKNOWN": NOT_DECIDED,
    "NOT_OBSERVABLE": NOT_DECIDED,
}
"""A condition of a signature; one without any evidence of it is not looked at."""

EXCLUDES = "met, excludes it"
"""An excluding condition that is met."""

QUESTIONS: Mapping[str, str] = {
    "alarm": "alarm",
    "unclassified errors": "unclassified errors",
    "notable": "unusual",
    "no alarm": "no alarm",
    "partial": NOT_DECIDED,
    "not assessed": NOT_LOOKED_AT,
}
"""A question of the overview, in the order in which they are shown; `partial` is one not assessed in full."""

CERTAINTY: Mapping[str, str] = {"high": "Very likely", "medium": "Likely", "low": "Possible"}

SEVERITIES: Mapping[str, str] = {"critical": "critical", "high": "high", "medium": "medium", "low": "low"}

ROLES: Mapping[str, str] = {
    "core": "required",
    "corroborates": "supporting",
    "context": "context",
    "rival": "excluding",
}

ABSENT = "absent"
NOT_OBSERVABLE = "not observable on this kernel"
REASONS: Mapping[str, str] = {
    "unparsable": "could not be parsed",
    "filtered": "the output was filtered when it was collected",
    "excerpt": "only an excerpt",
    "outside window": "outside the time of the incident",
    "low quality": "quality too low",
}
"""Why a condition is not decided; reasons that are not here are words already."""

KERNEL: Mapping[str, str] = {
    "affected": "affected",
    "probably_affected": "very probably affected",
    "affected_unless_backported": "affected unless backported",
    "probably_not_affected": "probably not affected",
    "fixed": "fixed",
    "not_affected": "not affected",
    "unknown": "not decided",
    "version_independent": "not a matter of its version",
}
"""The running kernel."""

OOM_ANSWERS: Mapping[str, str] = {
    "no": "This is not OOM",
    "not just": "This is not just OOM",
    "yes": "As far as is known this is just OOM",
    "unknown": "Is this just OOM?",
}

EDGES: Mapping[str, str] = {"": "", "then": "→", "with": "+"}
"""From one node of a chain of causes to the next."""

NO_SIGNATURE = "No signature explains it"

FRONTEND = Path(__file__).parents[2] / "frontend/src/words/words.json"


def capital(words: str) -> str:
    """Return words as a label or the begin of a sentence."""
    return f"{words[:1].upper()}{words[1:]}"


def inside(sentence: str) -> str:
    """Return a sentence as it stands inside another; names keep their capitals.

    >>> inside("Soft lockup: CPU 3"), inside("RCU stall")
    ('soft lockup: CPU 3', 'RCU stall')
    """
    return f"{sentence[0].lower()}{sentence[1:]}" if sentence[1:2].islower() else sentence


def is_looked_at(state: str, reason: str, observed: object) -> bool:
    """Return whether anything about a condition is in the evidence."""
    return state != "UNKNOWN" or reason.partition(": ")[0] != ABSENT or observed is not None


def condition_state(state: str, reason: str, observed: object) -> str:
    """Return the state of a condition, without its reason."""
    return CONDITIONS[state] if is_looked_at(state, reason, observed) else NOT_LOOKED_AT


def condition_reason(state: str, reason: str) -> str:
    """Return why a condition is not met or not decided, "" when it is met or nothing more is known."""
    if state == "TRUE":
        return ""
    if state == "NOT_OBSERVABLE":
        return NOT_OBSERVABLE
    word, colon, detail = reason.partition(": ")
    if word == ABSENT:
        return detail
    return f"{REASONS.get(word, word)}: {detail}" if colon else REASONS.get(word, word)


def condition_words(state: str, reason: str, observed: object) -> str:
    """Return the state of a condition with its reason."""
    return ": ".join(
        filter(None, (condition_state(state, reason, observed), condition_reason(state, reason)))
    )


def verdict(value: str, *, is_looked_at: bool) -> str:
    """Return the verdict on a signature."""
    return VERDICTS[value] if is_looked_at or value != "unknown" else NOT_LOOKED_AT


def several(words: Iterable[str], most: int = 2) -> str:
    """Return the first words, and how many others there are."""
    named = list(words)
    more = f"; and {len(named) - most} more" if len(named) > most else ""
    return "; ".join(named[:most]) + more


def for_pages() -> str:
    """Return the tables as JSON."""
    tables = {
        "verdicts": VERDICTS,
        "conditions": CONDITIONS,
        "notLookedAt": NOT_LOOKED_AT,
        "absent": ABSENT,
        "notObservable": NOT_OBSERVABLE,
        "excludes": EXCLUDES,
        "noSignature": NO_SIGNATURE,
        "questions": QUESTIONS,
        "certainty": CERTAINTY,
        "severities": SEVERITIES,
        "roles": ROLES,
        "reasons": REASONS,
        "kernel": KERNEL,
        # Pages write numbers on their own, without the word that `value_words` adds.
        "columns": {column.name: column.heading for column in COLUMNS.values()},
        "units": {**UNITS, TIMES: TIMES},
    }
    return json.dumps(tables, indent=2, ensure_ascii=False) + "\n"


if __name__ == "__main__":
    FRONTEND.write_text(for_pages(), encoding="utf-8")
