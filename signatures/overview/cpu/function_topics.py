"""What the first steps about a function that leads a profile are about.

topic_of_function(top, stacks)  ->  "interrupts" where most of its samples are below a soft interrupt
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ingest.frames import is_spin
from signatures.overview.cpu.kernel_areas import Part, topic_of_part
from signatures.overview.cpu.spin_words import is_unlock

if TYPE_CHECKING:
    from signatures.overview.cpu.function_shares import Timed
    from signatures.overview.first_steps import Topic
    from signatures.overview.stacks import Stacks

SOFTIRQ = frozenset(("__do_softirq", "handle_softirqs", "do_softirq", "__softirqentry_text_start"))
"""Functions below which soft interrupts run."""

MOST = 0.5


def topic_of_function(top: Timed, stacks: Stacks | None) -> Topic:
    """Return the topic of a function: a lock, soft interrupts, a part of the kernel, or a program."""
    if not top.is_kernel:
        return "busy CPUs"
    if is_unlock(top.name):
        return "interrupts off"
    if is_spin(top.name):
        return "kernel lock"
    if stacks is not None and _is_in_softirq(top.name, stacks):
        return "interrupts"
    return topic_of_part(Part(top.name, top.share, top.module, top.places))


def _is_in_softirq(name: str, stacks: Stacks) -> bool:
    own = stacks.frames_where(lambda one: one == name)[stacks.profile.node_frame]
    below = stacks.has(stacks.frames_where(SOFTIRQ.__contains__))
    return stacks.share_of_nodes(own & below) > MOST * stacks.share_of_nodes(own)
