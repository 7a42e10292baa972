"""`series`: a window of rows in which a value was high, or low, for some time.

A mean over ten minutes hides a minute at 90 %. The rows of one fact and device are a series; its worst window
counts when it lasts as long as `for`. Where neither a clock nor the command says how far rows are apart, a
window of enough rows is UNKNOWN.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar

from ingest.engines.series.model import series_of
from ingest.engines.series.windows import worst_window
from signatures.judging.condition_bases import ReadingCondition
from signatures.judging.observation import Cited, MatchResult, Reason, State, unknown
from signatures.language import units
from signatures.language.conditions import ConditionText, Trace
from signatures.language.keyword import Form, Keyword
from signatures.language.number_format import value_words
from signatures.language.schema_parts import CAP, QUANTITY, TEXT, Schema, object_of
from signatures.language.strict_mapping import Keys, cap_of

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from ingest.engines.series.model import Series
    from ingest.engines.series.windows import Window
    from ingest.model.reading import Reading
    from signatures.judging.condition_bases import Span
    from signatures.judging.profile_index import Trees
    from signatures.language.units import Quantity

_KEYS: dict[str, Schema] = {"fact": TEXT, "above": QUANTITY, "below": QUANTITY, "for": QUANTITY}
_BESIDE = {"cap": CAP}


@dataclass(frozen=True, slots=True)
class SeriesCondition(ReadingCondition):
    """A fact at or beyond a threshold in consecutive rows.

    Attributes:
        fact: The fact whose rows are looked at; each device, CPU or process is a series of its own.
        threshold: The value that counts.
        is_below: Values at or below it count, else those at or above.
        seconds: How long the window lasts at least.
    """

    PARTS: ClassVar[tuple[str, ...]] = ("row_sets", "facts")

    fact: str
    threshold: Quantity
    is_below: bool
    seconds: float

    @property
    def traces(self) -> tuple[Trace, ...]:
        """The fact, of which every reading with such rows has the last value."""
        return (Trace("fact", self.fact),)

    @property
    def capping_qualities(self) -> frozenset[str]:
        """What may have left out rows."""
        return frozenset({"filtered", "excerpt"})

    def observe(self, reading: Reading, trees: Trees, span: Span | None) -> Iterator[MatchResult]:
        """Yield the result of the series with the worst window; nothing without a series."""
        del trees, span
        found = series_of(reading, self.fact)
        if not found:
            return
        try:
            threshold = units.in_unit(self.threshold, found[0].rates().unit)
        except ValueError as problem:
            yield unknown(Reason.UNPARSABLE, str(problem))
            return
        windows = [
            (window, one)
            for one in found
            if (window := worst_window(one, threshold, self.seconds, is_below=self.is_below))
        ]
        if not windows:
            yield self._without(found[0].rates(), threshold)
            return
        sign = -1.0 if self.is_below else 1.0
        window, series = max(windows, key=lambda pair: sign * pair[0].height)
        if window.seconds is None and self.seconds:
            yield unknown(Reason.NO_VALUE, "how far the rows are apart is not said", citations=_cite(window))
            return
        yield self._with(window, series, threshold)

    def describe(self) -> ConditionText:
        """Return the fact, the threshold and the time."""
        value = value_words(self.threshold.value, self.threshold.unit)
        words = f"{self.fact}: {value} or {'less' if self.is_below else 'more'}"
        lasts = f" for {value_words(self.seconds, 'seconds')} on end" if self.seconds else " in a row"
        return ConditionText("series", f"{words}{lasts}")

    def _without(self, series: Series, threshold: float) -> MatchResult:
        """Return the result of a series without such a window."""
        values = series.values
        nearest = float(values.min() if self.is_below else values.max()) if len(values) else threshold
        return MatchResult(
            State.FALSE,
            observed=nearest,
            threshold=threshold,
            unit=series.unit,
            distance=abs(nearest - threshold) / (abs(threshold) or 1.0),
            citations=(Cited(int(series.lines[0]), int(series.lines[-1])),),
        )

    def _with(self, window: Window, series: Series, threshold: float) -> MatchResult:
        """Return the result of a window."""
        began = f"from {series.clock[window.first]} " if series.clock else ""
        lasts = "" if window.seconds is None else f"for {value_words(window.seconds, 'seconds')}"
        return MatchResult(
            State.TRUE,
            observed=window.height,
            threshold=threshold,
            unit=series.rates().unit,
            strength=1.0,
            note=f"{began}{lasts}".strip(),
            citations=_cite(window),
        )


def _cite(window: Window) -> tuple[Cited, ...]:
    return (Cited(*window.lines),)


def _parse(file: str, path: str, document: Mapping[str, Any]) -> SeriesCondition:
    Keys(file, path, document, ["series", *_BESIDE])
    keys = Keys(file, f"{path}.series", document["series"], _KEYS)
    sides = [side for side in ("above", "below") if side in keys.items_]
    if len(sides) != 1:
        raise keys.error("above", f"names {len(sides)} thresholds", "name one of above, below")
    lasts = units.parse(keys.value("for", 0))
    if lasts.unit not in {"", "seconds"}:
        raise keys.error("for", "is no time", "write for: 10 s")
    return SeriesCondition(
        fact=keys.text("fact"),
        threshold=units.parse(keys.value(sides[0])),
        is_below=sides[0] == "below",
        seconds=lasts.value,
        cap=cap_of(file, path, document),
    )


KEYWORDS = {"series": Keyword(_parse, (Form(object_of(_KEYS, ["fact"]), _BESIDE),))}
