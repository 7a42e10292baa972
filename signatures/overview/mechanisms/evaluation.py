"""Statements of the mechanisms whose conditions the evidence meets.

    mechanisms(evidence).statements  ->  Statement("May be: CPU 0 alone does the work of received packets", …)

An operand in an expression is the last value of its highest series. Behind a dot: `first`, `last`, `peak`,
`low`, `mean`, `median`, `tenth` and `ninth` (quantiles of 0.1 and 0.9), `rows`, `zeros`, `late`, `grown`,
`falls` and `rises` (steps down and up) are of that series in time; `max`, `min`, `second`, `typical`, `sum`,
`rest` (all but the highest) and `count` are of the last values of all subjects.
"""

from __future__ import annotations

import operator
from dataclasses import replace
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from signatures.language.expression import UndefinedError, evaluate
from signatures.overview.mechanisms.rows import names, rows
from signatures.overview.mechanisms.series import series_of
from signatures.overview.model import Answer, Figure, Statement, kind_of
from signatures.overview.rules.templates import filled

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

    from numpy.typing import NDArray

    from signatures.overview.mechanisms.rows import Condition, Mechanism, Operand
    from signatures.overview.mechanisms.series import Series
    from signatures.overview.model import Place
    from signatures.overview.scope_evidence import ScopeEvidence

MOST_PLACES = 4
BELOW_ALARM = frozenset({"notable", "since boot", "context"})
MOST_OTHERS = 3
LATE = 20
"""Times of the lowest value from which one is late."""

_COMPARE: dict[str, Callable[[float, float], bool]] = {
    ">=": operator.ge,
    "<=": operator.le,
    ">": operator.gt,
    "<": operator.lt,
    "==": operator.eq,
}
_IN_TIME: dict[str, Callable[[NDArray[np.float64]], float]] = {
    "first": lambda values: float(values[0]),
    "last": lambda values: float(values[-1]),
    "peak": lambda values: float(values.max()),
    "low": lambda values: float(values.min()),
    "mean": lambda values: float(values.mean()),
    "median": lambda values: float(np.median(values)),
    "rows": lambda values: float(len(values)),
    "late": lambda values: float((values >= LATE * values.min()).sum()),
    "zeros": lambda values: float((values == 0).sum()),
    "grown": lambda values: float(values[-1] - values[0]),
    "falls": lambda values: float((np.diff(values) < 0).sum()),
    "rises": lambda values: float((np.diff(values) > 0).sum()),
    "tenth": lambda values: float(np.quantile(values, 0.1)),
    "ninth": lambda values: float(np.quantile(values, 0.9)),
}
_OF_SUBJECTS: dict[str, Callable[[Sequence[float]], float]] = {
    "max": max,
    "min": min,
    "second": lambda values: sorted(values)[-2] if len(values) > 1 else 0.0,
    "typical": lambda values: float(np.median(values)),
    "sum": sum,
    "rest": lambda values: sum(values) - max(values),
    "count": lambda values: float(len(values)),
}


class Operands(NamedTuple):
    """The series of each operand of a row, the highest first, and the groups of their subjects."""

    series: Mapping[str, Sequence[Series]]
    groups: Mapping[str, str]

    def value(self, name: str) -> float:
        """Return the value of a name in an expression.

        Raises:
            UndefinedError: There is none.
        """
        operand, _, part = name.partition(".")
        found = [one for one in self.series.get(operand, ()) if len(one.values)]
        if not found:
            if operand in self.series:
                return 0.0
            raise UndefinedError(f"no {operand}")
        if part in _OF_SUBJECTS:
            return _OF_SUBJECTS[part]([float(one.values[-1]) for one in found])
        return _IN_TIME[part or "last"](found[0].values)


def mechanisms(evidence: ScopeEvidence) -> Answer:
    """Return the mechanisms that the values show, in the order of the tables."""
    known = series_of(evidence, names())
    if not known:
        return Answer("No mechanism is shown.")
    own = {item.evidence for item in evidence.items}
    stated = (one for one in evidence.stated.of(evidence.items) if one.kind == "alarm")
    alarming = {about for one in stated if one.places[0].evidence in own for about in one.questions}
    fitting = (row for row in rows() if not (row.is_calm and row.about in alarming))
    found = [one for row in fitting if (one := _stated(row, known)) is not None]
    if not found:
        return Answer("No mechanism is shown.")
    figures = tuple(Figure(one.subject, one.words, "", one.places, not _is_calm(one)) for one in found)
    return Answer(f"{found[0].text}.", figures, (), tuple(found))


def _is_calm(statement: Statement) -> bool:
    return statement.kind == "fact"


def _stated(row: Mechanism, known: Mapping[str, Sequence[Series]]) -> Statement | None:
    """Return what a row says of the evidence: of the first subject that meets it, with the others."""
    if any(name in known for name in row.lacks):
        return None
    operands = {name: _selected(one, known) for name, one in row.of.items()}
    for name, one in row.of.items():
        if len({series.subject for series in operands[name][0]}) < one.least and not one.is_optional:
            return None
    met = [one for one in _cases(row, operands) if _holds(row, one)]
    return _statement(row, met) if met else None


