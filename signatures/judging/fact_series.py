"""Facts of one entity as values over snapshots and labels, for arithmetic.

A name may stand for several facts: one per snapshot, and one per label (CPU, device, NUMA node). Without an
aggregate the arithmetic is evaluated once per label and joined on it; `sum() max() min() distinct()` of a
name aggregate over its labels. `delta()` and `rate()` join the first and the last snapshot and detect counter
resets; `spread()` is the range of a gauge over all snapshots.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, NamedTuple, TypeAlias

from signatures.judging.fact_index import kind_of
from signatures.judging.observation import MAX_EXEMPLARS
from signatures.language import expression
from signatures.language.expression import (
    Call,
    MissingError,
    Name,
    Node,
    Operation,
    SingleReadingError,
    UndefinedError,
)
from signatures.language.patterns import is_any

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence
    from collections.abc import Set as AbstractSet

    from signatures.judging.fact_index import ScopeFact, ScopeFacts
    from signatures.language.conditions import FrameSet

Labels: TypeAlias = "tuple[tuple[str, str], ...]"
Series: TypeAlias = "dict[str, list[ScopeFact]]"

_OVER_LABELS = ("sum", "max", "min", "distinct")
MIN_RATE_SECONDS = 1.0
"""Minimum time span of a rate."""


def names_of(node: Node) -> list[str]:
    """Return every name, with repetitions."""
    if isinstance(node, Name):
        return [node.name]
    if isinstance(node, Operation):
        return [*names_of(node.left), *names_of(node.right)]
    if isinstance(node, Call):
        return [name for argument in node.arguments for name in names_of(argument)]
    return []


def _is_over_labels(node: Call) -> bool:
    return node.function in _OVER_LABELS and len(node.arguments) == 1


def _free_names(node: Node) -> list[str]:
    """Return the names outside aggregates: those the result is joined on."""
    if isinstance(node, Call):
        if _is_over_labels(node):
            return []
        return [name for argument in node.arguments for name in _free_names(argument)]
    if isinstance(node, Operation):
        return [*_free_names(node.left), *_free_names(node.right)]
    return names_of(node)


def has_labels(fact: ScopeFact, where: Iterable[tuple[str, FrameSet]]) -> bool:
    """Return whether a fact has the wanted labels."""
    own = dict(fact.labels)
    return all(is_any(own.get(label, ""), wanted) for label, wanted in where)


class Values:
    """What one piece of arithmetic is computed from.

    Attributes:
        words: The label it speaks of, such as `cpu 3`; "" when there is none.
    """

    def __init__(self, series: Series, whole: Series, labels: Labels = ()) -> None:
        """Hold the facts joined on `labels`, and all of them for aggregates."""
        self._series = series
        self._whole = whole
        self.words = ", ".join(f"{name} {value}" for name, value in labels)

    def middle(self, node: Node) -> tuple[float, tuple[ScopeFact, ...]]:
        """Evaluate once per snapshot and return the value nearest to the median, with its facts.

        Of two that are equally near, as of two snapshots, the later one is returned: it is nearer to now.

        Raises:
            UndefinedError: There is no value.
        """
        lengths = [len(self._series[name]) for name in _free_names(node)]
        several = [length for length in lengths if length > 1]
        results = []
        for at in range(min(several, default=1)):
            value = self._at(node, at, self._series)
            if math.isnan(value):
                raise UndefinedError("not a number")
            results.append((value, self.cited(node, at)))
        from statistics import median  # noqa: PLC0415 - takes as long to import as three modules of ours

        middle = median(value for value, _ in results)
        return min(reversed(results), key=lambda result: abs(result[0] - middle))

    def cited(self, node: Node, at: int = 0) -> tuple[ScopeFact, ...]:
        """Return the facts behind a value; of an aggregate the largest few."""
        free = set(_free_names(node))
        cited: list[ScopeFact] = []
        for name in dict.fromkeys(names_of(node)):
            if name in free:
                found = self._series[name]
                cited.append(found[min(at, len(found) - 1)])
            else:
                ranked = sorted(self._whole[name], key=lambda fact: -float(fact.value))
                cited.extend(ranked[:MAX_EXEMPLARS])
        return tuple(cited)

    def is_timed(self, node: Node) -> bool:
        """Say whether every fact behind a value bears the time at which it was read."""
        facts = [fact for name in names_of(node) for fact in self._series.get(name, self._whole[name])]
        return all(fact.at is not None for fact in facts)

    def has_snapshots(self, node: Node) -> bool:
        """Say whether a fact behind a value was read more than once."""
        return any(
            len({fact.order for fact in self._series.get(name, self._whole[name])}) > 1
            for name in names_of(node)
        )

    def _at(self, node: Node, at: int, series: Series) -> float:
        def value_of(name: str) -> float:
            found = series[name]
            return float(found[min(at, len(found) - 1)].value)

        def call(function: str, arguments: tuple[Node, ...]) -> float:
            return self._call(function, arguments, at, series)

        return expression.evaluate(node, value_of, call)

    def _call(self, function: str, arguments: tuple[Node, ...], at: int, series: Series) -> float:
        argument = arguments[0]
        if function in ("delta", "rate"):
            change = self._delta(argument, series)
            return change if function == "delta" else change / self._elapsed(argument, series)
        if function == "spread":
            return self._spread(argument, series)
        if function == "count" and isinstance(argument, Name):
            return float(len(series[argument.name]))
        if function in _OVER_LABELS:
            values = [self._at(argument, at, own) for own in self._by_labels(argument)]
            if function == "distinct":
                return float(len(values))
            return (
                math.fsum(values) if function == "sum" else max(values) if function == "max" else min(values)
            )
        raise UndefinedError(f"{function}() is not defined for facts")

    def _by_labels(self, node: Node) -> list[Series]:
        return [values._series for values in _split(self._whole, set(names_of(node)))]  # noqa: SLF001

    def _snapshots(self, argument: Node, series: Series) -> list[ScopeFact]:
        """Return one fact per snapshot of the first name: what a change is measured between."""
        name = names_of(argument)[0]
        first = self._whole[name][0].labels if isinstance(argument, Call) else series[name][0].labels
        source = self._whole if isinstance(argument, Call) else series
        found = [fact for fact in source[name] if fact.labels == first]
        if len(found) < 2:
            raise SingleReadingError(f"{name} has one snapshot; a change needs two")
        return found

    def _delta(self, argument: Node, series: Series) -> float:
        found = self._snapshots(argument, series)
        change = self._at(argument, len(found) - 1, series) - self._at(argument, 0, series)
        if change < 0:
            raise UndefinedError(f"{names_of(argument)[0]} went backwards: it was reset")
        return change

    def _spread(self, argument: Node, series: Series) -> float:
        """Return how far apart the snapshots of a value lie that may rise and fall."""
        values = [self._at(argument, at, series) for at in range(len(self._snapshots(argument, series)))]
        return max(values) - min(values)

    def _elapsed(self, argument: Node, series: Series) -> float:
        found = self._snapshots(argument, series)
        start, end = found[0].at, found[-1].at
        if start is None or end is None:
            raise SingleReadingError(f"no time stands beside {names_of(argument)[0]}; a rate needs two")
        if end - start < MIN_RATE_SECONDS:
            apart = f"the two readings are {end - start:g} s apart"
            raise SingleReadingError(f"{apart}; a rate needs at least 1 s")
        return end - start


class Join(NamedTuple):
    """How the facts of arithmetic are joined: the same for every entity.

    Attributes:
        names: The facts, and whether each is of the host.
        free: Names outside aggregates.
        where: Label to its allowed values.
    """

    names: Mapping[str, bool]
    free: frozenset[str]
    where: tuple[tuple[str, FrameSet], ...]


def join_of(nodes: Sequence[Node], where: Iterable[tuple[str, FrameSet]] = ()) -> Join:
    """Return how the facts of `nodes` are joined."""
    names = {name: kind_of(name) == "host" for node in nodes for name in names_of(node)}
    return Join(names, frozenset(name for node in nodes for name in _free_names(node)), tuple(where))


def together(join: Join, facts: ScopeFacts, key: str) -> list[Values]:
    """Return the facts to compute with: by piece of evidence, else values that exist only once.

    Raises:
        UndefinedError: A fact is missing, or several pieces of evidence contradict each other.
    """
    names, free = join.names, join.free
    series = {
        name: _series(name, facts, "" if is_of_host else key, join.where)
        for name, is_of_host in names.items()
    }
    own = [by_evidence for name, by_evidence in series.items() if not names[name]] or list(series.values())
    common = set.intersection(*(set(by_evidence) for by_evidence in own)) if own else set()
    joined = (
        [
            {name: found.get(evidence) or _only_value(name, found) for name, found in series.items()}
            for evidence in sorted(common)
        ]
        if common
        else [{name: _only_value(name, by_evidence) for name, by_evidence in series.items()}]
    )
    return [values for whole in joined for values in _split(whole, free)]


def _split(whole: Series, free: AbstractSet[str]) -> list[Values]:
    """Return one set of values per label that all labelled names share."""
    labels = {name: {fact.labels for fact in whole[name]} for name in free}
    several = {name: found for name, found in labels.items() if len(found) > 1}
    if not several:
        only = {found for labels_of in labels.values() for found in labels_of if found}
        return [Values(whole, whole, only.pop() if len(only) == 1 else ())]
    common = set.intersection(*several.values())
    if not common:
        raise UndefinedError(f"{', '.join(sorted(several))} share no label")
    return [
        Values(
            {
                name: [fact for fact in found if fact.labels == label] if name in several else found
                for name, found in whole.items()
            },
            whole,
            label,
        )
        for label in sorted(common)
    ]


def _only_value(name: str, by_evidence: dict[str, list[ScopeFact]]) -> list[ScopeFact]:
    if len({tuple((fact.labels, fact.value) for fact in found) for found in by_evidence.values()}) > 1:
        raise UndefinedError(f"{name} has different values in several pieces of evidence")
    return next(iter(by_evidence.values()))


def _series(
    name: str, facts: ScopeFacts, key: str, where: tuple[tuple[str, FrameSet], ...]
) -> dict[str, list[ScopeFact]]:
    """Return the facts of one name by evidence, in the order of their snapshots."""
    by_evidence: dict[str, list[ScopeFact]] = {}
    for fact in facts.of(name, key):
        is_number = isinstance(fact.value, float | int) and not isinstance(fact.value, bool)
        if is_number and (not where or has_labels(fact, where)):
            by_evidence.setdefault(fact.item.evidence, []).append(fact)
    if not by_evidence:
        raise MissingError(f"{name} is not in the evidence")
    for found in by_evidence.values():
        if len(found) > 1:
            found.sort(key=lambda fact: fact.order)
    return by_evidence
