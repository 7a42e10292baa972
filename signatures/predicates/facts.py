"""`fact` and `kernel`: comparisons of facts, alone or in closed arithmetic, of one entity in one scope.

Facts meet when they speak of the same entity. Counters are cumulative; `delta()` and `rate()` want two
snapshots of one evidence and notice a counter that went backwards.
"""

from __future__ import annotations

import math
from dataclasses import replace
from statistics import median
from typing import TYPE_CHECKING, NamedTuple

from signatures import expression, versions
from signatures.derive import DERIVED
from signatures.expression import Call, Name, Node, Operation, UndefinedError
from signatures.facts import kind_of
from signatures.observation import Observation, Reason, Sighting, State, sighted, unknown

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from signatures.facts import ScopeFact, ScopeFacts
    from signatures.questions import FactCondition, KernelCondition
    from signatures.units import Quantity


class _Value(NamedTuple):
    """A value and the facts it rests on."""

    value: float
    facts: tuple[ScopeFact, ...]


def resolved(text: str) -> Node:
    """Parse arithmetic and replace derived names by their formulas."""
    return _replace(expression.parse(text))


def _replace(node: Node) -> Node:
    if isinstance(node, Name):
        return _replace(expression.parse(DERIVED[node.name])) if node.name in DERIVED else node
    if isinstance(node, Operation):
        return Operation(node.op, _replace(node.left), _replace(node.right))
    if isinstance(node, Call):
        return Call(node.function, tuple(_replace(argument) for argument in node.arguments))
    return node


def _names(node: Node) -> list[str]:
    if isinstance(node, Name):
        return [node.name]
    if isinstance(node, Operation):
        return [*_names(node.left), *_names(node.right)]
    if isinstance(node, Call):
        return [name for argument in node.arguments for name in _names(argument)]
    return []


def observe(condition: FactCondition, facts: ScopeFacts) -> Iterator[Observation]:
    """Yield one observation per entity that has any of the facts."""
    node = resolved(condition.expression)
    names = list(dict.fromkeys(_names(node)))
    kinds = {kind_of(name) for name in names} - {"host"}
    if len(kinds) > 1:
        return
    keys: set[str] = (
        {key for name in names if kind_of(name) != "host" for key in facts.keys_of(name)} if kinds else {""}
    )
    for key in sorted(keys):
        if condition.equals is not None:
            yield from _compare_text(condition, facts, names[0], key)
        elif any(facts.of(name, key) for name in names):
            yield from _observe(condition, node, names, facts, key)


def _compare_text(condition: FactCondition, facts: ScopeFacts, name: str, key: str) -> Iterator[Observation]:
    for fact in facts.of(name, key):
        is_met = fact.value == condition.equals
        sighting = Sighting(
            State.TRUE if is_met else State.FALSE,
            observed=str(fact.value),
            threshold=str(condition.equals),
            distance=0.0 if is_met else 1.0,
            strength=1.0 if is_met else 0.0,
            note=condition.say,
        )
        yield _observation(sighting, (fact,), key, name)


def _observe(
    condition: FactCondition, node: Node, names: list[str], facts: ScopeFacts, key: str
) -> Iterator[Observation]:
    about = next((name for name in names if kind_of(name) != "host"), names[0])
    minima = [(text, resolved(text), least) for text, least in condition.minimum]
    every = list(dict.fromkeys([*names, *(name for _, enough, _ in minima for name in _names(enough))]))
    try:
        together = _together(every, facts, key)
    except UndefinedError as problem:
        present = tuple(fact for name in names for fact in facts.of(name, key))
        missing = unknown(Reason.ABSENT, str(problem), is_half_there=bool(present))
        yield _observation(missing, present, key, about)
        return
    for series in together:
        present = tuple(found[-1] for found in series.values())
        try:
            sighting, used = _judge(condition, node, minima, series)
        except UndefinedError as problem:
            sighting, used = unknown(Reason.ABSENT, str(problem)), present
        yield _observation(sighting, used, key, about)


def _judge(
    condition: FactCondition,
    node: Node,
    minima: list[tuple[str, Node, Quantity]],
    series: dict[str, list[ScopeFact]],
) -> tuple[Sighting, tuple[ScopeFact, ...]]:
    for text, enough, least in minima:
        found = _value(enough, _only(series, enough))
        if found.value < least.value:
            return unknown(
                Reason.TOO_FEW, f"{text} is {found.value:g}, {least.value:g} are needed"
            ), found.facts
    result = _value(node, _only(series, node))
    unit = expression.unit_of(condition.expression)
    return sighted(result.value, condition.bound, unit, note=condition.say), result.facts


def _only(series: dict[str, list[ScopeFact]], node: Node) -> dict[str, list[ScopeFact]]:
    return {name: series[name] for name in _names(node)}


