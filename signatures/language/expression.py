"""Closed, unit-checked arithmetic of signatures: `+ - * /`, `abs min max`, and what a predicate adds.

Example:
    memcg.stat.pgsteal / memcg.stat.pgscan abs(process.rss.status_bytes - process.rss.smaps_rollup_bytes) /
    max(16777216, 0.1 * process.rss.smaps_rollup_bytes) sum(nr_reclaimed) / sum(elapsed_ns) * 1e9
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING, TypeAlias

from signatures.language import units

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

_TOKEN = re.compile(
    r"\s*(?:([0-9][0-9_]*(?:\.[0-9]+)?(?:e-?[0-9]+)?)(?![\w.])|([A-Za-z_]\w*(?:\.\w+)*)|([-+*/(),]))"
)

CALLS = ("delta", "rate", "spread", "sum", "count", "distinct", "rate_per_minute", "duration")
"""Functions evaluated by the predicate, like `max` and `min` of one name."""


class UndefinedError(Exception):
    """The expression has no value: a missing fact, too few values, or a division by zero."""


class MissingError(UndefinedError):
    """A fact is not in the evidence."""


class SingleReadingError(UndefinedError):
    """A change or a rate needs two readings, some time apart."""


@dataclass(frozen=True, slots=True)
class Number:
    """A literal."""

    value: float


@dataclass(frozen=True, slots=True)
class Name:
    """A fact or column."""

    name: str


@dataclass(frozen=True, slots=True)
class Operation:
    """Two operands and one of `+ - * /`."""

    op: str
    left: Node
    right: Node


@dataclass(frozen=True, slots=True)
class Call:
    """A function and its arguments."""

    function: str
    arguments: tuple[Node, ...]


Node: TypeAlias = Number | Name | Operation | Call


class _Parser:
    def __init__(self, text: str) -> None:
        self._text = text
        self._tokens = list(_tokens(text))
        self._at = 0

    def parse(self) -> Node:
        node = self._sum()
        if self._at < len(self._tokens):
            raise ValueError(f"{self._text!r}: unexpected {self._tokens[self._at]!r}")
        return node

    def _peek(self) -> str:
        return self._tokens[self._at] if self._at < len(self._tokens) else ""

    def _take(self) -> str:
        token = self._peek()
        self._at += 1
        return token

    def _sum(self) -> Node:
        node = self._product()
        while self._peek() in ("+", "-"):
            node = Operation(self._take(), node, self._product())
        return node

    def _product(self) -> Node:
        node = self._atom()
        while self._peek() in ("*", "/"):
            node = Operation(self._take(), node, self._atom())
        return node

    def _atom(self) -> Node:
        taken = self._take()
        if taken == "(":
            node = self._sum()
            self._expect(")")
            return node
        if taken == "-":
            return Operation("-", Number(0.0), self._atom())
        if taken and (taken[0].isalpha() or taken[0] == "_"):
            return self._call(taken) if self._peek() == "(" else Name(taken)
        if taken and taken[0].isdecimal():
            return Number(float(taken.replace("_", "")))
        raise ValueError(f"{self._text!r}: a number or name is missing")

    def _call(self, function: str) -> Node:
        if function not in ("abs", "min", "max", *CALLS):
            raise ValueError(f"{self._text!r}: no function {function}")
        self._expect("(")
        arguments: list[Node] = []
        while self._peek() != ")":
            arguments.append(self._sum())
            if self._peek() == ",":
                self._take()
            elif self._peek() != ")":
                raise ValueError(f"{self._text!r}: a comma or ) is missing")
        self._expect(")")
        return Call(function, tuple(arguments))

    def _expect(self, token: str) -> None:
        if self._take() != token:
            raise ValueError(f"{self._text!r}: {token} is missing")


def _tokens(text: str) -> Iterator[str]:
    at = 0
    while at < len(text.rstrip()):
        found = _TOKEN.match(text, at)
        if found is None:
            raise ValueError(f"{text!r}: unexpected {text[at:].strip()[:10]!r}")
        yield found[1] or found[2] or found[3]
        at = found.end()


@lru_cache(maxsize=1024)
def parse(text: str) -> Node:
    """Parse an expression.

    Raises:
        ValueError: Invalid syntax.
    """
    return _Parser(text).parse()


@lru_cache(maxsize=1024)
def names_in(text: str) -> tuple[str, ...]:
    """Return the distinct facts or columns of an expression."""
    found: dict[str, None] = {}

    def walk(node: Node) -> None:
        if isinstance(node, Name):
            found[node.name] = None
        elif isinstance(node, Operation):
            walk(node.left)
            walk(node.right)
        elif isinstance(node, Call):
            for argument in node.arguments:
                walk(argument)

    walk(parse(text))
    return tuple(found)


def evaluate(
    node: Node, value_of: Callable[[str], float], call: Callable[[str, tuple[Node, ...]], float] | None = None
) -> float:
    """Compute the value.

    Args:
        node: What `parse` returned.
        value_of: The value of a name.
        call: Evaluates the functions of `CALLS`, and `max`/`min` of one name.

    Raises:
        UndefinedError: There is no value.
    """
    if isinstance(node, Number):
        return node.value
    if isinstance(node, Name):
        return value_of(node.name)
    if isinstance(node, Operation):
        left = evaluate(node.left, value_of, call)
        right = evaluate(node.right, value_of, call)
        if node.op == "/" and right == 0.0:
            raise UndefinedError("division by zero")
        return {"+": lambda: left + right, "-": lambda: left - right, "*": lambda: left * right}.get(
            node.op, lambda: left / right
        )()
    if node.function in CALLS or (node.function in ("min", "max") and len(node.arguments) == 1):
        if call is None:
            raise UndefinedError(f"{node.function}() is not available here")
        return call(node.function, node.arguments)
    values = [evaluate(argument, value_of, call) for argument in node.arguments]
    return {"abs": lambda: abs(values[0]), "min": lambda: min(values), "max": lambda: max(values)}[
        node.function
    ]()


_PLAIN = ("", "count")
_PER_SECOND = {"/ns": Number(1e9), "/us": Number(1e6), "/ms": Number(1e3)}
"""What turns a rate per unit of time into one per second."""


def _same(left: str, right: str, what: str) -> str:
    if left == right or right in _PLAIN:
        return left
    if left in _PLAIN:
        return right
    raise ValueError(f"{what} mixes {left} and {right}")


def unit_of(text: str) -> str:
    """Return the unit of the result.

    Raises:
        ValueError: Units that cannot be added or compared.
    """
    return _unit(parse(text))


def _unit(node: Node) -> str:
    if isinstance(node, Number):
        return ""
    if isinstance(node, Name):
        return units.unit_of(node.name)
    if isinstance(node, Call):
        if node.function in ("count", "distinct", "rate_per_minute"):
            return "count"
        if node.function == "duration":
            return "seconds"
        found = [_unit(argument) for argument in node.arguments]
        unit = found[0]
        for other in found[1:]:
            unit = _same(unit, other, node.function)
        return f"{unit}/s" if node.function == "rate" else unit
    left, right = _unit(node.left), _unit(node.right)
    if node.op in ("+", "-"):
        return _same(left, right, node.op)
    if node.op == "*":
        for per, one_second in _PER_SECOND.items():
            if left.endswith(per) and node.right == one_second:
                return left.removesuffix(per) + "/s"
        return left if right in _PLAIN else right if left in _PLAIN else f"{left}*{right}"
    if left == right:
        return "share"
    return left if right in _PLAIN else f"{left}/{right}"
