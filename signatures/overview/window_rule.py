"""A rule of windows: a quantity, and from which value on a window of it is worth a sentence."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from ingest.engines.series.windows import Window
    from signatures.overview.first_steps import Topic
    from signatures.overview.model import QuestionName


class Rule(NamedTuple):
    """A quantity, and from which value on a window of it is worth a sentence.

    Attributes:
        fact: The quantity.
        above: Values from here on count.
        least_seconds: Shorter windows do not.
        question: What it is about.
        words: The sentence, with `{value}` and `{of}`.
        is_meant: It may be meant, as a busy device: a fact with which the question is not calm.
        is_count: The mean of counts never was: the window is stated unless all rows are as high.
        is_below: Values from `above` down count instead.
        of: The fact that the values are divided by, "" for none.
        of_share: The share of the whole that `of` is, where the whole is not stated itself.
        times_median: Values count from so many times the median of their series on, if that is above `above`.
        requests: Facts that count requests per second: a single row counts with enough of them.
        has_cpus: Series of single CPUs are looked at, too.
        alarm_seconds: Shorter windows are facts.
        bases: Counters whose growth together is what that of `fact` is a share of.
        least: Fewer that were counted in a window say nothing.
        unless: Another fact, of which a window at the same time makes this one superfluous.
        topic: What a statement is about; "" for that of the fact.
    """

    fact: str
    above: float
    least_seconds: float
    question: QuestionName
    words: str
    is_meant: bool = False
    is_count: bool = False
    is_below: bool = False
    of: str = ""
    of_share: str = ""
    times_median: float = 0.0
    requests: tuple[str, ...] = ()
    has_cpus: bool = True
    alarm_seconds: float = 0.0
    bases: tuple[str, ...] = ()
    least: float = 0.0
    unless: str = ""
    topic: Topic = ""

    def is_alarm(self, window: Window) -> bool:
        """Return whether a window is an alarm, and no fact with which the question is not calm."""
        return not self.is_meant and (window.seconds is None or window.seconds >= self.alarm_seconds)
