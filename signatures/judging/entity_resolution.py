"""Which process, and which group, a signature is decided for.

`bind: {p: process, cg: cgroup_of(p)}` lets every clause speak of one process and of its own group. A process
is charged to its group and to all above it; `/proc/PID/cgroup` names that group. Where the evidence does not
say whose a group is, the only one that is named joins as *assumed*, and of several none does: a group at its
limit says nothing about a process that may live in another.
"""

from __future__ import annotations

from itertools import product
from typing import TYPE_CHECKING, NamedTuple

from signatures.judging.observation import WHOLE, State

if TYPE_CHECKING:
    from collections.abc import Iterator

    from signatures.judging.evaluation_context import Observations
    from signatures.judging.fact_index import ScopeFacts
    from signatures.language.model import Signature

_DELETED = " (deleted)"
_MANY_ENTITIES = 64


class Binding(NamedTuple):
    """Whom the clauses speak of.

    Attributes:
        entities: Variable to entity; "" is the host as a whole, or nobody named.
        assumed: Variables of groups that nobody says are the process's own.
    """

    entities: dict[str, str]
    assumed: frozenset[str]


def bindings(signature: Signature, observations: Observations, facts: ScopeFacts) -> Iterator[Binding]:
    """Yield every combination of named entities that may belong together, each once."""
    choices = {
        variable: _named(variable, kind, observations) or [""] for variable, kind in signature.bind.items()
    }
    seen: set[tuple[str, ...]] = set()
    for combination in product(*choices.values()):
        binding = dict(zip(choices, combination, strict=True))
        assumed = set()
        for group, process in signature.own_of.items():
            is_own = _is_own(binding[process], binding[group], choices[group], facts)
            if is_own is False and _is_met(process, observations):
                binding[group] = ""
            elif is_own is not True:
                assumed.add(group)
        if tuple(binding.values()) not in seen:
            seen.add(tuple(binding.values()))
            yield Binding(binding, frozenset(assumed))


def _is_met(variable: str, observations: Observations) -> bool:
    """Say whether anything is TRUE of a variable; where nothing is, there is nobody to mistake."""
    return any(
        observation.match_result.state is State.TRUE
        for condition, found in observations.items()
        if getattr(condition, "at", "") == variable
        for observation in found
    )


def _named(variable: str, kind: str, observations: Observations) -> list[str]:
    """Return the entities of a variable, those with the strongest support first."""
    named: dict[str, float] = {}
    has_whole = False
    for condition, seen in observations.items():
        if getattr(condition, "at", "") != variable:
            continue
        for observation in seen:
            entity = getattr(observation.match_result, kind)
            if entity == WHOLE:
                has_whole = True
            elif entity:
                named[entity] = max(named.get(entity, 0.0), observation.match_result.strength)
    ranked = sorted(named, key=lambda entity: (-named[entity], entity))[:_MANY_ENTITIES]
    return [*ranked, ""] if has_whole else ranked


def _is_own(process: str, group: str, groups: list[str], facts: ScopeFacts) -> bool | None:
    """Say whether a group is the process's own or one above it; None where nobody says."""
    if not group:
        return True
    home = group_of(process, facts) if process else ""
    if home:
        return home == group or (group != "/" and home.startswith(f"{group}/"))
    return None if len(groups) == 1 else False


def group_of(process: str, facts: ScopeFacts) -> str:
    """Return the group that the memory of a process is charged to, "" when it is not known.

    `/` is what a process sees of its own group from inside a cgroup namespace, and tells nothing.
    """
    stated: dict[bool, set[str]] = {True: set(), False: set()}
    for fact in facts.of("process.cgroup", process):
        hierarchy = dict(fact.labels).get("hierarchy", "unified").split(",")
        if "memory" in hierarchy or hierarchy == ["unified"]:
            stated["memory" in hierarchy].add(str(fact.value).removesuffix(_DELETED))
    found = stated[True] or stated[False]
    home = found.pop() if len(found) == 1 else ""
    return "" if home == "/" or home.startswith("/..") else home
