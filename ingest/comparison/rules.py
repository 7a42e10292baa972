"""Rules of a comparison: what fails, what must be found, and how often it may be wrong."""

from __future__ import annotations

from dataclasses import dataclass, field
from difflib import get_close_matches
from typing import TYPE_CHECKING

from ingest.comparison.foreign import is_foreign
from ingest.native.linear import Pattern

if TYPE_CHECKING:
    from collections.abc import Sequence


TOTALS = 0
"""The family of the totals, which has half of the level where functions are tested."""

COMMON = 1
"""The family of functions that share the other half."""

UNTESTED = -1
"""The family of functions that are measured, and not tested."""


class RuleError(ValueError):
    """A rule is malformed; the message states the syntax."""


@dataclass(frozen=True, slots=True)
class Rules:
    """Rules of a comparison; shares are 0..1.

    Attributes:
        alpha: Probability that builds that do not differ fail, over all totals and functions.
        least_growth: A growth that is smaller does not fail, however significant it is.
        asked: A growth of the totals that must not be missed: the result is inconclusive where these runs
            neither find nor exclude it. None: what the runs exclude is stated, however much it is.
        asked_function: The same of each function that is named or large; None for none.
        functions: Expressions of which one matches all of `kind.name`, or the name alone; without any every
            function is tested. A function that is the only one of its expression is tested alone, at its own
            `alpha`.
        allowed: Kinds of differences between recordings that are allowed.
    """

    alpha: float = 0.01
    least_growth: float = 0.02
    asked: float | None = 0.1
    asked_function: float | None = None
    functions: tuple[Pattern, ...] = ()
    allowed: frozenset[str] = field(default_factory=frozenset)

    def families(self, functions: Sequence[str]) -> dict[str, int]:
        """Return the family of tests of each function, `UNTESTED` for those that no expression names.

        Args:
            functions: All functions of the runs.

        Raises:
            RuleError: An expression names none of them.
        """
        if not self.functions:
            return {one: UNTESTED if is_foreign(one) else COMMON for one in functions}
        found = dict.fromkeys(functions, UNTESTED)
        for number, expression in enumerate(self.functions, start=COMMON + 1):
            named = [one for one in functions if expression.fullmatch(one)]
            named = named or [one for one in functions if expression.fullmatch(one.partition(".")[2])]
            if not named:
                near = get_close_matches(expression.pattern, functions, 3)
                hint = f"; similar: {', '.join(near)}" if near else ""
                raise RuleError(f"no function of the runs is called {expression.pattern!r}{hint}")
            for one in named:
                found[one] = number if len(named) == 1 else COMMON
        return found


def patterns(expressions: Sequence[str]) -> tuple[Pattern, ...]:
    """Compile expressions of functions; matching takes linear time.

    Raises:
        RuleError: One is no regular expression.
    """
    compiled = []
    for text in expressions:
        try:
            compiled.append(Pattern(text))
            # The classes of Unicode, which names of ASCII do without, take the most memory.
            compiled[-1].fullmatch("é")
        except ValueError as error:
            raise RuleError(f"{text!r} is no regular expression: {error}") from None
    return tuple(compiled)
