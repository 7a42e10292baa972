"""Switches of the engines that derive statements: `on`, `shadow` or `off`.

    CASEBOOK_ENGINES=series=shadow casebook analyze vmstat.txt

An engine states what no reader or rule of a tool says by name. In *shadow* its statements are computed and
counted, but not shown; *off* computes none. Conditions of signatures do not depend on it.
"""

from __future__ import annotations

import os
from dataclasses import dataclass, fields, replace
from functools import cache
from typing import Literal, TypeAlias, cast, get_args

EngineName: TypeAlias = Literal["series", "quantities", "catalogue", "threads"]
EngineState: TypeAlias = Literal["on", "shadow", "off"]

VARIABLE = "CASEBOOK_ENGINES"


class EnginesError(ValueError):
    """A switch is invalid; the message states the form."""


@dataclass(frozen=True, slots=True)
class Engines:
    """The state of each engine.

    Attributes:
        series: The worst window of rows over time.
        quantities: The largest values of readings that nothing else assesses.
        catalogue: Levels and places of kernel messages of no class, where the log states no levels.
        threads: What the threads of programs wait for.
    """

    series: EngineState = "on"
    quantities: EngineState = "on"
    catalogue: EngineState = "on"
    threads: EngineState = "on"

    @classmethod
    def parse(cls, text: str) -> Engines:
        """Return the switches of a text such as `series=shadow`; engines that it does not name are on.

        Raises:
            EnginesError: It names no engine or no state.
        """
        found = cls()
        for part in filter(None, map(str.strip, text.split(","))):
            name, _, state = (word.strip() for word in part.partition("="))
            if name not in NAMES or state not in get_args(EngineState):
                states = "|".join(get_args(EngineState))
                raise EnginesError(f"{part!r} must be ENGINE={states}, ENGINE one of: {', '.join(NAMES)}")
            found = replace(found, **{name: cast("EngineState", state)})
        return found

    def state_of(self, name: EngineName) -> EngineState:
        """Return the state of an engine."""
        state: EngineState = getattr(self, name)
        return state


ALL_ON = Engines()
NAMES = tuple(one.name for one in fields(Engines))


@cache
def configured() -> Engines:
    """Return the switches of this process.

    Raises:
        EnginesError: The variable is invalid.
    """
    return Engines.parse(os.environ.get(VARIABLE, ""))


def environment() -> dict[str, str]:
    """Return the part of the environment that a process with the same switches needs."""
    return {VARIABLE: os.environ[VARIABLE]} if VARIABLE in os.environ else {}
