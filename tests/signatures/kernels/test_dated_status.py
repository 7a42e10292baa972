"""Days of builds and releases: proof for kernel.org, likelihood for vendors, nothing where made up."""

from __future__ import annotations

import datetime as dt

import pytest

from ingest.evidence import read_bytes
from signatures.judging.applicability import kernel_verdict
from signatures.judging.evaluation_context import EvaluationContext
from signatures.judging.fact_index import facts_of
from signatures.judging.kernel_evidence import live_patched
from signatures.judging.profile_index import Trees
from signatures.judging.scope import scopes_of
from signatures.kernels.fix_records import fix_records
from signatures.kernels.kernel_text import kernel_text
from signatures.kernels.release_dates import built_on, out_by
from signatures.kernels.running_kernel import LIVE_PATCHES, Running, status_on
from tests.signatures.build import fact, item

LIST_LOCK = fix_records()["writeback-switch-list-lock"]
"""Fault of June 2021 in 5.14, fix of September 2025 in 6.18."""
RSS = fix_records()["rss-status-exact"]
"""Fault of October 2022 in 6.2, fix of June 2025 in 6.16, 6.15.7, 6.12.39 and 6.6.99."""
UBUNTU = "#21-Ubuntu SMP PREEMPT_DYNAMIC Tue Nov 5 11:12:13 UTC 2024"


@pytest.mark.parametrize(
    ("text", "day"),
    [
        (UBUNTU, dt.date(2024, 11, 5)),
        ("#1 SMP PREEMPT_DYNAMIC Debian 6.1.106-3 (2024-08-26)", dt.date(2024, 8, 26)),
        ("#1 SMP PREEMPT_DYNAMIC PMX 6.8.12-4 (2024-11-06T15:04Z)", dt.date(2024, 11, 6)),
        ("#1-Alpine SMP PREEMPT_DYNAMIC 2026-03-27 13:26:20", dt.date(2026, 3, 27)),
        ("#1 SMP Tue Feb 31 11:12:13 UTC 2024", None),
        ("(gcc 11.5.0 20240719) #1 SMP", None),
        ("", None),
    ],
)
def test_uname_names_the_day_of_a_build(text, day):
    assert built_on(text) == day


@pytest.mark.parametrize(
    ("release", "build", "status"),
    [
        # 5.15 has no release with the fix on record: the day of the release or of the build is proof.
        ("5.15.150", "", "affected"),
        ("5.15.200", "", "unknown"),
        ("5.15.200", "#1 SMP Mon Mar 24 10:11:12 UTC 2025", "affected"),
        ("5.15.200", "#1 SMP Mon Mar 24 10:11:12 UTC 2026", "unknown"),
        # Days that nobody built on: before 5.15 itself was there.
        ("5.15.200", "#1 SMP Thu Jan 1 00:00:00 UTC 1970", "unknown"),
        ("5.15.200", "#1-NixOS SMP PREEMPT_DYNAMIC Tue Jan 1 00:00:00 UTC 1980", "unknown"),
        # 6.6.145 has it, and its repair.
        ("6.6.120", "", "affected"),
        ("6.6.145", "", "fixed"),
        # A vendor may have it: not before it was written, but in a live patch.
        ("6.8.0-49-generic", UBUNTU, "affected_unless_backported"),
        ("5.15.0-1040-gke", "#45 SMP Tue Nov 5 11:12:13 UTC 2024", "affected_unless_backported"),
        ("6.6.58-talos", "#1 SMP Mon Aug 4 10:11:12 UTC 2025", "affected_unless_backported"),
    ],
)
def test_a_build_before_the_fix_cannot_have_it(release, build, status):
    running = Running(release, build)
    assert status_on(LIST_LOCK, running, running.kernel).status == status


@pytest.mark.parametrize(
    ("is_live_patched", "status"),
    [
        (False, "probably_affected"),
        (None, "affected_unless_backported"),
        (True, "affected_unless_backported"),
    ],
)
def test_of_a_vendor_only_a_live_patch_can_have_a_fix_of_months_later(is_live_patched, status):
    running = Running("6.8.0-49-generic", UBUNTU, is_live_patched=is_live_patched)
    found = status_on(LIST_LOCK, running, running.kernel)
    assert found.status == status
    assert "written 10 months after this build" in found.basis
    assert found.capture == ("" if is_live_patched is False else LIVE_PATCHES)


KPATCH_EMPTY = "$ kpatch list\nLoaded patch modules:\n\nInstalled patch modules:\n"
ENABLED = "/sys/kernel/livepatch/*/enabled"
NO_DIRECTORY = f"$ cat {ENABLED}\ncat: '{ENABLED}': No such file or directory\n"
CANONICAL_EMPTY = """$ canonical-livepatch status
last check: 49 minutes ago
kernel: 4.15.0-112.113-generic
server check-in: succeeded
patch state: \u2713 no livepatches needed for this kernel yet
"""
TAINT = "$ cat /proc/sys/kernel/tainted\n{}\n"


