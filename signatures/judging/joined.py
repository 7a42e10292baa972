"""Observations joined with the entities of a binding.

An observation applies to a bound entity when it names that one or none; without a bound entity, when it names
none or the whole. Most of the entities of a large recording show nothing: they differ in numbers alone, and
are decided once.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from signatures.judging.observation import WHOLE, State

if TYPE_CHECKING:
    from collections.abc import Hashable, Mapping

    from signatures.judging.entity_resolution import Binding
    from signatures.judging.observation import Observation
    from signatures.judging.observe import Observations
    from signatures.language.conditions import Condition

    Numbered = tuple[int, Observation]


class Joined:
    """The observations of a signature by condition and named entity."""

    def __init__(self, kinds: Mapping[str, str], observations: Observations) -> None:
        """Index observations; `kinds` is `process` or `cgroup` by variable."""
        self._observations = observations
        self._bound: list[tuple[Condition, dict[str, list[Numbered]]]] = []
        for condition, found in observations.items():
            if not condition.at:
                continue
            kind = kinds.get(condition.at, "process")
            by_name: dict[str, list[Numbered]] = {}
            for at, observation in enumerate(found):
                by_name.setdefault(getattr(observation.match_result, kind), []).append((at, observation))
            self._bound.append((condition, by_name))

    def with_entities(self, entities: Mapping[str, str]) -> Observations:
        """Return the observations that apply to the bound entities, in their order."""
        joined = self._observations.copy()
        for condition, by_name in self._bound:
            named, unnamed = by_name.get(entities.get(condition.at) or WHOLE, []), by_name.get("", [])
            numbered = sorted([*unnamed, *named], key=_number) if named and unnamed else named or unnamed
            joined[condition] = tuple(observation for _, observation in numbered)
        return joined

    def outcome_of(self, binding: Binding) -> Hashable | None:
        """Return what a decision depends on where no observation of the entities is TRUE, else None."""
        parts: list[Hashable] = []
        for at, (condition, by_name) in enumerate(self._bound):
            for _, observation in by_name.get(binding.entities.get(condition.at) or WHOLE, ()):
                found = observation.match_result
                if found.state is State.TRUE:
                    return None
                parts.append(
                    (
                        at,
                        found.state,
                        found.reason,
                        bool(found.samples),
                        found.is_half_there,
                        found.caps,
                        found.confidence_cap,
                        observation.evidences,
                        observation.host,
                    )
                )
        is_named = tuple(bool(entity) for entity in binding.entities.values())
        return (is_named, binding.assumed, tuple(parts))


def _number(one: Numbered) -> int:
    return one[0]
