"""What failed just before a crash: an error of a disk, a file system or memory that no rule calls its cause.

NULL pointer dereference in the kernel; in legacy_get_tree; just before: EXT4-fs (sda1): mount failed
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from signatures.overview.kernel_log.sentences import message_of, quoted

if TYPE_CHECKING:
    from collections.abc import Sequence

    from signatures.overview.kernel_log.chain import Alarm, Chain

JUST_BEFORE_SECONDS = 10.0
JUST_BEFORE_LINES = 20
"""Where the log has no times."""

AREAS = frozenset({"storage", "filesystem", "memory", "hardware"})
"""What a crash may come from."""

_WORDS = "; just before: "


def preceding(alarm: Alarm, chains: Sequence[Chain]) -> str:
    """Return `; just before: …` with the last alarm above a crash in its log; "" without one."""
    if alarm.log_class.area != "crash":
        return ""
    others = [one for chain in chains for one in chain.alarms if _is_just_before(one, alarm)]
    last = max(others, key=lambda one: one.first.record.lines.first, default=None)
    return f"{_WORDS}{quoted(message_of(last.first.record))}" if last else ""


def _is_just_before(one: Alarm, crash: Alarm) -> bool:
    record, at = one.first.record, crash.first.record
    is_alarm = one.log_class.is_alarming and one.log_class.area in AREAS
    if one.first.item is not crash.first.item or not is_alarm:
        return False
    lines = at.lines.first - record.lines.last
    if lines <= 0:
        return False
    if record.uptime is None or at.uptime is None:
        return lines <= JUST_BEFORE_LINES
    return 0.0 <= at.uptime - record.uptime <= JUST_BEFORE_SECONDS
