"""Time that a machine takes from a build: interrupts, their softirqs, the scheduling tick, interrupt exit.

What interrupts a program depends on the neighbours of the machine, not on the build. Samples inside an
interrupt count for no function; together they are one measure, which is shown and fails nothing. A softirq
that a system call of the program runs itself is the program's own.

Source: entry points of Linux 3.10 to 7.1, arch/x86/entry, arch/arm64/kernel/entry*, kernel/softirq.c,
kernel/time/tick-*.c.
"""

from __future__ import annotations

import re

FOREIGN = "interrupts"
"""Name of the measure."""

_ENTRIES = (
    r"(?:asm_)?sysvec_\w+",
    r"(?:asm_)?(?:common|spurious|call_function|reschedule|apic_timer|error|thermal)_interrupt",
    r"smp_\w+_interrupt|do_IRQ|ret_from_intr|retint_user|asm_exc_nmi|exc_nmi|end_repeat_nmi",
    r"el[01]t?_(?:64_|32_)?(?:irq|fiq)(?:_handler|_naked)?|el[01]_interrupt|gic_handle_irq|call_on_irq_stack",
    r"(?:__)?irq_exit(?:_rcu)?|irqentry_exit(?:_to_user_mode)?|run_ksoftirqd|xen_(?:pv_)?evtchn_do_upcall",
)
_PARTS = (
    r"(?:__)?do_softirq(?:_own_stack)?|handle_softirqs|__softirqentry_text_start|invoke_softirq",
    r"tick_(?:sched_timer|nohz_handler|nohz_highres_handler|handle_periodic|periodic|sched_handle)",
    r"(?:__)?hrtimer_(?:interrupt|run_queues)|update_process_times|scheduler_tick|sched_tick|task_tick_\w+",
)


def _whole(parts: tuple[str, ...]) -> str:
    return f"^(?:{'|'.join(parts)})(?:\\.\\w+)*$"


ENTRIES = f"/{_whole(_ENTRIES)}/"
"""Frame pattern of functions in which all time is foreign, with all that they call."""

_NAME = re.compile(_whole((*_ENTRIES, *_PARTS)))


def is_foreign(function: str) -> bool:
    """Return whether `kind.name` is a part of interrupts, also in a recording without callers."""
    kind, _, name = function.partition(".")
    return kind == "kernel" and _NAME.fullmatch(name) is not None
