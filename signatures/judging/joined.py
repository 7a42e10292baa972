"""Observations of a condition joined with the entity of a binding.

An observation applies to a bound entity when it names that one or none; without a bound entity, when it names
none or the whole. Most of the entities of a large recording show nothing: they differ in numbers alone, and
are decided once.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from signatures.judging.observation import WHOLE, State

if TYPE_CHECKING:
    from collections.abc import Hashable, Sequence

    from signatures.judging.observation import Observation

    Numbered = tuple[int, Observation]


_MET: Final = None
"""What stands for an observation that is TRUE."""


class NamedObservations:
    """The observations of one condition by named entity."""

    def __init__(self, observations: Sequence[Observation], kind: str) -> None:
        """Index observations; `kind` is `process` or `cgroup`."""
        self._by_name: dict[str, list[Numbered]] = {}
        for numbered in enumerate(observations):
            self._by_name.setdefault(getattr(numbered[1].match_result, kind), []).append(numbered)
        self._joined: dict[str, tuple[Observation, ...]] = {}
        self._alike: dict[str, int | None] = {}
        self._numbers: dict[Hashable, int] = {}

    def of(self, entity: str) -> tuple[Observation, ...]:
        """Return the observations that apply to an entity, "" for none, in their order."""
        found = self._joined.get(entity)
        if found is None:
            named, unnamed = self._by_name.get(entity or WHOLE, []), self._by_name.get("", [])
            numbered = sorted([*unnamed, *named], key=_number) if named and unnamed else named or unnamed
            found = self._joined[entity] = tuple(observation for _, observation in numbered)
        return found

    def alike(self, entity: str) -> int | None:
        """Return a number that entities have in common which a decision does not distinguish.

        None where an observation of the entity is TRUE.
        """
        found = self._alike.get(entity, -1)
        if found == -1:
            named = self._by_name.get(entity or WHOLE, ())
            key = tuple([_deciding(observation) for _, observation in named])
            found = self._alike[entity] = (
                None if _MET in key else self._numbers.setdefault(key, len(self._numbers))
            )
        return found


def _deciding(observation: Observation) -> Hashable:
    """Return what a decision depends on where nothing is TRUE."""
    found = observation.match_result
    if found.state is State.TRUE:
        return _MET
    return (
        id(found.state),
        found.reason,
        bool(found.samples),
        found.is_half_there,
        found.caps,
        found.confidence_cap,
        observation.evidences,
        observation.host,
    )


def _number(one: Numbered) -> int:
    return one[0]
