"""An unlock does not spin: a timer counts there what ran while interrupts were off."""

from __future__ import annotations

import pytest

from signatures.overview.cpu.spin_words import is_timer, spin_words
from tests.signatures.overview.test_first_screen import overview

SAMPLE = """\
{comm}  {pid} [00{cpu}] {at:.6f}:   10101010 {event}:
\tffffffff81c00000 {leaf}+0x1a ([kernel.kallsyms])
\tffffffff81100000 {caller}+0x70 ([kernel.kallsyms])
\tffffffff81200000 do_syscall_64+0x40 ([kernel.kallsyms])

"""


def profile(event, **leaves):
    leaf = [name for name, count in leaves.items() for _ in range(count)]
    return "".join(
        SAMPLE.format(
            comm="worker",
            pid=100 + at % 4,
            cpu=at % 4,
            at=10 + at / 99,
            event=event,
            leaf=name,
            caller="pipe_write",
        )
        for at, name in enumerate(leaf)
    )


def about_locks(text):
    return [one.statement.text for one in overview(text).statements if one.statement.question == "locks"]


def test_a_timer_counts_at_the_unlock_what_it_cannot_see():
    (text,) = about_locks(profile("cpu-clock:ppp", _raw_spin_unlock_irqrestore=120, vfs_read=80))
    assert text.startswith(
        "60 % of samples are counted at the unlock of a spin lock, where interrupts come back"
    )
    assert "spin on a lock" not in text
    assert text.endswith("60 % in pipe_write on 4 CPUs")


def test_its_first_steps_tell_waits_from_work():
    steps = overview(profile("cpu-clock:ppp", _raw_spin_unlock_irq=120, vfs_read=80)).first_steps
    assert any("--synth=task -e cycles" in step for step in steps)


def test_work_below_a_soft_interrupt_has_steps_of_interrupts():
    below = profile("cpu-clock:ppp", napi_gro_receive=120, ip_rcv=80).replace("do_syscall_64", "__do_softirq")
    assert any("spread the queues" in step for step in overview(below).first_steps)
    assert not any(
        "spread the queues" in step for step in overview(profile("cycles", ip_rcv=120)).first_steps
    )


def test_waits_and_unlocks_are_two_statements():
    text = profile(
        "cpu-clock:ppp", native_queued_spin_lock_slowpath=100, _raw_spin_unlock_irqrestore=60, f=40
    )
    waits, unlocks = about_locks(text)
    assert waits.startswith("50 % of samples spin on a lock")
    assert unlocks.startswith("30 % of samples are counted at the unlock")


@pytest.mark.parametrize(
    ("event", "is_of_timer"),
    [
        ("cpu-clock:ppp", True),
        ("task-clock", True),
        ("profile:hz:99", True),
        ("", True),
        ("cycles:P", False),
        ("cpu_core/cycles/", False),
        ("instructions", False),
    ],
)
def test_timers_are_told_from_counters(event, is_of_timer):
    assert is_timer(event) is is_of_timer


def test_a_counter_that_interrupts_at_any_time_does_not_hide_work():
    words = spin_words(0.3, "samples", at_unlock=True, event="cycles:P")
    assert "releases a lock" in words
    assert "spin on" not in words
