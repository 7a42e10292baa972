"""Parts of the description of a condition: names, paths and bounds."""

from __future__ import annotations

from typing import TYPE_CHECKING

from signatures.language.number_format import value_words

if TYPE_CHECKING:
    from collections.abc import Sequence

    from signatures.language.conditions import Bound, FrameSet

_SHOWN = 3


def names_words(names: Sequence[str]) -> str:
    """Return alternative names, at most three of them: `a or b or c and 4 similar`."""
    shown = " or ".join(names[:_SHOWN])
    return f"{shown} and {len(names) - _SHOWN} similar" if len(names) > _SHOWN else shown


def path_words(path: Sequence[FrameSet]) -> str:
    """Return frames from leaf to root: `a under b`."""
    return " under ".join(names_words(frames) for frames in path)


def bound_words(bound: Bound, unit: str) -> str:
    """Return the limits of a number in `unit`: `at least 30 % and below 60 %`."""
    parts = []
    for word, limit in (("at least", bound.at_least), ("below", bound.below), ("at most", bound.at_most)):
        if limit is not None:
            parts.append(f"{word} {value_words(limit.value, limit.unit or unit)}")
    if bound.equals is not None:
        parts.append(f"exactly {value_words(bound.equals.value, bound.equals.unit or unit)}")
    return " and ".join(parts)
