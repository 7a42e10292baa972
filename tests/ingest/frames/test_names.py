"""Function names: normalisation, kernel or user, idle and spinning."""

from __future__ import annotations

import pytest

from ingest.frames.idle import is_idle_leaf, is_spin
from ingest.frames.kernel_entries import is_kernel_entry, kinds
from ingest.frames.normalise import normalise
from ingest.native.frame_kind import classify


@pytest.mark.parametrize(
    ("printed", "compared"),
    [
        ("shrink_lruvec+0x13a", "shrink_lruvec"),
        ("shrink_lruvec+0x13a/0x560", "shrink_lruvec"),
        ("set_tlb_ubc_flush_pending.isra.0", "set_tlb_ubc_flush_pending"),
        ("do_fault.constprop.0.cold", "do_fault"),
        ("tcp_sendmsg_[k]", "tcp_sendmsg"),
        ("__x64_sys_read", "sys_read"),
        ("__do_sys_mincore", "sys_mincore"),
        ("SyS_read", "sys_read"),
        ("[unknown]", "[unknown]"),
        ("operator<<", "operator<<"),
        ("", ""),
    ],
)
def test_one_function_has_one_spelling(printed, compared):
    assert normalise(printed) == compared
    assert normalise(normalise(printed)) == compared


@pytest.mark.parametrize(
    ("name", "module", "address", "kind"),
    [
        ("shrink_lruvec", "[kernel.kallsyms]", 0xFFFFFFFF8158E45A, "kernel"),
        ("ext4_readpage", "[ext4]", 0xFFFFFFFFC0123456, "module"),
        ("start_thread", "/usr/lib/libc.so.6", 0x891F5, "user"),
        ("Interpreter", "/run/perf-123.map", 0x7F0000001000, "jit"),
        ("[unknown]", "[unknown]", 0xFFFFFFFF81000000, "kernel"),
        ("[unknown]", "", None, "unknown"),
    ],
)
def test_kind_follows_from_module_and_address(name, module, address, kind):
    assert classify(name, module, address) == kind


def test_below_a_kernel_entry_all_is_kernel_but_a_comm_is_no_entry():
    assert is_kernel_entry("entry_SYSCALL_64_after_hwframe")
    stack = ["main", "read", "entry_SYSCALL_64_after_hwframe", "vfs_read"]
    assert kinds(stack) == ("unknown", "unknown", "kernel", "kernel")
    assert kinds(["kthread", "main"], has_comm=True) == ("unknown", "unknown")


def test_idle_and_spinning_are_different_things():
    for name in ("pv_native_safe_halt", "intel_idle", "acpi_idle_do_entry"):
        assert is_idle_leaf(name)
        assert not is_spin(name)
    assert is_spin("native_queued_spin_lock_slowpath")
    for name in ("shrink_lruvec", "spinner", "main", "[unknown]"):
        assert not is_idle_leaf(name)
        assert not is_spin(name)
