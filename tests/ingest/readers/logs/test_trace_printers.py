"""A call trace without the line above it has the class of the function that prints both."""

from __future__ import annotations

import pytest

from ingest.catalogue.log_classes import classes_by_printer
from ingest.evidence import read_bytes

SLEPT = """\
Pid: 0, comm: swapper Not tainted 2.6.32-642.3.1.el6.x86_64 #1
Call Trace:
<IRQ>  [<ffffffff81068244>] ? __schedule_bug+0x44/0x50
[<ffffffff8154799c>] ? schedule+0xa4c/0xb70
[<ffffffff81046f28>] ? pvclock_clocksource_read+0x58/0xd0
[<ffffffff810adc15>] ? sched_clock_local+0x25/0x90
[<ffffffff81073ffa>] ? __cond_resched+0x2a/0x40
[<ffffffff81547d90>] ? _cond_resched+0x30/0x40
[<ffffffff81180438>] ? __kmalloc+0x138/0x230
[<ffffffffa042fbfa>] ? dpi_malloc+0x2a/0x30 [xt_dpi]
"""
CHECKED = """\
[   12.100000] Call Trace:
[   12.100001]  dump_stack+0x5c/0x80
[   12.100002]  {printer}+0xf4/0x100
[   12.100003]  vendor_ioctl+0x1e/0x40 [vendor]
"""


def records(text):
    sections = read_bytes(text.encode(), name="x").sections
    return [one for each in sections for one in each.reading.log_records if one.kind != "other"]


def test_a_trace_of_the_scheduler_is_that_of_code_that_slept():
    (found,) = records(SLEPT)
    assert found.kind == "scheduling_while_atomic"
    assert "dpi_malloc" in str(found.fields["stack"])
    assert "clock" not in str(found.fields["stack"])


@pytest.mark.parametrize("printer", sorted(classes_by_printer()))
def test_each_printer_names_its_class(printer):
    (found,) = records(CHECKED.format(printer=printer))
    assert found.kind == classes_by_printer()[printer].name


def test_a_printer_far_below_is_the_remains_of_an_earlier_call():
    frames = "".join(f"[   12.10000{at}]  step_{at}+0x1/0x2\n" for at in range(3, 8))
    (found,) = records(
        CHECKED.format(printer="step_0") + frames + "[   12.200000]  __might_resched+0x1/0x2\n"
    )
    assert found.kind == "call_trace"


def test_a_file_in_a_report_of_abrt_is_read_without_its_colons():
    quoted = "".join(f":{line}" for line in SLEPT.splitlines(keepends=True))
    assert [one.kind for one in records(quoted)] == ["scheduling_while_atomic"]
    assert [one.lines for one in records(quoted)] == [one.lines for one in records(SLEPT)]


OOPS = """\
[29504.561961] BUG: kernel NULL pointer dereference, address: 00000000000008c0
[29504.561974] Oops: 0000 [#1] PREEMPT SMP NOPTI
[29504.561978] CPU: 5 PID: 27127 Comm: udevd Tainted: G           OE     5.3.1-arch1-1-ARCH #1
[29504.562035] RIP: 0010:vendor_notifier_call+0x31/0x55 [88vendor]
[29504.562041] RSP: 0018:ffffb6e28252f7b0 EFLAGS: 00010202
"""


@pytest.mark.parametrize(
    ("log", "field"),
    [
        (OOPS, "failed_module"),
        (f"{OOPS}[29504.562050] Modules linked in: 88vendor(OE) fuse\n", "out_of_tree"),
        (f"{OOPS}[29504.562050] Modules linked in: 88vendor fuse(O)\n", ""),
        (OOPS.replace("Tainted: G           OE  ", "Not tainted"), ""),
    ],
)
def test_the_module_of_the_function_that_failed_is_named(log, field):
    (found,) = records(log)
    named = {name: value for name, value in found.fields.items() if name in {"failed_module", "out_of_tree"}}
    assert named == ({field: "88vendor"} if field else {})