def _observation(sighting: Sighting, facts: Sequence[ScopeFact], key: str, name: str) -> Observation:
    kind = kind_of(name)
    entity = "" if key.startswith("~") else key
    if kind == "process":
        sighting = replace(sighting, process=entity)
    elif kind == "cgroup":
        sighting = replace(sighting, cgroup=entity)
    hosts = {fact.item.host for fact in facts}
    boots = {fact.item.boot for fact in facts}
    first = next(iter(facts), None)
    return Observation(
        sighting,
        tuple(sorted({fact.item.evidence for fact in facts})),
        host=hosts.pop() if len(hosts) == 1 else "",
        boot=boots.pop() if len(boots) == 1 else "",
        section=first.item.section if first else 0,
        citations=tuple((fact.item.evidence, fact.item.section, fact.cited) for fact in facts),
    )


def _together(names: list[str], facts: ScopeFacts, key: str) -> list[dict[str, list[ScopeFact]]]:
    """Return what may be computed together: the facts of one evidence, each; else what is said only once.

    Raises:
        UndefinedError: A fact is missing, or several pieces of evidence contradict each other.
    """
    series = {name: _series(name, facts, "" if kind_of(name) == "host" else key) for name in names}
    own = [by_evidence for name, by_evidence in series.items() if kind_of(name) != "host"] or list(
        series.values()
    )
    common = set.intersection(*(set(by_evidence) for by_evidence in own)) if own else set()
    if common:
        return [
            {name: found.get(evidence) or _only_value(name, found) for name, found in series.items()}
            for evidence in sorted(common)
        ]
    return [{name: _only_value(name, by_evidence) for name, by_evidence in series.items()}]


def _only_value(name: str, by_evidence: dict[str, list[ScopeFact]]) -> list[ScopeFact]:
    if len({tuple(fact.value for fact in found) for found in by_evidence.values()}) > 1:
        raise UndefinedError(f"{name} stands in several pieces of evidence with different values")
    return next(iter(by_evidence.values()))


def _series(name: str, facts: ScopeFacts, key: str) -> dict[str, list[ScopeFact]]:
    """Return the facts of one name by evidence, in the order of their snapshots."""
    by_evidence: dict[str, list[ScopeFact]] = {}
    for fact in facts.of(name, key):
        if isinstance(fact.value, float | int) and not isinstance(fact.value, bool):
            by_evidence.setdefault(fact.item.evidence, []).append(fact)
    if not by_evidence:
        raise UndefinedError(f"{name} is not in the evidence")
    for found in by_evidence.values():
        found.sort(key=lambda fact: fact.order)
    return by_evidence


def _value(node: Node, series: dict[str, list[ScopeFact]]) -> _Value:
    """Evaluate once per snapshot and take the median; a name with one value holds for all snapshots."""
    length = max(len(found) for found in series.values())
    short = min((len(found) for found in series.values() if len(found) > 1), default=1)
    results: list[_Value] = []
    for at in range(min(length, short) if short > 1 else 1):
        used = {name: found[at if len(found) > 1 else 0] for name, found in series.items()}

        def value_of(name: str, used: dict[str, ScopeFact] = used) -> float:
            return float(used[name].value)

        def call(function: str, arguments: tuple[Node, ...]) -> float:
            return _over_time(function, arguments, series)

        value = expression.evaluate(node, value_of, call)
        if math.isnan(value):
            raise UndefinedError("not a number")
        results.append(_Value(value, tuple(used.values())))
    middle = median(result.value for result in results)
    return min(results, key=lambda result: abs(result.value - middle))


def _over_time(function: str, arguments: tuple[Node, ...], series: dict[str, list[ScopeFact]]) -> float:
    argument = arguments[0]
    if function == "count" and isinstance(argument, Name):
        return float(len(series[argument.name]))
    if function != "delta" or not isinstance(argument, Name):
        raise UndefinedError(f"{function}() of facts is not known")
    found = series[argument.name]
    if len(found) < 2:
        raise UndefinedError(f"{argument.name} was read once; a change needs two snapshots")
    change = float(found[-1].value) - float(found[0].value)
    if change < 0:
        raise UndefinedError(f"{argument.name} went backwards: it was reset")
    return change


def observe_kernel(condition: KernelCondition, facts: ScopeFacts) -> Iterator[Observation]:
    """Yield one observation per place that names the running kernel."""
    for fact in facts.texts("kernel.release"):
        kernel = versions.kernel_of(str(fact.value))
        has = versions.in_range(kernel, condition.spec) if kernel else None
        if has is None:
            sighting = unknown(Reason.LOW_QUALITY, f"{fact.value} does not tell", observed=str(fact.value))
        else:
            sighting = Sighting(
                State.TRUE if has else State.FALSE,
                observed=str(fact.value),
                threshold=condition.spec,
                distance=0.0 if has else 1.0,
                strength=1.0 if has else 0.0,
            )
        yield _observation(sighting, (fact,), "", "kernel.release")
