"""Readings without the functions of a condition's own path: what is left must not meet it."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from ingest.frames import is_shared, normalise
from signatures.judging.condition_bases import ReadingCondition
from signatures.judging.fact_index import facts_of
from signatures.judging.observation import Observation
from signatures.judging.observe import conditions_of, observe_reading
from signatures.judging.profile_index import Trees
from signatures.judging.states import outcome_of
from signatures.language.conditions import Group
from signatures.language.patterns import is_any


def branches(test):
    """Return the alternatives of a test: each alone can meet it."""
    return test.tests if isinstance(test, Group) and test.op == "any" else (test,)


def own_path(test):
    """Return the functions that a test looks for, without those that many paths end in."""
    named = (name for condition in conditions_of(test) for name in condition.functions)
    return tuple(dict.fromkeys(name for name in named if not is_shared(name)))


def is_about_absence(test):
    """Return whether a test sets an upper limit to what it looks for."""
    bounds = [one.bound for one in conditions_of(test) if hasattr(one, "bound")]
    return any(bound.below is not None or bound.at_most is not None for bound in bounds)


def without(reading, names):
    """Return a reading without the rows and the stacks that have one of these functions."""
    tables = tuple(
        replace(table, symbols=tuple(row for row in table.symbols if not is_any(normalise(row.name), names)))
        for table in reading.tables
    )
    return replace(reading, tables=tables, profiles=tuple(_stacks(one, names) for one in reading.profiles))


def _stacks(profile, names):
    named = np.array([is_any(normalise(frame.name), names) for frame in profile.frames] or [False])
    below = np.zeros(len(profile.node_parent) + 1, dtype=bool)
    for node, (parent, frame) in enumerate(zip(profile.node_parent, profile.node_frame, strict=True)):
        below[node] = named[frame] or (parent >= 0 and below[parent])
    kept = ~below[profile.sample_node]

    def of(column):
        return column if column is None or not len(column) else column[kept]

    samples = ("node", "weight", "count", "time", "cpu", "thread", "line")
    return replace(profile, **{f"sample_{name}": of(getattr(profile, f"sample_{name}")) for name in samples})


def outcome_without(test, items, names):
    """Return the outcome of a test on items that lack these functions."""
    stripped = [without(item.reading, names) for item in items]
    trees, facts = Trees(), facts_of(items)

    def lookup(condition):
        if not isinstance(condition, ReadingCondition):
            return ()
        found = tuple(
            Observation(result, (item.evidence,))
            for item, reading in zip(items, stripped, strict=True)
            for result in observe_reading(condition, reading, trees)
        )
        return condition.pooled(found, facts)

    return outcome_of(test, lookup, needs_several=True)
