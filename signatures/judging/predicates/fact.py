"""`fact`: comparisons of facts, or of arithmetic over them, for one entity in one scope.

Facts are joined by entity. Counters are cumulative; `delta()` and `rate()` need two snapshots of one piece of
evidence and detect counter resets.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple

from signatures.judging import fact_series
from signatures.judging.condition_bases import ScopeCondition
from signatures.judging.cumulative_zero import AGE, age_of, age_words, is_old_enough
from signatures.judging.derived_facts import resolved
from signatures.judging.fact_index import kind_of
from signatures.judging.fact_observation import entity_of, observation_of, text_result
from signatures.judging.impossible_values import DETAIL, is_impossible
from signatures.judging.observation import (
    MatchResult,
    Observation,
    Reason,
    State,
    number_result,
    undefined,
    unknown,
)
from signatures.language import expression, units
from signatures.language.condition_words import bound_words, names_words
from signatures.language.conditions import Bound, Cap, ConditionText, FrameSet, Trace
from signatures.language.expression import Node, UndefinedError
from signatures.language.keyword import Form, Keyword
from signatures.language.number_format import value_words
from signatures.language.schema_parts import (
    BOUND_KEYS,
    CAP,
    MINIMA,
    PATTERNS,
    SCALAR,
    TEXT,
    TRUTH,
    Schema,
    object_of,
)
from signatures.language.strict_mapping import Keys, bound_of, cap_of

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from signatures.judging.fact_index import ScopeFact, ScopeFacts
    from signatures.language.units import Quantity

_KEYS: dict[str, Schema] = {
    "name": TEXT,
    "expr": TEXT,
    "at": TEXT,
    "is": SCALAR,
    "min": MINIMA,
    "say": TEXT,
    "where": PATTERNS,
    "untimed": TRUTH,
    "single": TRUTH,
    "never": TRUTH,
    **BOUND_KEYS,
}
_UNTIMED = Cap("no time between the two readings")
_SINGLE = Cap("one reading: a total, which may be old", confidence=0.4)


@dataclass(frozen=True, slots=True)
class FactCondition(ScopeCondition):
    """Comparison of closed arithmetic over facts of one entity.

    Attributes:
        expression: Text of the arithmetic; a plain fact name is the simplest.
        equals: Text or boolean that the fact must equal, else None.
        minimum: Expressions with the minimum value below which the condition is undecided.
        say: Remark shown beside the value (`since the group was made`).
        where: Label to its allowed values; other facts are ignored.
        is_untimed: Applies only to readings without times; readings with times have rates.
        is_single: Applies only where there is one reading; two have a change. Capped: the total may be old.
        is_never: TRUE where a counter stands at 0 and its group is old enough; a higher count may be old.
    """

    expression: str
    bound: Bound
    equals: str | bool | None
    minimum: tuple[tuple[str, Quantity], ...]
    say: str
    where: tuple[tuple[str, FrameSet], ...] = ()
    is_untimed: bool = False
    is_single: bool = False
    is_never: bool = False

    @property
    def is_absence(self) -> bool:
        """Whether it has an upper bound."""
        return self.bound.at_most is not None

    @property
    def fact_names(self) -> tuple[str, ...]:
        """Names in its arithmetic."""
        return expression.names_in(self.expression)

    @property
    def traces(self) -> tuple[Trace, ...]:
        """The facts in its arithmetic, with those that derived ones are computed of."""
        return tuple(Trace("fact", name) for name in fact_series.names_of(resolved(self.expression)))

    def observe(self, facts: ScopeFacts) -> Iterator[Observation]:
        """Yield one observation per entity that has any of the facts."""
        node = resolved(self.expression)
        names = list(dict.fromkeys(fact_series.names_of(node)))
        kinds = {kind_of(name) for name in names} - {"host"}
        if len(kinds) > 1:
            return
        keys: set[str] = (
            {key for name in names if kind_of(name) != "host" for key in facts.keys_of(name)}
            if kinds
            else {""}
        )
        compared = _comparison(self, node, names)
        for key in sorted(keys):
            if self.equals is not None:
                yield from _compare_text(self, facts, names[0], key)
            elif self.is_never:
                yield from _never(self, facts, names[0], key)
            elif any(facts.of(name, key) for name in names):
                yield from _observe(self, compared, facts, key)

    def describe(self) -> ConditionText:
        """Return the arithmetic with its bound, or the required value."""
        if self.equals is not None:
            value = value_words(self.equals) if isinstance(self.equals, bool) else self.equals
            return ConditionText("values", f"{self.expression} is {value}")
        text = f"{self.expression}: {bound_words(self.bound, expression.unit_of(self.expression))}"
        labels = ", ".join(_label_words(label, values) for label, values in self.where)
        text = f"{text}, where {labels}" if labels else text
        scope = (
            ", only for readings without times"
            if self.is_untimed
            else ", only for a single reading"
            if self.is_single
            else ", where the group is old enough to have counted"
            if self.is_never
            else ""
        )
        return ConditionText("values", text + scope)


def _label_words(label: str, values: FrameSet) -> str:
    """Return `tool ps or htop`, and `there is no cgroup` for the empty text."""
    words = names_words(values)
    return f"{label} {words}" if words else f"there is no {label}"


def _compare_text(condition: FactCondition, facts: ScopeFacts, name: str, key: str) -> Iterator[Observation]:
    for fact in facts.of(name, key):
        if fact_series.has_labels(fact, condition.where):
            match_result = text_result(
                str(fact.value),
                str(condition.equals),
                is_met=fact.value == condition.equals,
                note=condition.say,
            )
            yield observation_of(match_result, (fact,), key, name)


def _never(condition: FactCondition, facts: ScopeFacts, name: str, key: str) -> Iterator[Observation]:
    """Yield the observation of the last reading of a counter, which is met at 0."""
    last = max(facts.of(name, key), key=lambda fact: fact.order, default=None)
    if last is None or not isinstance(last.value, int | float):
        return
    age = age_of(name, facts, key)
    if last.value != 0:
        found = unknown(Reason.OUTSIDE_WINDOW, f"counted {last.value:g} times, of which all may be old")
    elif is_old_enough(name, facts, key):
        since = f"the group was made, which {age_words(age)}" if age else "boot"
        found = number_result(0.0, condition.bound, "", note=f"since {since}")
    else:
        others = " or ".join([*AGE[name], "a task that runs since an hour"])
        found = unknown(Reason.OUTSIDE_WINDOW, f"the group may be new: {others} would show that it is not")
    used = (last,) if age is None else (last, age)
    yield observation_of(found, used, key, name)


class _Comparison(NamedTuple):
    """What a condition compares, the same for every entity.

    Attributes:
        about: The fact that decides the kind of entity.
        minima: Text, arithmetic and least value of what it needs enough of.
        join: How its facts are joined.
    """

    node: Node
    names: list[str]
    about: str
    minima: list[tuple[str, Node, Quantity]]
    join: fact_series.Join


def _comparison(condition: FactCondition, node: Node, names: list[str]) -> _Comparison:
    about = next((name for name in names if kind_of(name) != "host"), names[0])
    minima = [(text, resolved(text), least) for text, least in condition.minimum]
    every = [node, *(enough for _, enough, _ in minima)]
    return _Comparison(node, names, about, minima, fact_series.join_of(every, condition.where))


def _observe(
    condition: FactCondition, compared: _Comparison, facts: ScopeFacts, key: str
) -> Iterator[Observation]:
    node, about = compared.node, compared.about
    try:
        together = fact_series.together(compared.join, facts, key)
    except UndefinedError as problem:
        present = tuple(fact for name in compared.names for fact in facts.of(name, key))
        # Most processes have not all facts of most conditions: their results are made with the entity.
        entity = {kind_of(about): entity_of(key)} if kind_of(about) != "host" else {}
        missing = undefined(problem, is_half_there=bool(present), **entity)
        yield observation_of(missing, present, key, about)
        return
    for values in together:
        try:
            match_result, used = _judge(condition, node, compared.minima, values)
        except UndefinedError as problem:
            match_result, used = undefined(problem), values.cited(node)
        if wrong := [fact.name for fact in used if is_impossible(facts, fact)]:
            match_result = unknown(Reason.NO_VALUE, f"{wrong[0]} {DETAIL}")
        yield observation_of(match_result, used, key, about)


def _judge(
    condition: FactCondition, node: Node, minima: list[tuple[str, Node, Quantity]], values: fact_series.Values
) -> tuple[MatchResult, tuple[ScopeFact, ...]]:
    if condition.is_untimed and values.is_timed(node):
        raise UndefinedError("readings have times: use the rate")
    if condition.is_single and values.has_snapshots(node):
        raise UndefinedError("several readings: use the change")
    for text, enough, least in minima:
        found, used = values.middle(enough)
        if found < least.value:
            return unknown(Reason.TOO_FEW, f"{text} is {found:g}, at least {least.value:g} needed"), used
    result, used = values.middle(node)
    unit = expression.unit_of(condition.expression)
    notes = [note for note in (condition.say, values.words) if note]
    compared = number_result(result, condition.bound, unit, note="; ".join(notes))
    if condition.is_single and compared.state is State.FALSE:
        detail = "a small total does not exclude that it grows now"
        compared = unknown(
            Reason.OUTSIDE_WINDOW, detail, observed=result, threshold=compared.threshold, unit=unit
        )
    return compared, used


def _parse(file: str, path: str, document: Mapping[str, Any]) -> FactCondition:
    fact = document["fact"]
    if isinstance(fact, str):
        fact = {"name": fact} | {key: value for key, value in document.items() if key != "fact"}
    else:
        Keys(file, path, document, ["fact", "cap"])
    keys = Keys(file, f"{path}.fact", fact, _KEYS)
    text = keys.text("expr") or keys.text("name", is_required=True)
    bound = bound_of(keys)
    unit = expression.unit_of(text)
    for limit in (bound.at_least, bound.below, bound.at_most, bound.equals):
        if limit is not None and limit.unit:
            units.in_unit(limit, unit)
    is_never = bool(keys.value("never", False))
    if is_never and (text not in AGE or bound.at_most is None):
        known = ", ".join(sorted(AGE))
        raise keys.error("never", f"{text} is no counter with a known age", f"write at_most: 0 of {known}")
    is_untimed, is_single = bool(keys.value("untimed", False)), bool(keys.value("single", False))
    own_cap = _UNTIMED if is_untimed else _SINGLE if is_single else None
    return FactCondition(
        expression=text,
        bound=bound,
        equals=keys.value("is", None),
        minimum=keys.quantities("min"),
        at=keys.text("at").lstrip("$"),
        say=keys.text("say"),
        where=keys.patterns("where"),
        is_untimed=is_untimed,
        is_single=is_single,
        is_never=is_never,
        cap=cap_of(file, path, document) or own_cap,
    )


KEYWORDS = {
    "fact": Keyword(_parse, (Form(object_of(_KEYS), {"cap": CAP}), Form(TEXT, {**_KEYS, "cap": CAP}))),
}
