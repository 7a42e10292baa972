"""The sentence about tasks in uninterruptible sleep, by what they wait in, or by what the thread is for.

2 tasks are in uninterruptible sleep, 1 of them in 198.51.100.97-m, which recovers the state of NFS server …
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from signatures.overview.model import Statement, ranked
from signatures.overview.waiting.captures import BLOCKED, of_kind
from signatures.overview.waiting.kernel_threads import purpose_of
from signatures.overview.waiting.steps import step_about_kind

if TYPE_CHECKING:
    from collections import Counter

    from signatures.overview.model import Place
    from signatures.overview.waiting.kernel_threads import Purpose

MANY_BLOCKED = 5


def uninterruptible(waits: Counter[str], places: dict[str, list[Place]], *, is_selected: bool) -> Statement:
    """Return the sentence about tasks in uninterruptible sleep.

    One or two are usual at any moment; several are an alarm, also two that somebody has selected.
    """
    count = waits.total()
    where, most, purpose = _most_telling(waits)
    is_alarm = count >= MANY_BLOCKED or (is_selected and count > 1)
    text = f"{count} tasks are in uninterruptible sleep, {most} of them in {where}"
    if len(waits) == 1:
        text = f"{count} tasks are in uninterruptible sleep: {where}"
    if count == 1:
        text = f"1 task is in uninterruptible sleep: {where}"
    text += f", which {purpose.words}" if purpose else ""
    kind, level = ranked(is_alarm=is_alarm)
    waits_for = purpose.kind if purpose else ""
    return Statement(
        "scheduling",
        text,
        tuple(places[where][:3]),
        kind,
        level,
        of_kind(waits_for) or BLOCKED,
        topic="blocked tasks",
        subject=f"uninterruptible sleep in {where}",
        first_step=step_about_kind(waits_for),
        short=f"{count} blocked tasks: one {purpose.words}" if purpose and count > most else "",
    )


def _most_telling(waits: Counter[str]) -> tuple[str, int, Purpose | None]:
    """Return what most of the tasks wait in, but a kernel thread first whose wait has a known reason."""
    found = ((name, count, purpose_of(name)) for name, count in waits.items())
    return max(found, key=lambda one: (bool(one[2] and one[2].kind), one[1], one[2] is not None))
