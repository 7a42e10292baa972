"""Quantities that were read several times with the time of each look, and that no rule judges.

    in_time(items)  ->  opens in bpftrace (map @opens) is 4,012 from 21:19:45 for 2 s (mean 669 in 12 s)

Whether that is too much nothing here knows: it is what departs from the usual of the same looks, else the
range of them. Of a number that never falls it is the growth per second.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from ingest.engines.series.model import of_looks
from ingest.engines.series.windows import worst_window
from signatures.language.number_format import quantity_words
from signatures.overview import worst
from signatures.overview.model import Quantity, place
from signatures.overview.reading_values import is_quantity, label_of, subject_of
from signatures.overview.thresholds import thresholds_of
from signatures.overview.worst import Worst

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ingest.engines.series.model import Series
    from ingest.model.facts import Fact
    from signatures.judging.scope import Item
    from signatures.overview.model import Place

LIMITS = thresholds_of("context_looks")
_UNDECIDED = "net.since."
"""Counters of which it is not known since when they count."""


class Looks(NamedTuple):
    """What a quantity does over its looks.

    Attributes:
        words: The sentence.
        about: The fact.
        subject: What it is of.
        ratio: How many times its median the highest value is.
    """

    words: str
    about: str
    place: Place
    subject: str
    quantity: Quantity
    ratio: float


def in_time(items: Sequence[Item]) -> list[Looks]:
    """Return the quantities of these readings that were read several times, what departs most first."""
    found: dict[tuple[str, str, tuple[tuple[str, str], ...]], list[tuple[Fact, Item]]] = {}
    for item in items:
        for fact in item.reading.facts:
            if fact.at is not None and is_quantity(fact) and not fact.name.startswith(_UNDECIDED):
                key = (item.evidence, fact.name, tuple(sorted(fact.labels.items())))
                found.setdefault(key, []).append((fact, item))
    stated = [one for looks in found.values() if (one := _stated(looks)) is not None]
    return sorted(stated, key=lambda one: -one.ratio)


def _stated(looks: Sequence[tuple[Fact, Item]]) -> Looks | None:
    series = of_looks(looks[0][0].name, [fact for fact, _ in looks])
    if series is None or len(looks) < LIMITS["fewest"] or len(set(series.times.tolist())) < len(looks):
        return None
    rated = _growth(series).rates()
    known = rated.values[~np.isnan(rated.values)]
    if not known.size or not known.any():
        return None
    high, median = float(known.max()), float(np.median(known))
    at = int(np.nanargmax(rated.values))
    fact, item = looks[at]
    of = f" ({subject})" if (subject := subject_of(fact)) else ""
    name = f"{label_of(fact.name, item.format)}{of}"
    is_growth = rated.unit != series.unit
    verb = "grows by" if is_growth else "is"
    end = f" {rated.unit.replace('_', ' ')}" if is_growth and rated.unit == "per_second" else ""
    unit = rated.unit if rated.unit != "per_second" else "count" if series.unit == "count" else ""
    window = None
    if high >= LIMITS["far_above"] * max(median, 0.0) and known.size > 1:
        window = worst_window(rated, max(LIMITS["far_above"] * median, high / LIMITS["far_above"]))
    if window is not None and window.rows < known.size:
        one = Worst(rated, window, item)
        words = f"{verb} {quantity_words(window.height, unit)}{end} {worst.when(one)} ({worst.mean_of(one)})"
    elif high == float(known.min()):
        words = f"{verb} {quantity_words(high, unit)}{end} in each of {known.size:,} looks"
    else:
        low = quantity_words(float(known.min()), unit)
        words = f"{verb} {low} to {quantity_words(high, unit)}{end} in {known.size:,} looks"
    ratio = high / median if median > 0 else high
    where = place(item, fact.lines.first, fact.lines.last)
    return Looks(f"{name} {words}", fact.name, where, subject or name, Quantity(high, unit), ratio)


def _growth(series: Series) -> Series:
    """Return a number that only rises as a counter."""
    steps = np.diff(series.values)
    rises = not series.is_cumulative and bool((steps >= 0).all()) and (steps > 0).sum() >= LIMITS["rises"]
    return replace(series, is_cumulative=True) if rises else series
