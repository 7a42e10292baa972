"""A small sign of trouble: a value of a fact that is worth a sentence."""

from __future__ import annotations

from math import inf
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from signatures.overview.model import QuestionName


class Sign(NamedTuple):
    """A value of a fact that is worth a sentence.

    Attributes:
        least: The value from which it is said.
        words: The sentence, with the `{value}` and what it is about: `{of}`, "" for the whole machine.
        of: Labels that name what it is about.
        unit: Unit of the value in words.
        base: Fact of the same item that the value is divided by; the quotient is a share.
        is_alarm: Healthy machines do not have it.
        below: The value from which another analysis speaks of it.
        unless: Another fact, and the value of it from which this sign says nothing new.
        matching: A label that the fact must have, with its value.
        is_since_boot: It is counted since boot: whether it goes on is not known.
    """

    fact: str
    question: QuestionName
    least: float
    words: str
    of: tuple[str, ...] = ()
    unit: str = "count"
    base: str = ""
    is_alarm: bool = False
    below: float = inf
    unless: tuple[str, float] = ("", inf)
    matching: tuple[str, str] = ("", "")
    is_since_boot: bool = False


CPU = ("cpu",)
CGROUP = ("cgroup",)
DISK = ("device",)
LINK = ("interface", "iface")
MOUNT = ("mount",)
PROCESS = ("comm",)
HOLDER = ("pid",)
CONTAINER = ("container",)
POD = ("pod",)
NODE = ("node",)
