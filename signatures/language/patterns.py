"""Names of functions as patterns: plain, with `*` for anything, or the alias set `@name`."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import TYPE_CHECKING

from ingest.frames.aliases import frames_of

if TYPE_CHECKING:
    from collections.abc import Iterable

    from signatures.language.conditions import FrameSet


def expand(names: Iterable[str]) -> FrameSet:
    """Replace every `@name` by its alias set.

    Raises:
        KeyError: An alias set that does not exist.
    """
    expanded: list[str] = []
    for name in names:
        expanded.extend(frames_of(name[1:]) if name.startswith("@") else (name,))
    return tuple(dict.fromkeys(expanded))


@lru_cache(maxsize=65536)
def is_any(name: str, patterns: FrameSet) -> bool:
    """Say whether `name` is one of the patterns; case counts."""
    return any(
        name == pattern or ("*" in pattern and _compiled(pattern).fullmatch(name) is not None)
        for pattern in patterns
    )


@lru_cache(maxsize=4096)
def _compiled(pattern: str) -> re.Pattern[str]:
    """Compile a pattern with `*`, in which nothing else is special.

    Each `*` takes as little as it can and keeps to it, so that no name costs more than its length times
    that of the pattern.
    """
    first, *inner, last = map(re.escape, pattern.split("*"))
    middle = "".join(f"(?>.*?{part})" for part in inner if part)
    return re.compile(f"{first}{middle}.*{last}", re.DOTALL)
