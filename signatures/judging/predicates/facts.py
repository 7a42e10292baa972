"""`fact` and `kernel`: comparisons of facts, or of arithmetic over them, for one entity in one scope.

Facts are joined by entity. Counters are cumulative; `delta()` and `rate()` need two snapshots of one piece of
evidence and detect counter resets.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from signatures.judging.derived_facts import DERIVED
from signatures.judging.fact_index import kind_of
from signatures.judging.observation import MatchResult, Observation, Reason, State, number_result, unknown
from signatures.judging.predicates import series
from signatures.language import expression, kernel_ranges
from signatures.language.expression import Call, Name, Node, Operation, UndefinedError
from signatures.language.kernel_releases import kernel_of

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from signatures.judging.fact_index import ScopeFact, ScopeFacts
    from signatures.language.conditions import FactCondition, KernelCondition
    from signatures.language.units import Quantity


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


def observe(condition: FactCondition, facts: ScopeFacts) -> Iterator[Observation]:
    """Yield one observation per entity that has any of the facts."""
    node = resolved(condition.expression)
    names = list(dict.fromkeys(series.names_of(node)))
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
        if not series.has_labels(fact, condition.where):
            continue
        is_met = fact.value == condition.equals
        match_result = MatchResult(
            State.TRUE if is_met else State.FALSE,
            observed=str(fact.value),
            threshold=str(condition.equals),
            distance=0.0 if is_met else 1.0,
            strength=1.0 if is_met else 0.0,
            note=condition.say,
        )
        yield _observation(match_result, (fact,), key, name)


def _observe(
    condition: FactCondition, node: Node, names: list[str], facts: ScopeFacts, key: str
) -> Iterator[Observation]:
    about = next((name for name in names if kind_of(name) != "host"), names[0])
    minima = [(text, resolved(text), least) for text, least in condition.minimum]
    every = [node, *(enough for _, enough, _ in minima)]
    try:
        together = series.together(every, facts, key, condition.where)
    except UndefinedError as problem:
        present = tuple(fact for name in names for fact in facts.of(name, key))
        missing = unknown(Reason.ABSENT, str(problem), is_half_there=bool(present))
        yield _observation(missing, present, key, about)
        return
    for values in together:
        try:
            match_result, used = _judge(condition, node, minima, values)
        except UndefinedError as problem:
            match_result, used = unknown(Reason.ABSENT, str(problem)), values.cited(node)
        yield _observation(match_result, used, key, about)


def _judge(
    condition: FactCondition, node: Node, minima: list[tuple[str, Node, Quantity]], values: series.Values
) -> tuple[MatchResult, tuple[ScopeFact, ...]]:
    if condition.is_untimed and values.is_timed(node):
        raise UndefinedError("readings have times: use the rate")
    for text, enough, least in minima:
        found, used = values.middle(enough)
        if found < least.value:
            return unknown(Reason.TOO_FEW, f"{text} is {found:g}, at least {least.value:g} needed"), used
    result, used = values.middle(node)
    unit = expression.unit_of(condition.expression)
    notes = [note for note in (condition.say, values.words) if note]
    return number_result(result, condition.bound, unit, note="; ".join(notes)), used


def _observation(match_result: MatchResult, facts: Sequence[ScopeFact], key: str, name: str) -> Observation:
    kind = kind_of(name)
    entity = "" if key.startswith("~") else key
    if kind == "process":
        match_result = replace(match_result, process=entity)
    elif kind == "cgroup":
        match_result = replace(match_result, cgroup=entity)
    hosts = {fact.item.host for fact in facts}
    boots = {fact.item.boot for fact in facts}
    first = next(iter(facts), None)
    return Observation(
        match_result,
        tuple(sorted({fact.item.evidence for fact in facts})),
        host=hosts.pop() if len(hosts) == 1 else "",
        boot=boots.pop() if len(boots) == 1 else "",
        section=first.item.section if first else 0,
        citations=tuple((fact.item.evidence, fact.item.section, fact.cited) for fact in facts),
    )


def observe_kernel(condition: KernelCondition, facts: ScopeFacts) -> Iterator[Observation]:
    """Yield one observation per fact about the running kernel."""
    if condition.spec or condition.ecosystem:
        for fact in facts.texts("kernel.release"):
            yield _observation(_release(condition, str(fact.value)), (fact,), "", "kernel.release")
    if condition.config:
        name = f"kernel.config.{condition.config.removeprefix('CONFIG_').lower()}"
        for fact in facts.texts(name):
            yield _observation(_result(fact.value in ("y", "m"), str(fact.value), "y"), (fact,), "", name)
    if condition.parameter:
        for fact in facts.texts("boot.cmdline"):
            has = condition.parameter in str(fact.value).split()
            found = _result(has, condition.parameter if has else "not set", condition.parameter)
            yield _observation(found, (fact,), "", "boot.cmdline")


def _release(condition: KernelCondition, release: str) -> MatchResult:
    kernel = kernel_of(release)
    has = (
        kernel_ranges.in_range(kernel, condition.spec) if kernel and condition.spec else bool(kernel) or None
    )
    if kernel is None or has is None:
        return unknown(Reason.LOW_QUALITY, f"undecidable for {release}", observed=release)
    wanted = " ".join(part for part in (condition.ecosystem, condition.spec) if part)
    return _result(has and condition.ecosystem in ("", kernel.ecosystem), release, wanted)


def _result(is_met: bool, observed: str, threshold: str) -> MatchResult:  # noqa: FBT001 - its only subject
    return MatchResult(
        State.TRUE if is_met else State.FALSE,
        observed=observed,
        threshold=threshold,
        distance=0.0 if is_met else 1.0,
        strength=1.0 if is_met else 0.0,
    )
