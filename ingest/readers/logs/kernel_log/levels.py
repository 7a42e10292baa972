"""Levels of messages: 0 (emergency) to 7 (debug), by their number and by their names."""

from __future__ import annotations

_LEVELS = {
    **{
        word: number
        for number, word in enumerate(("emerg", "alert", "crit", "err", "warn", "notice", "info", "debug"))
    },
    "panic": 0,
    "emergency": 0,
    "critical": 2,
    "error": 3,
    "warning": 4,
}


def level_of(priority: str | None, word: str | None = None) -> int | None:
    """Return the level of a priority (`4`, `30`) or of its name (`warn`); None without either."""
    if priority:
        return int(priority) & 7
    return _LEVELS.get(word) if word else None
