"""The observations that separate competing findings: what one expects and another excludes or leaves open.

    rows_of([reclaim_finding, livelock_finding])
    -> [Row("What was reclaimed is read again", "65.1 %", (("is", …), ("is not", …)), …), …]

The conditions of two findings are one observation where they rest on the same lines with the same value, or
where they are undecided and have the same title. A cell says whether it is as its hypothesis needs it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from signatures.documents.citation import Place
from signatures.documents.hypotheses import CellDocument
from signatures.overview.information_gain import gain
from signatures.overview.thresholds import thresholds_of
from signatures.rendering.finding_text import observed_words
from signatures.rendering.words import condition_reason, is_looked_at

if TYPE_CHECKING:
    from collections.abc import Callable, Hashable, Iterable, Sequence

    from signatures.documents.finding import ConditionDocument, FindingDocument
    from signatures.documents.hypotheses import CellState

NOT = "Not: "
"""Before the title of an observation that every hypothesis which speaks of it excludes."""

LIMITS = thresholds_of("hypotheses")
IMPORTANCE = ("context", "corroborates", "rival", "core")
"""Roles of conditions, from the one that separates least."""

DECIDED: tuple[CellState, ...] = ("is", "is not")
SILENT_CELL = CellDocument(state="silent")


class Row(NamedTuple):
    """An observation over the hypotheses.

    Attributes:
        conditions: The conditions of each hypothesis that are this observation; none where it is silent.
        gain: Bits of knowing it; 0 where it is decided.
    """

    title: str
    measured: str
    cells: tuple[CellDocument, ...]
    conditions: tuple[tuple[ConditionDocument, ...], ...]
    gain: float = 0.0

    @property
    def is_open(self) -> bool:
        """Whether no hypothesis has it decided."""
        return not any(cell.state in DECIDED for cell in self.cells)

    @property
    def importance(self) -> tuple[int, int]:
        """How much it separates: states that differ, then the most important role."""
        states = {cell.state for cell in self.cells}
        contrast = 2 * ({"is", "is not"} <= states) + ("is not" in states)
        roles = [_importance(one) for own in self.conditions for one in own]
        return contrast, max(roles, default=0)


def rows_of(findings: Sequence[FindingDocument], weights: Sequence[float]) -> list[Row]:
    """Return the observations of findings: decided ones by how much they separate, then open ones by gain.

    Args:
        findings: H findings.
        weights: H + 1 weights, which sum to 1; the last is that of something else.
    """
    groups: dict[Hashable, list[list[ConditionDocument]]] = {}
    for at, finding in enumerate(findings):
        for condition in finding.conditions:
            if _speaks(condition):
                own = groups.setdefault(_key(condition), [[] for _ in findings])
                own[at].append(condition)
    rows = [_row(own, weights) for own in groups.values()]
    shown = [one for one in rows if not findings[1:] or not _is_common(one)]
    decided = sorted((one for one in shown if not one.is_open), key=lambda one: one.importance, reverse=True)
    undecided = sorted((one for one in shown if one.is_open), key=lambda one: -one.gain)
    return [*decided, *undecided]


def _importance(condition: ConditionDocument) -> int:
    return IMPORTANCE.index(condition.role)


def _speaks(condition: ConditionDocument) -> bool:
    """Return whether a condition says something of its signature; one that a kernel cannot show does not."""
    return condition.state != "NOT_OBSERVABLE" and (condition.role != "context" or condition.weight > 0)


def _key(condition: ConditionDocument) -> Hashable:
    """Return what is equal of conditions that are one observation."""
    if condition.state == "UNKNOWN" or not condition.citations:
        return condition.name.lower()
    first = condition.citations[0]
    return first.evidence, first.section, first.first_line, condition.observed, condition.unit


def _row(own: Sequence[Sequence[ConditionDocument]], weights: Sequence[float]) -> Row:
    spoken = [one for conditions in own for one in conditions]
    lead = max(spoken, key=lambda one: (one.role != "rival", _importance(one)))
    is_excluded = all(one.role == "rival" for one in spoken)
    cells = tuple(_cell(conditions) for conditions in own)
    row = Row(
        f"{NOT if is_excluded else ''}{lead.name}",
        "" if lead.state == "UNKNOWN" else observed_words(lead),
        cells,
        tuple(tuple(conditions) for conditions in own),
    )
    if not row.is_open:
        return row
    likelihoods = [*(_likelihood(conditions) for conditions in own), LIMITS["silent"]]
    return row._replace(gain=gain(weights, likelihoods))


def _likelihood(conditions: Sequence[ConditionDocument]) -> float:
    """Return the probability of an observation under the hypothesis that has these conditions of it."""
    if not conditions:
        return LIMITS["silent"]
    return LIMITS[max(conditions, key=_importance).role]


def _is_common(row: Row) -> bool:
    """Return whether an observation says the same of every hypothesis."""
    return not {cell.state for cell in row.cells[1:]} - {row.cells[0].state} and not round(
        row.gain, int(LIMITS["digits"])
    )


def _cell(conditions: Sequence[ConditionDocument]) -> CellDocument:
    """Return what an observation says of the hypothesis that has these conditions: against, for, or open."""
    if not conditions:
        return SILENT_CELL
    against = _first(conditions, _is_against)
    if against:
        return _cell_of("is not", against)
    found = _first(conditions, _is_for)
    if found:
        return _cell_of("is", found)
    one = conditions[0]
    looked = is_looked_at(one.state, one.reason, one.observed)
    return CellDocument(
        state="not decided" if looked else "not looked at",
        condition=one.id,
        reason=condition_reason(one.state, one.reason) if looked else "",
    )


def _first(
    conditions: Iterable[ConditionDocument], holds: Callable[[ConditionDocument], bool]
) -> ConditionDocument | None:
    return next(filter(holds, conditions), None)


def _is_against(one: ConditionDocument) -> bool:
    return one.state == ("TRUE" if one.role == "rival" else "FALSE")


def _is_for(one: ConditionDocument) -> bool:
    return one.state == ("FALSE" if one.role == "rival" else "TRUE")


def _cell_of(state: CellState, condition: ConditionDocument) -> CellDocument:
    places = [
        Place(one.evidence, one.section, one.first_line, one.last_line) for one in condition.citations[:1]
    ]
    return CellDocument(state=state, condition=condition.id, citations=tuple(places))
