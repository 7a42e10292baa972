"""Facets of search results; each counts the results filtered by all other facets."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from backend.library import vocabulary
from backend.library.schemas import FacetRead, FacetsRead

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from backend.library.answer import Answer
    from backend.library.schemas import SearchQuery

_VALUES: dict[str, Callable[[Answer], Sequence[str]]] = {
    "kind": lambda answer: [answer.entry.kind],
    "area": lambda answer: [answer.entry.area] if answer.entry.area else [],
    "symptom": lambda answer: answer.entry.groups,
    "has_fix": lambda answer: ["true" if answer.entry.has_fix else "false"],
    "kernel_verdict": lambda answer: [answer.kernel_verdict] if answer.kernel_verdict else [],
}
_TITLES = {
    "signature": "Signatures",
    "story": "Stories",
    "true": "Has a fix",
    "false": "No fix known",
    "affected": "affected",
    "probably_affected": "very probably affected",
    "affected_unless_backported": "affected unless backported",
    "unknown": "unknown",
    "probably_not_affected": "probably not affected",
    "fixed": "fixed",
    "not_affected": "not affected",
    "version_independent": "not a matter of the kernel's version",
}


def narrowed(answers: Iterable[Answer], ask: SearchQuery, *, but: str = "") -> list[Answer]:
    """Return the answers matching the filters of `ask`, except that of the facet `but`."""
    wanted = {name: value for name, value in _chosen(ask).items() if name != but}
    return [
        answer for answer in answers if all(value in _VALUES[name](answer) for name, value in wanted.items())
    ]


def of(answers: Sequence[Answer], ask: SearchQuery) -> FacetsRead:
    """Return the facets of all answers, most frequent values first."""
    return FacetsRead(**{name: _facet(answers, ask, name) for name in _VALUES})


def _facet(answers: Sequence[Answer], ask: SearchQuery, name: str) -> list[FacetRead]:
    known = vocabulary.load()
    titles = {**_TITLES, **{group.name: group.title for group in known.symptoms}, **known.areas}
    counts = Counter(value for one in narrowed(answers, ask, but=name) for value in _VALUES[name](one))
    chosen = _chosen(ask).get(name)
    if chosen is not None:
        counts.setdefault(chosen, 0)
    return [
        FacetRead(value=value, title=titles.get(value, value), count=count)
        for value, count in sorted(counts.items(), key=lambda one: (-one[1], one[0]))
    ]


def _chosen(ask: SearchQuery) -> dict[str, str]:
    counts = {
        "kind": ask.kind,
        "area": ask.area,
        "symptom": ask.symptom,
        "has_fix": None if ask.has_fix is None else str(ask.has_fix).lower(),
        "kernel_verdict": ask.kernel_verdict,
    }
    return {name: value for name, value in counts.items() if value is not None}