@pytest.mark.parametrize(
    ("pasted", "status"),
    [
        (KPATCH_EMPTY, "probably_affected"),
        (NO_DIRECTORY, "probably_affected"),
        ("$ ls -l /sys/kernel/livepatch\ntotal 0\n", "probably_affected"),
        (CANONICAL_EMPTY, "probably_affected"),
        (TAINT.format(0), "probably_affected"),
        # Cut off: what was loaded may follow.
        ("$ kpatch list\nLoaded patch modules:\n", "affected_unless_backported"),
        ("$ canonical-livepatch status\nlast check: 2 minutes ago\n", "affected_unless_backported"),
        # One list is empty, another one is not; flag K stays when a patch is removed.
        (CANONICAL_EMPTY + "$ ls /sys/kernel/livepatch\nkpatch_6_8\n", "affected_unless_backported"),
        (KPATCH_EMPTY + TAINT.format(1 << 15), "affected_unless_backported"),
    ],
)
def test_an_empty_list_of_live_patches_is_evidence_of_none(pasted, status):
    sections = read_bytes(pasted.encode(), name="paste.txt").sections
    facts = [one for part in sections for one in part.reading.facts]
    facts += [fact("kernel.release", "6.8.0-49-generic"), fact("kernel.build_text", UBUNTU)]
    (scope,) = scopes_of([item("paste.txt", facts=facts)])
    running = EvaluationContext(scope, Trees(), None).running
    assert status_on(LIST_LOCK, running, running.kernel).status == status


@pytest.mark.parametrize(("release", "is_patched"), [("5.14.0-427.el9", False), ("3.10.0-1160.el7", None)])
def test_kpatch_before_livepatch_had_another_directory(release, is_patched):
    empty = facts_of([item("a", facts=[fact("kernel.has_live_patch", False, by="sysfs")])])
    assert live_patched([], empty.texts("kernel.has_live_patch"), release) is is_patched


def test_a_month_is_no_distance_for_a_vendor():
    running = Running("6.6.58-talos", "#1 SMP Mon Aug 18 10:11:12 UTC 2025", is_live_patched=False)
    found = status_on(LIST_LOCK, running, running.kernel)
    assert (found.status, "months" in found.basis) == ("affected_unless_backported", False)


@pytest.mark.parametrize("change", [{"is_vendor_first": True}, {"cve": "CVE-2025-1"}])
def test_days_say_nothing_where_vendors_may_have_been_first(change):
    running = Running("6.8.0-49-generic", UBUNTU, is_live_patched=False)
    found = status_on(LIST_LOCK._replace(**change), running, running.kernel)
    assert (found.status, "months" in found.basis) == ("affected_unless_backported", False)


def test_a_vendors_build_before_the_fault_probably_has_it_not():
    running = Running("4.18.0-305.25.1.el8_4.x86_64", "#1 SMP Mon Nov 1 10:11:12 UTC 2021")
    fault_later = RSS._replace(lines={})
    assert status_on(fault_later, Running(running.release), running.kernel).status == "unknown"
    assert status_on(fault_later, running, running.kernel).status == "probably_not_affected"


def test_a_feature_that_chromeos_had_first_is_not_dated(catalog):
    """MGLRU ran in kernels of Google before mainline: 5.15 of COS may have it."""
    running = Running("5.15.109+", "#1 SMP Fri Jun 9 10:57:30 UTC 2023", os_id="cos")
    found = kernel_verdict(catalog.get("mm/mglru-evict-folios-lru-lock"), running)
    assert found.verdict == "probably_not_affected"
    assert "built" not in found.basis


@pytest.mark.parametrize(
    ("running", "family"),
    [
        (Running("6.1.58+"), "local"),
        (Running("6.1.58+", host="web-3"), "local"),
        (Running("6.1.58+", host="gke-db-pool-77a55075-cssr"), "cos-assumed"),
        (Running("6.1.58+", command_line="BOOT_IMAGE=/syslinux/vmlinuz.A init=/sbin/init"), "cos-assumed"),
        (Running("6.1.58+", command_line="BOOT_IMAGE=/boot/vmlinuz-6.1.58+"), "local"),
        (Running("6.1.58+", os_id="cos"), "cos"),
        (Running("5.15.0-1040-gke", host="gke-db-pool-77a55075-cssr"), "ubuntu"),
    ],
)
def test_a_plus_alone_is_of_no_family(catalog, running, family):
    assert running.kernel.family.name == family
    found = kernel_verdict(catalog.get("writeback/inode-switch-wbs-storm"), running)
    assert ("assumed" in found.basis) == (family == "cos-assumed")


def test_a_node_of_gke_is_recognised_in_a_pasted_line():
    found = kernel_text("Linux gke-db-pool-77a55075-cssr 6.1.58+ #1 SMP Mon Jan 15 11:12:13 UTC 2024 x86_64")
    assert found.says.startswith("Container-Optimized OS, assumed by a host name")


def test_a_release_was_out_on_a_day_that_a_build_of_it_proves():
    assert out_by((6, 6, 30)) == dt.date(2025, 4, 10)
    assert out_by((6, 6, 0)) == dt.date(2023, 10, 29)
    assert out_by((6, 6, 140)) is out_by((6, 6)) is out_by((9, 1, 1)) is None
