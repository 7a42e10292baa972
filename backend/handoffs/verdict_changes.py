"""What handing over changes of the verdicts: by leaving evidence out, and by redaction.

The case, the chosen evidence as it is, and the chosen evidence redacted are judged and compared, condition by
condition. Whoever offers a handoff sees every difference before.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

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
    """Return every difference, each with what made it; `host_of` gives the pseudonym of a host."""
    before, between = _placed(of_case), _placed(chosen)
    after = _placed(redacted)
    told = list(_told(before, between, OMISSION, is_exact=False))
    moved = {(host_of(host), phase, signature): one for (host, phase, signature), one in between.items()}
    return told + list(_told(moved, after, REDACTION, is_exact=True))


def _placed(documents: Iterable[Document]) -> dict[Place, Document]:
    return {(one["host"], one["phase"], one["signature"]): one for one in documents}


def _told(
    before: Mapping[Place, Document], after: Mapping[Place, Document], cause: str, *, is_exact: bool
) -> Iterator[Document]:
    for place in sorted(before.keys() | after.keys()):
        one, other = before.get(place), after.get(place)
        whats = list(_what(one, other, is_exact=is_exact))
        if whats:
            known = one or other or {}
            yield {
                "cause": cause,
                "signature": place[2],
                "title": known["title"],
                "before": one["verdict"] if one else "",
                "after": other["verdict"] if other else "",
                "what": whats,
            }


def _what(one: Document | None, other: Document | None, *, is_exact: bool) -> Iterator[str]:
    """Yield how two verdicts differ; without `is_exact` only whether they do."""
    if one is None or other is None:
        told = other if one is None else one
        if told is not None and told["verdict"] not in {"no_match", "unknown", "not_applicable"}:
            yield "judged on one side only"
        return
    if one["verdict"] != other["verdict"]:
        yield f"the verdict was {_words(one['verdict'])} and is {_words(other['verdict'])}"
    if not is_exact:
        return
    if one["confidence"] != other["confidence"]:
        yield f"the confidence was {one['confidence']} and is {other['confidence']}"
    after = {clause["id"]: clause for clause in other["clauses"]}
    for clause in one["clauses"]:
        now = after[clause["id"]]
        if clause["state"] != now["state"]:
            yield f"{clause['title'] or clause['id']}: was {clause['state']}, is {now['state']}"
        elif _lines(clause) != _lines(now):
            yield f"{clause['title'] or clause['id']}: rests on other lines"


def _lines(clause: Document) -> list[tuple[Any, ...]]:
    return [
        (told["evidence"], told["section"], told["first_line"], told["last_line"])
        for told in clause["citations"]
    ]


def _words(verdict: str) -> str:
    return verdict.replace("_", " ")
