"""Entity resolution: the process and the cgroup that a signature is decided for.

`bind: {p: process, cg: cgroup_of(p)}` ties every clause to one process and its own cgroup. A process is
charged to its cgroup and all ancestors; `/proc/PID/cgroup` names that cgroup. Where the evidence does not
state the cgroup of a process, a single named cgroup is *assumed*; with several, none is: a cgroup at its
limit says nothing about a process that may be in another.
"""

from __future__ import annotations

from itertools import product
from typing import TYPE_CHECKING, NamedTuple

from signatures.judging.observation import WHOLE, State
from signatures.judging.process_groups import group_of

if TYPE_CHECKING:
    from collections.abc import Hashable, Iterator

    from signatures.judging.fact_index import ScopeFacts
    from signatures.judging.observe import Observations
    from signatures.language.model import Signature

_MANY_ENTITIES = 64
_NONE: frozenset[str] = frozenset()


class Binding(NamedTuple):
    """Entities of one evaluation.

    Attributes:
        entities: Variable to entity; "" is the whole host, or no named entity.
        assumed: Variables of cgroups assumed to be the process's own.
    """

    entities: dict[str, str]
    assumed: frozenset[str]

    def key(self, variables: tuple[str, ...]) -> Hashable:
        """Return what tests of these variables depend on."""
        entities, assumed = self.entities, self.assumed
        if len(variables) == 1:
            name = variables[0]
            return entities.get(name) or "", name in assumed
        return tuple((entities.get(name) or "", name in assumed) for name in variables)


def bindings(signature: Signature, observations: Observations, facts: ScopeFacts) -> Iterator[Binding]:
    """Yield every consistent combination of named entities, each once."""
    choices = {
        variable: _named(variable, kind, observations) or [""] for variable, kind in signature.bind.items()
    }
    yielded: set[tuple[str, ...]] = set()
    for combination in product(*choices.values()):
        binding = dict(zip(choices, combination, strict=True))
        assumed: set[str] = set()
        for group, process in signature.own_of.items():
            is_own = _is_own(binding[process], binding[group], choices[group], facts)
            if is_own is False and _has_support(process, observations):
                binding[group] = ""
            elif is_own is not True:
                assumed.add(group)
        entities = tuple(binding.values())
        if entities not in yielded:
            yielded.add(entities)
            yield Binding(binding, frozenset(assumed) if assumed else _NONE)


def _has_support(variable: str, observations: Observations) -> bool:
    """Return whether any condition of a variable is TRUE."""
    return any(
        observation.match_result.state is State.TRUE
        for condition, found in observations.items()
        if condition.at == variable
        for observation in found
    )


def _named(variable: str, kind: str, observations: Observations) -> list[str]:
    """Return the entities of a variable, those with the strongest support first."""
    named: dict[str, float] = {}
    has_whole = False
    for condition, found in observations.items():
        if condition.at != variable:
            continue
        for observation in found:
            entity = getattr(observation.match_result, kind)
            if entity == WHOLE:
                has_whole = True
            elif entity:
                named[entity] = max(named.get(entity, 0.0), observation.match_result.strength)
    ranked = sorted(named, key=lambda entity: (-named[entity], entity))[:_MANY_ENTITIES]
    return [*ranked, ""] if has_whole else ranked


def _is_own(process: str, group: str, groups: list[str], facts: ScopeFacts) -> bool | None:
    """Return whether a cgroup is the process's own or an ancestor; None when unknown."""
    if not group:
        return True
    own_group = group_of(process, facts) if process else ""
    if own_group:
        return own_group == group or (group != "/" and own_group.startswith(f"{group}/"))
    return None if len(groups) == 1 else False
