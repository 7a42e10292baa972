"""Which process, and which group, a signature is decided for.

`bind: {p: process, cg: cgroup_of(p)}` lets every clause speak of one process and of its own group. A process
is charged to its group and to all above it; `/proc/PID/cgroup` names that group. Where the evidence does not
say whose a group is, the only one that is named joins as *assumed*, and of several none does: a group at its
limit says nothing about a process that may live in another.
"""

from __future__ import annotations

import re
from itertools import product
from typing import TYPE_CHECKING, NamedTuple

from signatures.observation import WHOLE, State

if TYPE_CHECKING:
    from collections.abc import Iterator

    from signatures.bench import Observations
    from signatures.facts import ScopeFacts
    from signatures.keys import Keys
    from signatures.model import Signature

KINDS = ("process", "cgroup")
_OWN = re.compile(r"cgroup_of\((\w+)\)")
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


def bind_of(keys: Keys) -> tuple[dict[str, str], dict[str, str]]:
    """Read `bind`: variable to its kind, and the variable of a group to that of the process it is of.

    Raises:
        SignatureError: A kind nobody knows, or a group of something that is no process.
    """
    kinds: dict[str, str] = {}
    own_of: dict[str, str] = {}
    for name in keys:
        kind = keys.text(name)
        own = _OWN.fullmatch(kind)
        if own is None:
            kinds[name] = str(keys.one_of(name, KINDS))
            continue
        if keys.text(own[1]) != "process":
            raise keys.error(
                name, f"{own[1]!r} is not bound to a process", f"write {own[1]}: process beside it, or cgroup"
            )
        kinds[name] = "cgroup"
        own_of[name] = own[1]
    return kinds, own_of


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
        observation.sighting.state is State.TRUE
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
            entity = getattr(observation.sighting, kind)
            if entity == WHOLE:
                has_whole = True
            elif entity:
                named[entity] = max(named.get(entity, 0.0), observation.sighting.strength)
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
