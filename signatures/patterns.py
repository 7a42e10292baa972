"""Names of functions as patterns: plain, `prefix*`, or the alias set `@name`."""

from __future__ import annotations

from fnmatch import fnmatchcase
from functools import lru_cache
from typing import TYPE_CHECKING

from ingest.frames.aliases import frames_of

if TYPE_CHECKING:
    from collections.abc import Iterable

    from signatures.questions import FrameSet


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
    return any(name == pattern or ("*" in pattern and fnmatchcase(name, pattern)) for pattern in patterns)
