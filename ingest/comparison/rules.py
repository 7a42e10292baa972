"""Rules of a comparison: what fails, what must be found, and how often it may be wrong."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from ingest.native.linear import Pattern

if TYPE_CHECKING:
    from collections.abc import Sequence


class RuleError(ValueError):
    """A rule is malformed; the message states the syntax."""


@dataclass(frozen=True, slots=True)
class Rules:
    """Rules of a comparison; shares are 0..1.

    Attributes:
        alpha: Probability that builds that do not differ fail, over all totals and functions.
        least_growth: A growth that is smaller does not fail, however significant it is.
        asked: A growth of the totals that must not be missed: the result is inconclusive where it cannot be
            excluded.
        functions: Expressions of which one matches all of `kind.name`; without any every function is tested.
        allowed: Kinds of differences between recordings that are allowed.
    """

    alpha: float = 0.01
    least_growth: float = 0.02
    asked: float = 0.1
    functions: tuple[Pattern, ...] = ()
    allowed: frozenset[str] = field(default_factory=frozenset)

    def is_wanted(self, function: str) -> bool:
        """Return whether `kind.name` is tested."""
        return not self.functions or any(one.fullmatch(function) for one in self.functions)


def patterns(expressions: Sequence[str]) -> tuple[Pattern, ...]:
    """Compile expressions of functions; matching takes linear time.

    Raises:
        RuleError: One is no regular expression.
    """
    compiled = []
    for text in expressions:
        try:
            compiled.append(Pattern(text))
            compiled[-1].fullmatch("")
        except ValueError as error:
            raise RuleError(f"{text!r} is no regular expression: {error}") from None
    return tuple(compiled)
