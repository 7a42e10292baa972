"""The statements of the engine of quantities, the strongest first: one for each quantity of each subject.

Beyond a stated limit, beyond a normal range with its source, a change in time, a contrast of tables. What no
source calls too much is *notable* at most. Nothing here changes calm into anything: it names what was read.
"""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING

import numpy as np

from ingest.engines.quantities.meanings import may_mean, meaning_of
from signatures.overview.measures import Measure
from signatures.overview.mechanisms.series import measures_of
from signatures.overview.model import Answer, Figure, Quantity, Statement, kind_of
from signatures.overview.quantities import cpu_time, limits, peers, trends
from signatures.overview.quantities.trends import LIMITS, words_of
from signatures.overview.quantities.windows import windows
from signatures.overview.reading_values import is_quantity, label_of, values_of

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from signatures.documents.overview import QuestionName
    from signatures.engines import EngineName
    from signatures.judging.scope import Item
    from signatures.overview.first_steps import Topic
    from signatures.overview.scope_evidence import ScopeEvidence

ENGINE: EngineName = "quantities"
FINDERS = (
    limits.stated_limits,
    limits.above_targets,
    limits.capacities,
    limits.normal_ranges,
    limits.flags,
    cpu_time.split,
    cpu_time.load,
    peers.shares,
    peers.outliers,
    peers.busiest,
    peers.largest_parts,
    peers.since_start,
)
"""What measures are beyond, in the order of the statements."""


def derived(evidence: ScopeEvidence) -> Answer:
    """Return what the measures of texts without a reader say."""
    found: list[Statement] = []
    cited = evidence.cited_outputs()
    for item in evidence.items:
        own = measures_of(evidence, item)
        if not own:
            if (item.evidence, item.format) not in cited:
                told = _of_facts(item)
                found += map(_beyond, (*peers.shares(told), *peers.outliers(told)))
            continue
        wrong = {id(one.measure) for one in limits.impossible(own)}
        found += map(_beyond, limits.impossible(own))
        credible = [one for one in own if id(one) not in wrong]
        for find in FINDERS:
            found += map(_beyond, find(credible))
        found += windows(credible)
        found += _in_time(credible)
        found += _contrasts(credible)
    figures = tuple(map(_figure, found))
    if not found:
        return Answer("No quantity of a text without a reader departs from anything.")
    return Answer(f"{found[0].text}.", figures, (), tuple(found))


def _of_facts(item: Item) -> list[Measure]:
    """Return the facts of a reader whose names the dictionary knows, each by its last look."""
    found: dict[tuple[str, str], Measure] = {}
    facts = item.reading.facts
    is_known = any(_may_mean(name, item.format) for name in {fact.name for fact in facts})
    if not is_known and any(map(is_quantity, facts)):
        return []
    for one in values_of(item):
        printed = one.label.partition(" in ")[0]
        beside = one.subject.replace(",", "").split()
        meaning = meaning_of(one.name, beside) or meaning_of(printed, beside)
        if meaning is not None:
            lines = np.array([one.place.first_line], dtype=np.int32)
            values = np.array([one.number])
            found[one.label, one.subject] = Measure(
                one.label, meaning, one.unit, one.subject, values, lines, (), None, ("", 0), item
            )
    return list(found.values())


@lru_cache(maxsize=4096)
def _may_mean(name: str, format_name: str) -> bool:
    """Return whether the dictionary may know a fact: it knows none of the files of /proc/PID."""
    return may_mean(name) or may_mean(label_of(name, format_name).partition(" in ")[0])


def _figure(one: Statement) -> Figure:
    value, unit = one.quantity or (one.words, "")
    return Figure(one.subject, value, unit, one.places, one.kind == "alarm")


def _beyond(one: limits.Beyond) -> Statement:
    measure = one.measure
    return Statement(
        _question(measure),
        one.words,
        (measure.place(one.at % len(measure.lines), one.at % len(measure.lines)),),
        kind_of(is_alarm=one.is_alarm),
        one.level,
        measure.meaning.run if measure.meaning else "",
        is_notable=True,
        asks=_asks(measure),
        topic=_topic(measure),
        subject=_subject(measure),
        quantity=Quantity(one.value, measure.unit),
        ratio=one.ratio,
        engine=ENGINE,
    )


def _question(measure: Measure) -> QuestionName:
    return measure.meaning.about if measure.meaning else "scheduling"  # type: ignore[return-value]


def _topic(measure: Measure) -> Topic:
    return measure.meaning.topic if measure.meaning else ""  # type: ignore[return-value]


def _asks(measure: Measure) -> str:
    return f"what is behind it: {measure.meaning.quantity}" if measure.meaning else ""


def _subject(measure: Measure) -> str:
    return f"{measure.label} ({measure.subject})" if measure.subject else measure.label


def _in_time(own: Sequence[Measure]) -> Iterator[Statement]:
    """Yield what series do; of several that do it in the same rows, the first."""
    seen: set[tuple[str, int, int]] = set()
    found = [
        (departure.rank, measure, departure) for measure in own for departure in trends.departures(measure)
    ]
    for _, measure, departure in sorted(found, key=lambda one: one[0]):
        rows = (measure.subject, int(measure.lines[departure.first]), int(measure.lines[departure.last]))
        if rows in seen:
            continue
        seen.add(rows)
        yield Statement(
            _question(measure),
            f"{measure.name} {departure.words}",
            (measure.place(departure.first, departure.last),),
            "fact",
            "notable",
            measure.meaning.run if measure.meaning else "",
            is_notable=True,
            asks=_asks(measure),
            topic=_topic(measure),
            subject=_subject(measure),
            quantity=Quantity(departure.value, measure.unit),
            engine=ENGINE,
        )


def _contrasts(own: Sequence[Measure]) -> Iterator[Statement]:
    """Yield the quantity that differs most between two tables with the same head and titles of their own."""
    tables: dict[str, dict[str, list[Measure]]] = {}
    for one in own:
        if one.table[0] and one.meaning is not None and one.meaning.bad in {"high", "low"}:
            tables.setdefault(one.label, {}).setdefault(one.table[0], []).append(one)
    best: tuple[float, Statement] | None = None
    for titled in tables.values():
        if len(titled) != 2:
            continue
        medians = {
            title: float(np.median([one.values[-1] for one in same])) for title, same in titled.items()
        }
        worse, better = sorted(medians, key=lambda title: -medians[title])
        first = titled[worse][0]
        if medians[better] <= 0 or medians[worse] < LIMITS["contrast"] * medians[better]:
            continue
        name = first.name.removesuffix(first.subject).rstrip()
        words = (
            f"{name} ({first.label}) is {words_of(medians[worse], first.unit)} ({worse}), "
            f"{words_of(medians[better], first.unit)} ({better}): medians of the rows"
        )
        said = Statement(
            _question(first),
            words,
            (first.place(), titled[better][0].place()),
            "fact",
            "notable",
            is_notable=True,
            subject=first.label,
            quantity=Quantity(medians[worse], first.unit),
            engine=ENGINE,
        )
        ratio = medians[worse] / medians[better]
        if best is None or ratio > best[0]:
            best = (ratio, said)
    if best:
        yield best[1]
