"""What of a signature can be tested outside Casebook: clauses as expressions of a target language.

The clauses that a match needs are required together, with one of those that `require` names. Where the target
can express none of the former, any core clause, or one that `require` names, is enough.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from signatures.language.conditions import Group

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from signatures.language.conditions import Bound, Condition, Test
    from signatures.language.model import Clause, Signature
    from signatures.language.units import Quantity


class NotExportableError(Exception):
    """A signature has no condition that can be exported."""


class Language(NamedTuple):
    """A target language.

    Attributes:
        condition: Expression of one condition, "" where it has none.
        any_of: Expression that is TRUE where one of the expressions is.
        all_of: Expression that is TRUE where all expressions are.
    """

    condition: Callable[[Condition], str]
    any_of: Callable[[Sequence[str]], str]
    all_of: Callable[[Sequence[str]], str]


class Exported(NamedTuple):
    """A clause, its expression, and that of its refutation ("" for none)."""

    clause: Clause
    text: str
    refuted: str


class Detection(NamedTuple):
    """The exported part of a signature.

    Attributes:
        joint: Clauses that are needed together.
        either: Clauses of which one is needed, beside those.
        vetoes: Excluding clauses.
        left_out: Core clauses that were not exported.
    """

    joint: tuple[Exported, ...]
    either: tuple[Exported, ...]
    vetoes: tuple[Exported, ...]
    left_out: tuple[Clause, ...]

    @property
    def shown(self) -> tuple[Exported, ...]:
        """The clauses that show the pathology."""
        return (*self.joint, *self.either)


def detection_of(signature: Signature, language: Language) -> Detection:
    """Return the clauses of a signature that a language can express; `shown` may be empty."""
    decide = signature.decide
    joint = tuple(_exported([one for one in signature.clauses if one.id in decide.match_all], language))
    ids = {one.clause.id for one in joint}
    if joint:
        wanted = set() if ids & set(decide.require.any) else set(decide.require.any)
    else:
        core = (clause.id for clause in signature.clauses if clause.role == "core")
        wanted = {*core, *decide.require.all, *decide.require.any}
    either = tuple(_exported([one for one in signature.clauses if one.id in wanted], language))
    vetoes = tuple(_exported([one for one in signature.clauses if one.is_veto], language))
    done = ids | {one.clause.id for one in either}
    left_out = tuple(one for one in signature.clauses if one.role == "core" and one.id not in done)
    return Detection(joint, either, vetoes, left_out)


def _exported(clauses: Sequence[Clause], language: Language) -> Iterator[Exported]:
    for clause in clauses:
        text = _text(clause.test, language)
        if text:
            yield Exported(clause, text, _text(clause.refuted_by, language) if clause.refuted_by else "")


def _text(test: Test, language: Language) -> str:
    """Return the expression of a test; of an `any`, of those parts that have one."""
    if not isinstance(test, Group):
        return language.condition(test)
    texts = [_text(inner, language) for inner in test.tests]
    found = list(dict.fromkeys(text for text in texts if text))
    if not found or test.op == "none" or (test.op == "all" and not all(texts)):
        return ""
    if len(found) == 1:
        return found[0]
    return language.any_of(found) if test.op == "any" else language.all_of(found)


def bounds(bound: Bound) -> list[tuple[str, Quantity]]:
    """Return comparison operators with their limits."""
    named = ((">=", bound.at_least), ("<", bound.below), ("<=", bound.at_most), ("==", bound.equals))
    return [(sign, limit) for sign, limit in named if limit is not None]
