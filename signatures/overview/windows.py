"""What was high for a while only: the worst window of a series whose mean says nothing.

40 tasks are blocked in uninterruptible sleep from 21:19:40 for 3 s (mean 4 in 30 s)

A mean over the whole recording hides it, or makes a number of it that never was. Where the mean itself is
above the threshold, the analysis of that quantity speaks. The rules are rows of `windows.yaml`.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from signatures.overview.cpu.busy_profile import machine_cpus
from signatures.overview.first_steps import topic_of_fact
from signatures.overview.levels import ratio_of
from signatures.overview.model import Answer, Figure, Statement, ranked
from signatures.overview.window_rules import all_rules, name_of, sentence, worst_of

if TYPE_CHECKING:
    from signatures.overview.scope_evidence import ScopeEvidence
    from signatures.overview.window_rule import Rule
    from signatures.overview.worst import Worst


def windows(evidence: ScopeEvidence) -> Answer:
    """Return the worst windows, those of one second before those of another in the order of the rules."""
    figures: list[Figure] = []
    statements: list[Statement] = []
    cpus = machine_cpus(evidence)
    for rule in all_rules(cpus):
        found = worst_of(evidence, rule)
        if found is None:
            continue
        words = sentence(rule.words, found)
        is_alarm = rule.is_alarm(found.window) and not _is_of_one_cpu(rule, found, cpus)
        figures.append(Figure(words, found.window.height, found.series.unit, (found.place,), is_alarm))
        kind, level = ranked(is_alarm=is_alarm)
        statements.append(
            Statement(
                rule.question,
                words,
                (found.place,),
                kind,
                level,
                is_notable=True,
                topic=rule.topic or topic_of_fact(rule.fact),
                ratio=_ratio(rule, found),
                engine="series",
                subject=f"{rule.fact} of {name_of(found)}",
            )
        )
    if not figures:
        return Answer("Nothing was high for a while only.")
    return Answer(f"{statements[0].text}.", tuple(figures), (), tuple(statements))


def _is_of_one_cpu(rule: Rule, found: Worst, cpus: float) -> bool:
    """Return whether one CPU of several is busy so: a fact, unless that is as much of the whole host."""
    return "cpu" in found.series.labels and found.window.height < rule.above * (cpus or math.inf)


def _ratio(rule: Rule, found: Worst) -> float | None:
    """Return how far beyond the threshold; of what is only unusual nothing says how far is much."""
    if rule.times_median:
        return None
    height = found.window.height
    return ratio_of(rule.above, height) if rule.is_below else ratio_of(height, rule.above)
