"""Numbers of distinct threads whose stacks match, pooled over the readings of a scope."""

from __future__ import annotations

from typing import TYPE_CHECKING

from signatures.judging.observation import (
    MAX_EXEMPLARS,
    Cited,
    MatchResult,
    Observation,
    Reason,
    State,
    number_result,
    unknown,
)
from signatures.judging.quality_caps import NO_WEIGHTS

if TYPE_CHECKING:
    from signatures.judging.stack_match import StackMatch
    from signatures.language.conditions import Bound


def distinct_result(bound: Bound, match: StackMatch) -> MatchResult:
    """Return the result for the number of threads of one profile."""
    threads = match.threads()
    if not threads and len(match.samples):
        return unknown(Reason.ABSENT, "no thread ids")
    return number_result(float(len(threads)), bound, citations=match.cite())


def threads_result(bound: Bound, threads: tuple[str, ...], citations: tuple[Cited, ...]) -> MatchResult:
    """Return TRUE when enough threads show it, else UNKNOWN: other threads were not captured."""
    found = number_result(float(len(threads)), bound, caps=(NO_WEIGHTS,), is_seen=True)
    if found.state is State.TRUE:
        return found._replace(threads=threads, citations=citations, note="threads")
    reason = f"{len(threads)} so far" if threads else "no thread ids"
    return unknown(
        Reason.TOO_FEW,
        reason,
        observed=found.observed,
        threshold=found.threshold,
        threads=threads,
        citations=citations,
    )


def pooled(bound: Bound, observations: tuple[Observation, ...]) -> tuple[Observation, ...]:
    """Pool the threads of all readings: `/proc/PID/stack` has one file per thread."""
    showing = [each for each in observations if each.match_result.threads]
    if len(showing) < 2 or any(each.match_result.state is State.TRUE for each in observations):
        return observations
    threads = tuple(sorted({name for each in showing for name in each.match_result.threads}))
    return (
        Observation(
            threads_result(bound, threads, ()),
            tuple(dict.fromkeys(name for each in showing for name in each.evidences)),
            host=_only({each.host for each in showing}),
            boot=_only({each.boot for each in showing}),
            citations=tuple(cited for each in showing for cited in each.citations)[:MAX_EXEMPLARS],
        ),
    )


def _only(values: set[str]) -> str:
    """Return the only value, "" when there are several."""
    return values.pop() if len(values) == 1 else ""
