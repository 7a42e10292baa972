"""Verdict changes caused by a handoff: by leaving evidence out, and by redaction.

The case, the chosen evidence as it is, and the chosen evidence redacted are judged and compared by
condition. The sender sees every difference before sharing.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal, TypeAlias

from signatures.documents.handoff import VerdictChangeDocument
from signatures.rendering.words import VERDICTS, condition_state

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping

    from signatures.documents.finding import ConditionDocument, FindingDocument

Scope: TypeAlias = tuple[str, str, str]
"""Host, phase and signature."""

Cause: TypeAlias = Literal["omission", "redaction"]
OMISSION: Cause = "omission"
REDACTION: Cause = "redaction"


def differences(
    of_case: Iterable[FindingDocument],
    chosen: Iterable[FindingDocument],
    redacted: Iterable[FindingDocument],
    host_of: Callable[[str], str],
) -> list[VerdictChangeDocument]:
    """Return every difference with its cause; `host_of` returns the pseudonym of a host."""
    before, between = _by_scope(of_case), _by_scope(chosen)
    after = _by_scope(redacted)
    omissions = list(_changes(before, between, OMISSION, is_exact=False))
    moved = {(host_of(host), phase, signature): one for (host, phase, signature), one in between.items()}
    return omissions + list(_changes(moved, after, REDACTION, is_exact=True))


def _by_scope(documents: Iterable[FindingDocument]) -> dict[Scope, FindingDocument]:
    return {(one.host, one.phase, one.signature): one for one in documents}


def _changes(
    before: Mapping[Scope, FindingDocument],
    after: Mapping[Scope, FindingDocument],
    cause: Cause,
    *,
    is_exact: bool,
) -> Iterator[VerdictChangeDocument]:
    for place in sorted(before.keys() | after.keys()):
        one, other = before.get(place), after.get(place)
        what = tuple(_what(one, other, is_exact=is_exact))
        either = one or other
        if what and either:
            yield VerdictChangeDocument(
                cause=cause,
                signature=either.signature,
                title=either.title,
                before=one.verdict if one else "",
                after=other.verdict if other else "",
                what=what,
            )


def _what(one: FindingDocument | None, other: FindingDocument | None, *, is_exact: bool) -> Iterator[str]:
    """Yield the differences of two verdicts; without `is_exact` only whether they differ."""
    if one is None or other is None:
        present = other if one is None else one
        if present is not None and present.verdict not in {"no_match", "unknown", "not_applicable"}:
            yield "judged on one side only"
        return
    if one.verdict != other.verdict:
        yield f"the verdict was “{VERDICTS[one.verdict]}” and is “{VERDICTS[other.verdict]}”"
    if not is_exact:
        return
    if one.confidence != other.confidence:
        yield f"the confidence was {one.confidence} and is {other.confidence}"
    after = {clause.id: clause for clause in other.conditions}
    for clause in one.conditions:
        now = after[clause.id]
        if clause.state != now.state:
            yield f"{clause.title or clause.id}: was {_state(clause)}, is {_state(now)}"
        elif _lines(clause) != _lines(now):
            yield f"{clause.title or clause.id}: rests on other lines"


def _lines(condition: ConditionDocument) -> list[tuple[str, int, int, int]]:
    return [(one.evidence, one.section, one.first_line, one.last_line) for one in condition.citations]


def _state(clause: ConditionDocument) -> str:
    return condition_state(clause.state, clause.reason, clause.observed)
