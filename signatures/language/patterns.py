"""Patterns of function names: exact, with `*` wildcards, or an alias set `@name`."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import TYPE_CHECKING, Any

from ingest.frames.aliases import all_aliases, frames_of

if TYPE_CHECKING:
    from collections.abc import Iterable

    from signatures.language.conditions import FrameSet


def expand(names: Iterable[str]) -> FrameSet:
    """Replace every `@name` by its alias set.

    Raises:
        ValueError: Unknown alias set; the message names the nearest one.
    """
    expanded: list[str] = []
    for name in names:
        expanded.extend(_set(name) if name.startswith("@") else (name,))
    return tuple(dict.fromkeys(expanded))


def _set(name: str) -> FrameSet:
    """Return the frames of the alias set `@name`."""
    if name[1:] in all_aliases():
        return frames_of(name[1:])
    from difflib import get_close_matches  # noqa: PLC0415 - for messages alone

    close = get_close_matches(name, [f"@{one}" for one in all_aliases()], n=1)
    raise ValueError(f"no set of frames is called {name}" + (f"; did you mean {close[0]}?" if close else ""))


def frame_path(names: Any) -> tuple[FrameSet, ...]:
    """Return frame sets; an inner list holds alternatives, a single text is a list of one.

    Raises:
        ValueError: Unknown alias set.
    """
    entries = [names] if isinstance(names, str) else list(names)
    return tuple(expand([entry] if isinstance(entry, str) else entry) for entry in entries)


@lru_cache(maxsize=65536)
def is_any(name: str, patterns: FrameSet) -> bool:
    """Return whether `name` matches one of the patterns; case-sensitive."""
    return any(
        name == pattern or ("*" in pattern and _compiled(pattern).fullmatch(name) is not None)
        for pattern in patterns
    )


@lru_cache(maxsize=4096)
def _compiled(pattern: str) -> re.Pattern[str]:
    """Compile a pattern in which only `*` is special.

    Each `*` is lazy and atomic, so matching costs at most the length of the name times that of the pattern.
    """
    first, *inner, last = map(re.escape, pattern.split("*"))
    middle = "".join(f"(?>.*?{part})" for part in inner if part)
    return re.compile(f"{first}{middle}.*{last}", re.DOTALL)
