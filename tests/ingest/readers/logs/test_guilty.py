"""The function that a failure is named after."""

from __future__ import annotations

import pytest

from ingest.model.section import Text
from ingest.readers.logs import kernel_log


def guilty(text):
    records = kernel_log.read(Text(text.splitlines())).log_records
    return [record.fields["guilty"] for record in records if "guilty" in record.fields]


def trace(*functions):
    return "".join(f"[    1.000002]  {name}+0x1/0x2\n" for name in functions)


CALLS = "[    1.000001] Call Trace:\n"


@pytest.mark.parametrize(
    ("head", "functions", "expected"),
    [
        (
            "BUG: soft lockup - CPU#1 stuck for 23s! [a:1]",
            "spin ring_ioctl vfs_ioctl do_syscall_64",
            "ring_ioctl",
        ),
        (
            "rcu: INFO: rcu_preempt self-detected stall on CPU",
            "rcu_sched_clock_irq asm_sysvec_apic_timer_interrupt spin ring_work process_one_work",
            "ring_work",
        ),
        (
            "INFO: task a:1 blocked for more than 143 seconds.",
            "__schedule schedule wait_rcu_gp synchronize_net ring_close",
            "synchronize_rcu",
        ),
        (
            "INFO: task a:1 blocked for more than 143 seconds.",
            "__schedule schedule rwsem_down_read_slowpath down_read ring_open",
            "ring_open",
        ),
        ("kernel BUG at net/core/skbuff.c:100!", "skb_panic skb_put ring_send", "ring_send"),
        (
            "WARNING: CPU: 0 PID: 1 at lib/debugobjects.c:505 debug_print_object+0x1/0x2",
            "__warn debug_print_object debug_check_no_obj_freed kfree ring_free",
            "ring_free",
        ),
        (
            "BUG: spinlock bad magic on CPU#0, a/1",
            "dump_stack spin_bug do_raw_spin_lock ring_init",
            "ring_init",
        ),
    ],
    ids=["soft lockup", "rcu stall", "grace period", "hung", "bug", "object", "spinlock"],
)
def test_each_class_leaves_out_what_all_its_reports_have(head, functions, expected):
    assert guilty(f"[    1.000000] {head}\n{CALLS}{trace(*functions.split())}") == [expected]


def test_an_inlined_function_is_no_name_of_a_report():
    text = (
        "[    1.000000] BUG: KASAN: slab-use-after-free in ring_get drivers/ring.c:7 [inline]\n"
        "[    1.000001] BUG: KASAN: slab-use-after-free in ring_put+0x1/0x2 drivers/ring.c:9\n"
        f"{CALLS}[    1.000002]  ring_get drivers/ring.c:7 [inline]\n{trace('ring_put', 'ring_close')}"
    )
    assert guilty(text) == ["ring_put"]


def test_what_a_warning_is_about_may_follow_it():
    text = (
        "[    1.000000] WARNING: CPU: 1 PID: 46 at lib/refcount.c:28 refcount_warn_saturate+0x13c/0x174\n"
        "[    1.000000] refcount_t: underflow; use-after-free.\n"
        f"{CALLS}{trace('refcount_warn_saturate', 'kobject_put', 'ring_disconnect')}"
    )
    [record] = kernel_log.read(Text(text.splitlines())).log_records
    assert (record.kind, record.fields["guilty"]) == ("refcount_bug", "ring_disconnect")
