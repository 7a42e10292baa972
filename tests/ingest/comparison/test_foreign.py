"""Time of interrupts counts for no function of a build."""

from __future__ import annotations

import pytest

from ingest.comparison.costs import costs
from ingest.comparison.foreign import is_foreign
from ingest.model.selection import Selection
from ingest.native import parse_folded
from ingest.native.views import View

# Kernel frames of folded stacks are marked as `perf script` and FlameGraph mark them.
IRQ = "asm_sysvec_apic_timer_interrupt_[k];sysvec_apic_timer_interrupt_[k]"
STACKS = {
    "main;parse": 60,
    f"main;parse;{IRQ};__irq_exit_rcu_[k];handle_softirqs_[k];run_timer_softirq_[k]": 5,
    f"main;{IRQ};hrtimer_interrupt_[k];tick_nohz_handler_[k];update_process_times_[k]": 3,
    "main;send;tcp_sendmsg_[k];do_softirq_[k];handle_softirqs_[k];tcp_v4_rcv_[k]": 12,
}


@pytest.fixture(scope="module")
def found():
    text = "".join(f"{stack} {count}\n" for stack, count in STACKS.items())
    return costs(View(parse_folded([text.encode()]).profile, Selection(has_idle=False)), [])


def test_samples_inside_interrupts_are_a_group_of_their_own(found):
    assert (found.weight, found.foreign) == (80, 8)
    assert {name: one.total for name, one in found.functions.items()} == {
        "unknown.main": 72,
        "unknown.parse": 60,
        "unknown.send": 12,
        "kernel.tcp_sendmsg": 12,
        "kernel.do_softirq": 12,
        "kernel.handle_softirqs": 12,
        "kernel.tcp_v4_rcv": 12,
    }


@pytest.mark.parametrize(
    "name",
    [
        "irqentry_exit_to_user_mode",
        "asm_common_interrupt",
        "__do_softirq",
        "smp_apic_timer_interrupt",
        "scheduler_tick",
        "task_tick_fair",
        "hrtimer_interrupt.part.0",
        "el0t_64_irq_handler",
    ],
)
def test_parts_of_interrupts_are_known_by_name_in_recordings_without_callers(name):
    assert is_foreign(f"kernel.{name}")
    assert not is_foreign(f"user.{name}")


@pytest.mark.parametrize("name", ["tcp_v4_rcv", "schedule", "handle_mm_fault", "sysvec", "do_interrupts"])
def test_other_kernel_functions_are_the_builds(name):
    assert not is_foreign(f"kernel.{name}")