def _selected(
    operand: Operand, known: Mapping[str, Sequence[Series]]
) -> tuple[list[Series], dict[str, dict[str, str]]]:
    """Return the series of an operand, the highest first, and the groups of each subject."""
    found: list[Series] = []
    groups: dict[str, dict[str, str]] = {}
    names = (next((one for one in name.split("|") if one in known), "") for name in operand.names)
    every = (one for name in names for one in known.get(name, ()))
    for one in every:
        own: dict[str, str] = {}
        for pattern, text in ((operand.subject, one.subject), (operand.text, one.text)):
            match = pattern.search(text) if pattern is not None else None
            if pattern is not None and match is None:
                break
            own |= {name: value or "" for name, value in match.groupdict().items()} if match else {}
        else:
            if operand.text is not None or len(one.values):
                found.append(one)
                groups.setdefault(one.subject, own)
    found.sort(key=lambda one: -float(one.values[-1]) if len(one.values) else 0.0)
    return found, groups


def _cases(
    row: Mechanism, operands: Mapping[str, tuple[list[Series], dict[str, dict[str, str]]]]
) -> Iterator[Operands]:
    """Yield the operands of each subject of `each`, else all at once."""
    if not row.each:
        groups: dict[str, str] = {}
        for name, (series, own) in operands.items():
            if series:
                groups |= {f"{name}.top": series[0].subject, f"{name}.text": series[0].text}
                groups |= own.get(series[0].subject, {})
        yield Operands({name: series for name, (series, _) in operands.items()}, groups)
        return
    of, named = operands[row.each]
    for subject in dict.fromkeys(one.subject for one in of):
        own_series = {
            name: [one for one in series if one.subject == subject] or (series if not _is_by(series) else [])
            for name, (series, _) in operands.items()
        }
        if all(own_series[name] or row.of[name].is_optional for name in own_series):
            texts = {f"{name}.text": one[0].text for name, one in own_series.items() if one}
            yield Operands(own_series, {"subject": subject, **texts, **named.get(subject, {})})


def _is_by(series: Sequence[Series]) -> bool:
    """Return whether an operand has values of subjects, and none of the machine."""
    return all(one.subject for one in series)


def _holds(row: Mechanism, operands: Operands) -> bool:
    return all(_is_met(one, operands) for one in row.when)


def _is_met(condition: Condition, operands: Operands) -> bool:
    try:
        left = evaluate(condition.left, operands.value)
        right = evaluate(condition.right, operands.value)
    except UndefinedError:
        return False
    return _COMPARE[condition.operator](left, right)


class _Fields(dict[str, "float | str"]):
    """Fields of templates: groups, computed values, and operands by the names of expressions."""

    def __init__(self, row: Mechanism, operands: Operands) -> None:
        super().__init__(operands.groups)
        self._operands = operands
        for name, node in row.let.items():
            try:
                self[name] = evaluate(node, self._value)
            except UndefinedError:
                self[name] = ""

    def _value(self, name: str) -> float:
        own = dict.get(self, name)
        return own if isinstance(own, float) else self._operands.value(name)

    def get(self, name: str, default: float | str = "") -> float | str:  # type: ignore[override]
        """Return a field; `default` where it is unknown."""
        if name in self:
            return self[name]
        try:
            return self._operands.value(name)
        except (UndefinedError, KeyError):
            return default


def _statement(row: Mechanism, met: Sequence[Operands]) -> Statement:
    first, *others = met
    fields = _Fields(row, first)
    said = filled(row.say, fields)
    words = f"May be: {said}" if row.may else said
    numbers = [filled(one, fields) for one in row.numbers]
    if others:
        subjects = [str(one.groups["subject"]) for one in others]
        more = len(subjects) - MOST_OTHERS
        tail = f" and {more} more" if more > 0 else ""
        numbers.append(f"also {', '.join(subjects[:MOST_OTHERS])}{tail}")
    qualifiers = (f" ({', '.join(numbers)})",) if numbers else ()
    statement = Statement(
        row.about,
        words,
        _places(first),
        kind_of(is_alarm=not row.is_calm and row.level not in BELOW_ALARM),
        "notable" if row.is_calm else row.level,
        row.capture,
        asks=row.asks,
        subject=words,
        qualifiers=qualifiers,
        first_step=filled(row.first_step, fields),
        short=words,
        engine="quantities" if _is_derived(first) else "",
        is_cause=row.is_calm or row.level not in BELOW_ALARM,
    )
    return statement if row.is_calm else replace(statement, is_notable=True)


def _is_derived(operands: Operands) -> bool:
    """Return whether a value is one that the splitter found, and no reader of a format."""
    return any(one.is_derived for series in operands.series.values() for one in series[:1])


def _places(operands: Operands) -> tuple[Place, ...]:
    tops = (series[0].place for series in operands.series.values() if series)
    return tuple(dict.fromkeys(tops))[:MOST_PLACES]
