"""Conditions as values: what every kind has in common, and groups of them.

The kinds are the modules of `signatures.judging.predicates`.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal, NamedTuple, TypeAlias

if TYPE_CHECKING:
    from collections.abc import Hashable, Sequence

    from signatures.language.units import Quantity

FrameSet: TypeAlias = tuple[str, ...]
"""Alternative names; `*` is a wildcard, `@name` is already expanded to its alias set."""

Population: TypeAlias = Literal["all", "busy", "kernel_busy"]


@dataclass(frozen=True, slots=True)
class Bound:
    """Range of a number. The weight is half at `at_least` and full from `strong` on."""

    at_least: Quantity | None = None
    strong: Quantity | None = None
    below: Quantity | None = None
    at_most: Quantity | None = None
    equals: Quantity | None = None


@dataclass(frozen=True, slots=True)
class Cap:
    """Upper limit of the confidence of a condition, with the reason.

    Attributes:
        title: Title of a finding with no other support; "" for the title of the signature.
    """

    because: str
    confidence: float = 1.0
    title: str = ""


class Trace(NamedTuple):
    """What evidence has where a condition can be anything but absent; one of several is enough.

    Attributes:
        kind: `part` of a reading, `class` or `text` of a log record, `fact`, `rows`, `function` of a stack or
            table, or `waits`: a resource that tasks wait for, or who blocks them.
        name: Name or pattern; "" for any.
    """

    kind: Literal["any", "part", "class", "text", "fact", "rows", "function", "waits"]
    name: str = ""


ANYTHING = Trace("any")
"""Trace of a condition that may hold of any evidence."""


class ConditionText(NamedTuple):
    """One condition in words: the kind of evidence it tests, and the test."""

    kind: str
    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Condition(ABC):
    """Base class of every kind of condition.

    Attributes:
        at: Binding variable of the entity, "" for none.
        cap: Limit of its confidence, None for none.
    """

    at: str = ""
    cap: Cap | None = None

    @abstractmethod
    def describe(self) -> ConditionText:
        """Return the condition in words."""

    @property
    def traces(self) -> tuple[Trace, ...]:
        """Return what evidence must have one of; evidence without them shows nothing of it."""
        return (ANYTHING,)

    @property
    def unnamed(self) -> Hashable | None:
        """What its outcome depends on in evidence without its traces; None where that is always "absent"."""
        return None

    @property
    def is_absence(self) -> bool:
        """Whether it tests an absence: TRUE only when all decided observations are TRUE."""
        return False

    @property
    def stands_for_share(self) -> bool:
        """Whether it is presence that stands for a share of time, so that one sighting is too few."""
        return False

    @property
    def is_tabular(self) -> bool:
        """Whether it tests rows of a table that names no callers."""
        return False

    @property
    def functions(self) -> tuple[str, ...]:
        """Names and patterns of the functions it looks for; excluded ones are omitted."""
        return ()

    @property
    def fact_names(self) -> tuple[str, ...]:
        """Names in its arithmetic over facts."""
        return ()

    def in_group(self, tests: Sequence[Test]) -> Condition:
        """Return the condition as one of the tests of a group."""
        del tests
        return self

    def complaints(self) -> tuple[str, ...]:
        """Return lint messages, each with its remedy."""
        return ()


@dataclass(frozen=True, slots=True)
class Group:
    """Several tests as one: `any`, `all` or `none` of them."""

    op: Literal["any", "all", "none"]
    tests: tuple[Test, ...]


Test: TypeAlias = Condition | Group
