"""Verdict changes caused by a handoff: by leaving evidence out, and by redaction.

The case, the chosen evidence as it is, and the chosen evidence redacted are judged and compared by
condition. The sender sees every difference before sharing.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from signatures.rendering.words import VERDICTS, condition_state

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping

Document = dict[str, Any]
Place = tuple[str, str, str]

OMISSION, REDACTION = "omission", "redaction"


def differences(
    of_case: Iterable[Document],
    chosen: Iterable[Document],
    redacted: Iterable[Document],
    host_of: Callable[[str], str],
) -> list[Document]:
    """Return every difference with its cause; `host_of` returns the pseudonym of a host."""
    before, between = _by_scope(of_case), _by_scope(chosen)
    after = _by_scope(redacted)
    omissions = list(_changes(before, between, OMISSION, is_exact=False))
    moved = {(host_of(host), phase, signature): one for (host, phase, signature), one in between.items()}
    return omissions + list(_changes(moved, after, REDACTION, is_exact=True))


def _by_scope(documents: Iterable[Document]) -> dict[Place, Document]:
    return {(one["host"], one["phase"], one["signature"]): one for one in documents}


def _changes(
    before: Mapping[Place, Document], after: Mapping[Place, Document], cause: str, *, is_exact: bool
) -> Iterator[Document]:
    for place in sorted(before.keys() | after.keys()):
        one, other = before.get(place), after.get(place)
        whats = list(_what(one, other, is_exact=is_exact))
        if whats:
            either = one or other or {}
            yield {
                "cause": cause,
                "signature": place[2],
                "title": either["title"],
                "before": one["verdict"] if one else "",
                "after": other["verdict"] if other else "",
                "what": whats,
            }


def _what(one: Document | None, other: Document | None, *, is_exact: bool) -> Iterator[str]:
    """Yield the differences of two verdicts; without `is_exact` only whether they differ."""
    if one is None or other is None:
        present = other if one is None else one
        if present is not None and present["verdict"] not in {"no_match", "unknown", "not_applicable"}:
            yield "judged on one side only"
        return
    if one["verdict"] != other["verdict"]:
        yield f"the verdict was “{VERDICTS[one['verdict']]}” and is “{VERDICTS[other['verdict']]}”"
    if not is_exact:
        return
    if one["confidence"] != other["confidence"]:
        yield f"the confidence was {one['confidence']} and is {other['confidence']}"
    after = {clause["id"]: clause for clause in other["clauses"]}
    for clause in one["clauses"]:
        now = after[clause["id"]]
        if clause["state"] != now["state"]:
            yield f"{clause['title'] or clause['id']}: was {_state(clause)}, is {_state(now)}"
        elif _lines(clause) != _lines(now):
            yield f"{clause['title'] or clause['id']}: rests on other lines"


def _lines(clause: Document) -> list[tuple[Any, ...]]:
    return [
        (citation["evidence"], citation["section"], citation["first_line"], citation["last_line"])
        for citation in clause["citations"]
    ]


def _state(clause: Document) -> str:
    return condition_state(clause["state"], clause["reason"], clause["observed"])
