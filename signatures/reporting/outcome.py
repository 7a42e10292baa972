"""Did the change help? A finding of the sick phase beside the same of a later one, as JSON values.

outcome(before, after) -> Outcome("cleared", "not met after: usage at its limit")

sick before, sick after       persists
sick before, decided after    cleared: what was met is not met any more
sick before, undecided after  open: what was met was not looked at again
fine before, sick after       appeared
fine or undecided in both     quiet
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Literal, NamedTuple, TypeAlias

if TYPE_CHECKING:
    from collections.abc import Mapping

FIRING = frozenset({"match", "suspect"})
DECIDED = frozenset({"no_match", "not_applicable"})
Word: TypeAlias = Literal["cleared", "persists", "appeared", "open", "quiet"]


class Outcome(NamedTuple):
    """What became of a finding, and the conditions that say so."""

    word: Word
    because: str


def outcome(before: Mapping[str, Any], after: Mapping[str, Any] | None) -> Outcome:
    """Compare the finding of one host and signature in two phases; `after` is None when it was not judged."""
    was_firing = before["verdict"] in FIRING
    if after is None:
        return Outcome("open", "nothing was collected since") if was_firing else Outcome("quiet", "")
    if after["verdict"] in FIRING:
        return Outcome("persists", _met(after)) if was_firing else Outcome("appeared", _met(after))
    if not was_firing:
        return Outcome("quiet", "")
    lost, unseen = _changed(before, after)
    if after["verdict"] in DECIDED and (lost or after["verdict"] == "not_applicable"):
        return Outcome("cleared", f"not met after: {'; '.join(lost)}" if lost else "it no longer applies")
    return Outcome("open", f"not looked at after: {'; '.join(unseen)}" if unseen else "undecided after")


def _met(finding: Mapping[str, Any]) -> str:
    met = [_title(clause) for clause in finding["clauses"] if _is_proof(clause)]
    return f"met after: {'; '.join(met)}" if met else ""


def _changed(before: Mapping[str, Any], after: Mapping[str, Any]) -> tuple[list[str], list[str]]:
    """Return what was met before and is not met after, and what was met before and is not known after."""
    states = {clause["id"]: clause["state"] for clause in after["clauses"]}
    proof = [clause for clause in before["clauses"] if _is_proof(clause)]
    lost = [_title(clause) for clause in proof if states.get(clause["id"]) == "FALSE"]
    unseen = [_title(clause) for clause in proof if states.get(clause["id"]) not in {"TRUE", "FALSE"}]
    return lost, unseen


def _is_proof(clause: Mapping[str, Any]) -> bool:
    return clause["state"] == "TRUE" and clause["role"] in {"core", "corroborates"}


def _title(clause: Mapping[str, Any]) -> str:
    return str(clause["title"] or clause["id"].replace("_", " "))
