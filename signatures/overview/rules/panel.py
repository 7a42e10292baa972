"""A panel by rules: the figures and statements of what the evidence states, as an analysis gives them.

by_rules("sockets")(evidence)  ->  Answer("The listen queue of 10.77.0.1:8080 is full: 6 connections …", …)
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, NamedTuple

from signatures.language.number_format import quantity_words
from signatures.overview import averages, calm, impossible, window_rules
from signatures.overview.first_steps import topic_of_fact
from signatures.overview.levels import first_of, rank, ratio_of
from signatures.overview.model import Answer, Covers, Figure, Statement, kind_of, shortened
from signatures.overview.rules.rule import panel_of
from signatures.overview.rules.templates import filled, first_filled
from signatures.overview.rules.values import measured
from signatures.overview.scope_evidence import sections_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from signatures.overview.model import Place
    from signatures.overview.rules.rule import Answered, Rule, Threshold
    from signatures.overview.rules.templates import Fields
    from signatures.overview.rules.values import Measured
    from signatures.overview.scope_evidence import ScopeEvidence


class Found(NamedTuple):
    """What one value has: a figure, a statement, or both."""

    figure: Figure | None
    statement: Statement | None


def by_rules(
    name: str,
    *more: Callable[[ScopeEvidence], Answer],
    closing: Callable[[ScopeEvidence, list[Figure]], Iterable[Statement]] | None = None,
) -> Callable[[ScopeEvidence], Answer]:
    """Return the analysis of a panel.

    Args:
        name: The file of its rules.
        more: What is no rule.
        closing: What is said of the figures where nothing is above a threshold.
    """

    def analyze(evidence: ScopeEvidence) -> Answer:
        panel = panel_of(name)
        answers = [one(evidence) for one in more]
        found = [(rule.question, one) for rule in panel.rules for one in found_by(evidence, rule)]
        own = [one.figure for _, one in found if one.figure]
        figures = [*(figure for answer in answers for figure in answer.figures), *own]
        statements = [one for answer in answers for one in answer.statements]
        statements += [one.statement for _, one in found if one.statement]
        rests_on = tuple(dict.fromkeys(where for one in own for where in one.places))
        assesses = tuple(_assessed(evidence, panel.covers, rests_on))
        if not figures:
            lacks = (panel.capture,) if panel.capture else ()
            for covers, one in zip(assesses, panel.covers, strict=False):
                if one.calm:
                    return Answer(f"{calm.words(evidence, covers, one.calm, one.seen)}.", assesses=assesses)
            return Answer(panel.nothing, lacks=lacks)
        if closing and not statements:
            statements += closing(evidence, figures)
        statements = sorted(statements, key=rank)[: panel.said]
        first = first_of(statements)
        shown = shortened(figures, panel.shown)
        usual = panel.usual.format(label=shown[0].label, words=shown[0].words)
        about = tuple(dict.fromkeys(question for question, one in found if one.figure))
        return Answer(
            f"{first.text}." if first else usual,
            shown,
            (),
            tuple(statements),
            assesses,
            about=about,
        )

    return analyze


def _assessed(
    evidence: ScopeEvidence, answered: Iterable[Answered], places: tuple[Place, ...]
) -> Iterator[Covers]:
    """Yield what the questions are answered by: the sections of their facts, else what was measured."""
    for one in answered:
        sections = sections_of(entry for name in one.facts for entry in evidence.facts(name))
        if rests_on := sections or (places if one.calm else ()):
            yield Covers(one.question, rests_on)


def found_by(evidence: ScopeEvidence, rule: Rule) -> Iterator[Found]:
    """Yield the figure of each value of a rule, with the statement of the first threshold that it meets."""
    for one in measured(evidence, rule):
        is_needed = all(_number(one.fields, name) >= least for name, least in rule.needs)
        if not is_needed or impossible.is_impossible(evidence, rule.fact):
            continue
        if _is_said(evidence, rule, one):
            continue
        fields = one.fields
        if of := first_filled(rule.of, fields):
            fields["of"] = of
        threshold = next((level for level in rule.thresholds if _is_met(level, one)), None)
        fields["figure"] = label = filled(rule.figure, fields)
        statement = (
            _statement(evidence, rule, threshold, one, label) if threshold and threshold.words else None
        )
        is_marked = threshold is not None and (threshold.is_alarm or threshold.is_marked)
        figure = _figure(rule, one, label or (statement.words if statement else ""), is_marked=is_marked)
        yield Found(figure if label or statement else None, statement)


def _is_said(evidence: ScopeEvidence, rule: Rule, found: Measured) -> bool:
    """Return whether another fact, or a window of this one, makes the rule superfluous."""
    if rule.is_sign and window_rules.is_stated(evidence, rule.fact):
        return True
    unless = dict(rule.unless)
    other = evidence.highest(str(unless["fact"])) if unless else None
    if other is None:
        return False
    if "part" in unless:
        return other.item is found.entry.item and other.number >= float(unless["part"]) * found.entry.number
    return other.number >= float(unless["above"])


def _is_met(threshold: Threshold, found: Measured) -> bool:
    fields = found.fields
    return (
        threshold.above <= found.value < threshold.below
        and all(_number(fields, name) >= _number(fields, bound) for name, bound in threshold.least)
        and all(_number(fields, name) < _number(fields, bound) for name, bound in threshold.most)
        and not fields.keys() & set(threshold.lacks)
    )


def _number(fields: Fields, bound: float | str) -> float:
    """Return a bound that may be a field; what is not there is NaN, and below and above nothing."""
    found = fields.get(bound, math.nan) if isinstance(bound, str) else bound
    return math.nan if isinstance(found, str) else found


def _figure(rule: Rule, found: Measured, label: str, *, is_marked: bool) -> Figure:
    value = found.fields.get(rule.figure_value, rule.figure_value)
    if rule.digits >= 0 and not isinstance(value, str):
        value = round(value, rule.digits)
    unit = rule.figure_unit or rule.unit
    unit = "" if isinstance(value, str) else unit
    note = first_filled(rule.note, found.fields)
    return Figure(label, value, unit, found.places, is_marked, note)


def _statement(
    evidence: ScopeEvidence, rule: Rule, threshold: Threshold, found: Measured, label: str
) -> Statement:
    fields, mean = dict(found.fields), ""
    if rule.is_sign and rule.unit == "count":
        fields["value"], mean = _mean(evidence, rule, threshold, found)
    words = filled(threshold.words.replace("{value}", f"{{value:{rule.unit}}}"), fields)
    words += ", on average since boot" if found.entry.is_since_boot else mean
    is_past = rule.is_sign and found.entry.is_since_boot and not threshold.is_alarm
    topic = topic_of_fact(rule.fact) if threshold.topic is None else threshold.topic
    return Statement(
        rule.question,
        words,
        found.places,
        kind_of(is_alarm=threshold.is_alarm),
        "since boot" if is_past else threshold.level,
        filled(threshold.capture, fields),
        is_notable=threshold.is_notable,
        asks=threshold.asks,
        topic=topic,
        is_summary=threshold.is_summary or (rule.is_sign and not rule.of),
        ratio=ratio_of(found.value, threshold.above) if threshold.has_ratio else None,
        subject=f"{threshold.words} {fields.get('of', '')}"
        if rule.is_sign
        else filled(threshold.subject, fields)
        if threshold.subject
        else label,
        names=tuple(filled(one, fields) for one in threshold.names),
        first_step=threshold.first,
    )


def _mean(
    evidence: ScopeEvidence, rule: Rule, threshold: Threshold, found: Measured
) -> tuple[float | str, str]:
    """Return a value in words, and what follows the sentence where it is the mean of several looks."""
    is_count = rule.base is None and not found.entry.is_since_boot
    count = averages.count_of(evidence, found.entry, threshold.above) if is_count else None
    if count and count.mean:
        return count.words, count.mean
    return f"{found.value:,.0f}" if found.value >= 1 else quantity_words(found.value, rule.unit), ""
