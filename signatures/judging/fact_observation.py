"""Observations on facts: the entity, the evidence and the citations of a match result."""

from __future__ import annotations

from typing import TYPE_CHECKING

from signatures.judging.fact_index import kind_of
from signatures.judging.observation import MatchResult, Observation, State
from signatures.judging.quality_caps import SINCE_BOOT
from signatures.judging.since_boot import is_since_boot

if TYPE_CHECKING:
    from collections.abc import Sequence

    from signatures.judging.fact_index import ScopeFact


def observation_of(match_result: MatchResult, facts: Sequence[ScopeFact], key: str, name: str) -> Observation:
    """Return the observation of a match result.

    Args:
        match_result: The result, without its entity.
        facts: The facts it was computed from.
        key: Key of the entity.
        name: Name of a fact, which decides the kind of entity.
    """
    if any(is_since_boot(fact.name, fact.item.reading) for fact in facts):
        match_result = match_result._replace(caps=(*match_result.caps, SINCE_BOOT))
    kind = kind_of(name)
    entity = entity_of(key)
    if kind == "process" and entity != match_result.process:
        match_result = match_result._replace(process=entity)
    elif kind == "cgroup" and entity != match_result.cgroup:
        match_result = match_result._replace(cgroup=entity)
    if len(facts) == 1:
        return _observation_of_one(match_result, facts[0])
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


def entity_of(key: str) -> str:
    """Return the name of an entity by its key, "" for one that no label names."""
    return "" if key.startswith("~") else key


def _observation_of_one(match_result: MatchResult, fact: ScopeFact) -> Observation:
    """Return the observation of a single fact: there are thousands where each process has one."""
    item = fact.item
    cited = ((item.evidence, item.section, fact.cited),)
    return Observation(match_result, (item.evidence,), item.host, item.boot, item.section, cited)


def text_result(observed: str, threshold: str, *, is_met: bool, note: str = "") -> MatchResult:
    """Return the result of comparing a text, which is met or not and has no distance between."""
    return MatchResult(
        State.TRUE if is_met else State.FALSE,
        observed=observed,
        threshold=threshold,
        distance=0.0 if is_met else 1.0,
        strength=1.0 if is_met else 0.0,
        note=note,
    )
