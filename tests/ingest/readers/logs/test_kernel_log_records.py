"""What kinds of records a kernel log holds, and what is in each."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from ingest.model.section import Text
from ingest.readers.logs import kernel_log
from tests.ingest.samples import leaf_first

if TYPE_CHECKING:
    from ingest.model.reading import LogRecord, Reading

DATA = Path(__file__).parents[3] / "data" / "kernel-log"
PRINTED_WAYS = ["dmesg-oom.txt", "dmesg-T.oom.txt", "dmesg-iso.oom.txt", "dmesg-r.oom.txt", "dmesg-x.oom.txt"]


def reading_of(name: str) -> Reading:
    return kernel_log.read(Text((DATA / name).read_text().splitlines()))


def read(text: str) -> Reading:
    return kernel_log.read(Text(text.splitlines()))


def only(text: str) -> LogRecord:
    (record,) = read(text).log_records
    return record


class TestOutOfMemory:
    @pytest.mark.parametrize("name", PRINTED_WAYS)
    def test_however_printed_a_report_is_one_record_with_all_its_lines(self, name):
        records = reading_of(name).log_records
        assert [(record.kind, record.lines) for record in records] == [
            ("oom_kill", (1, 89)),
            ("oom_kill", (90, 170)),
        ]

    def test_its_counter_at_the_limit_and_the_kill_decide_it(self):
        record = reading_of("dmesg-oom.txt").log_records[0]
        assert record.fields["reached"] == "memory: usage 204800kB, limit 204800kB, failcnt 101"
        assert record.deciding == ((38, 38), (89, 89))

    @pytest.mark.parametrize(
        ("counters", "reached"),
        [
            (("memory: usage 4000kB, limit 4096kB", "memory+swap: usage 8192kB, limit 8192kB"), 1),
            (("memory: usage 8192kB, limit 8192kB", "memory+swap: usage 8192kB, limit 8192kB"), 0),
            (("memory: usage 102400kB, limit 102400kB", "swap: usage 4096kB, limit 4096kB"), 0),
            (("kmem: usage 600kB, limit 9007199254740988kB", "swap: usage 0kB, limit 0kB"), None),
        ],
    )
    def test_the_counter_that_failed_the_charge_is_told_from_the_others(self, counters, reached):
        kill = "Memory cgroup out of memory: Killed process 5 (a) total-vm:9kB, anon-rss:8kB, file-rss:1kB"
        record = only("\n".join((*(f"{one}, failcnt 3" for one in counters), kill)))
        expected = None if reached is None else f"{counters[reached]}, failcnt 3"
        assert (record.fields.get("reached"), record.message) == (expected, kill)

    @pytest.mark.parametrize("name", PRINTED_WAYS)
    def test_it_reports_the_killed_process_the_cgroup_and_the_reason(self, name):
        fields = reading_of(name).log_records[0].fields
        assert (fields["comm"], fields["pid"]) == ("memcg_reclaim_s", 6253)
        assert (fields["cgroup"], fields["oom_memcg"]) == ("/lakehouse-oom/session-17", "/lakehouse-oom")
        assert (fields["constraint"], fields["scope"]) == ("CONSTRAINT_MEMCG", "memcg")
        assert (fields["memory_usage_kb"], fields["memory_limit_kb"], fields["memory_failcnt"]) == (
            204800,
            204800,
            101,
        )
        assert (fields["invoked_by"], fields["anon_rss_kb"]) == ("query-heap-03", 203776)

    def test_a_report_without_its_head_still_has_the_kill(self):
        (record,) = reading_of("dmesg-json-cut.txt").log_records
        assert (record.kind, record.fields["pid"], record.fields["cgroup"]) == (
            "oom_kill",
            6262,
            "/lakehouse-oom/session-17",
        )

    def test_a_report_without_a_kill_was_only_invoked_and_is_cut_off(self):
        lines = (DATA / "dmesg-oom.txt").read_text().splitlines()[:60]
        reading = kernel_log.read(Text(lines))
        assert [record.kind for record in reading.log_records] == ["oom_invoked"]
        assert "cut_off" in reading.quality_names

    def test_the_task_table_is_rows_in_pages(self):
        rows = next(one for one in reading_of("dmesg-oom.txt").row_sets if one.name == "oom_task_table")
        row = dict(zip(rows.columns, rows.rows[0], strict=True))
        assert (rows.name, len(rows.rows), row["rss_pages"], row["name"]) == (
            "oom_task_table",
            4,
            51323,
            "memcg_reclaim_s",
        )

    def test_the_older_pair_of_kill_lines_is_one_record(self):
        record = only(
            "Memory cgroup out of memory: Kill process 1012 (heap ster) score 1035 or sacrifice child\n"
            "Killed process 1012 (heap ster) total-vm:327128kB, anon-rss:306328kB, file-rss:11132kB"
        )
        assert (record.kind, record.fields["comm"], record.fields["scope"]) == (
            "oom_kill",
            "heap ster",
            "memcg",
        )

    def test_each_process_of_a_killed_group_is_a_record(self):
        line = "Memory cgroup out of memory: Killed process {} (x) total-vm:1kB, anon-rss:1kB, file-rss:0kB"
        assert len(read(f"{line.format(1)}\n{line.format(2)}").log_records) == 2


class TestKinds:
    def test_a_hogged_workqueue_without_any_prefix(self):
        (record,) = reading_of("workqueue-hogged.txt").log_records
        assert record.kind == "workqueue_hogged"
        assert record.fields == {"function": "inode_switch_wbs_work_fn", "threshold_us": 10000, "count": 4}

    @pytest.mark.parametrize(
        ("message", "kind", "fields"),
        [
            (
                "watchdog: BUG: soft lockup - CPU#3 stuck for 22s! [kworker/3:1:1234]",
                "soft_lockup",
                {"cpu": 3, "seconds": 22, "comm": "kworker/3:1", "pid": 1234},
            ),
            ("BUG: soft lockup - CPU#3 stuck for 22s!", "soft_lockup", {"cpu": 3, "seconds": 22}),
            ("NMI watchdog: Watchdog detected hard LOCKUP on cpu 7", "hard_lockup", {"cpu": 7}),
            (
                "INFO: task df:1177107 blocked for more than 120 seconds.",
                "hung_task",
                {"comm": "df", "pid": 1177107, "seconds": 120},
            ),
            (
                "rcu: INFO: rcu_sched self-detected stall on CPU",
                "rcu_stall",
                {"flavour": "rcu_sched", "is_self": "yes"},
            ),
            (
                "x: page allocation failure: order:2, mode:0xcc0(GFP_KERNEL)",
                "page_allocation_failure",
                {"comm": "x", "order": 2, "gfp_mask": "0xcc0(GFP_KERNEL)"},
            ),
            (
                "BUG: workqueue lockup - pool cpus=2 node=0 flags=0x0 nice=0 stuck for 44s!",
                "workqueue_lockup",
                {"pool": "cpus=2 node=0 flags=0x0 nice=0", "seconds": 44},
            ),
            ("TCP: out of memory -- consider tuning tcp_mem", "tcp_memory", {}),
            (
                "TCP: request_sock_TCP: Possible SYN flooding on port 80. Sending cookies. ",
                "syn_flood",
                {"port_text": "80"},
            ),
            (
                "nfs: server nas1 not responding, still trying",
                "nfs_not_responding",
                {"server": "nas1", "state": "not responding"},
            ),
            (
                "EXT4-fs error (device sda1): ext4_lookup:1",
                "ext4_error",
                {"device": "sda1", "function": "ext4_lookup"},
            ),
            (
                "clocksource: timekeeping watchdog on CPU0: Marking clocksource 'tsc' as unstable",
                "clocksource",
                {},
            ),
            ("mce: [Hardware Error]: Machine check events logged", "mce_logged", {}),
            ("mce: CPU3: Core temperature above threshold, cpu clock throttled", "thermal", {"cpu": 3.0}),
            ("EDAC MC: Ver: 3.0.0", "other", {}),
            ("EXT4-fs (sda1): mounted filesystem with ordered data mode", "other", {}),
        ],
    )
    def test_a_message_has_its_kind(self, message, kind, fields):
        record = only(f"[   12.345678] {message}")
        assert (record.kind, dict(record.fields)) == (kind, fields)


class TestReports:
    HUNG = """[ 1920.259590] INFO: task controller:1428 blocked for more than 120 seconds.
[ 1920.260681]       Not tainted 4.4.0-142-generic #168-Ubuntu
[ 1920.261199] "echo 0 > /proc/sys/kernel/hung_task_timeout_secs" disables this message.
[ 1920.261737] controller      D ffff8800b8593af8     0  1428   1333 0x10000000
[ 1920.261746] Call Trace:
[ 1920.261752]  [<ffffffff8185cb45>] schedule+0x35/0x80
[ 1920.261757]  [<ffffffff8125f795>] ? fsnotify+0x5/0x4b0
[ 1920.261760] docker0: port 1(veth0) entered blocking state
[ 1920.261764]  [<ffffffff81358a71>] security_file_open+0x91/0xa0 [apparmor]
"""

    def test_an_interleaved_line_is_a_record_of_its_own(self):
        records = read(self.HUNG).log_records
        assert [(record.kind, record.lines) for record in records] == [
            ("hung_task", (1, 9)),
            ("other", (8, 8)),
        ]

    def test_doubtful_frames_are_omitted_and_counted(self):
        reading = read(
            self.HUNG.replace("[ 1920.261760] docker0: port 1(veth0) entered blocking state\n", "")
        )
        (profile,) = reading.profiles
        assert leaf_first(profile, 0) == ["schedule", "security_file_open"]
        assert [(row.reason, row.count) for row in reading.skipped] == [("doubtful frame behind `?`", 1)]
        assert (profile.what, profile.threads[0].comm) == ("bare", "controller")
        assert [frame.kind for frame in profile.frames] == ["module", "kernel"]

    def test_the_blocker_is_reported(self):
        record = only(
            "[ 10.000001] INFO: task a:1 blocked for more than 120 seconds.\n"
            "[ 10.000002] INFO: task a:1 is blocked on a mutex likely owned by task b c:77."
        )
        assert (record.fields["blocker"], record.fields["blocker_pid"]) == ("b c", 77)

    def test_the_interrupted_function_is_the_leaf_of_a_lockup(self):
        text = (
            "[ 10.000001] watchdog: BUG: soft lockup - CPU#3 stuck for 22s! [x:12]\n"
            "[ 10.000002] CPU: 3 PID: 12 Comm: x Tainted: G        W         6.1.0-25-amd64 #1\n"
            "[ 10.000003] RIP: 0010:smp_call_function_many_cond+0x144/0x2d0\n"
            "[ 10.000004] Code: 00 01\n"
            "[ 10.000005] Call Trace:\n"
            "[ 10.000006]  <TASK>\n"
            "[ 10.000007]  on_each_cpu_cond_mask+0x20/0x30\n"
            "[ 10.000008]  </TASK>\n"
        )
        reading = read(text)
        assert leaf_first(reading.profiles[0], 0) == ["smp_call_function_many_cond", "on_each_cpu_cond_mask"]
        assert [record.lines for record in reading.log_records] == [(1, 8)]
        assert reading.facts[0].value == "6.1.0-25-amd64"

    def test_the_workers_of_a_lockup_are_reported(self):
        record = only(
            "[ 10.000001] BUG: workqueue lockup - pool cpus=2 node=0 flags=0x0 nice=0 stuck for 44s!\n"
            "[ 10.000002] Showing busy workqueues and worker pools:\n"
            "[ 10.000003] workqueue events: flags=0x0\n"
            "[ 10.000004]     in-flight: 123:inode_switch_wbs_work_fn\n"
            "[ 10.000005]     pending: 11*vmstat_shepherd\n"
        )
        assert record.fields["in_flight"] == "123:inode_switch_wbs_work_fn"
        assert record.fields["pending"] == "11*vmstat_shepherd"

    def test_a_warning_is_one_record_from_its_scissors_on(self):
        text = (
            "[ 10.000001] ------------[ cut here ]------------\n"
            "[ 10.000002] WARNING: CPU: 1 PID: 981 at lib/ref_tracker.c:38 ref_tracker_dir_exit+0x1/0x2\n"
            "[ 10.000003] Modules linked in:\n"
            "[ 10.000004] ---[ end trace 0000000000000000 ]---\n"
            "[ 10.000005] eth0: link becomes ready\n"
        )
        assert [(record.kind, record.lines) for record in read(text).log_records] == [
            ("warn", (1, 4)),
            ("link_up", (5, 5)),
        ]

    def test_behind_an_empty_line_is_no_rest_of_a_message(self):
        text = "[ 10.000001] Kernel panic - not syncing: Attempted to kill init! exitcode=0x0b\n\nSo far\n"
        assert [record.message[-4:] for record in read(text).log_records] == ["0x0b"]

    def test_a_leak_of_wrapped_and_inlined_frames_has_its_stack(self):
        text = (
            "BUG: memory leak\nunreferenced object 0xffff88810fd9a500 (size 256):\n"
            '  comm "mount", pid 6845, jiffies 4294941255 (age 13.550s)\n  backtrace:\n'
            "    [<00000000462ab467>] kmemleak_alloc_recursive\ninclude/linux/kmemleak.h:43 [inline]\n"
            "    [<00000000b1a62211>] kzalloc include/linux/slab.h:686 [inline]\n"
            "    [<00000000b1a62211>] init_context+0x25/0x90\nfs/sample/ops.c:1543\n"
            "    [<0000000077df5577>] alloc_fs_context+0x174/0x200 fs/fs_context.c:293\n"
        )
        (record,) = read(text).log_records
        assert record.fields["stack"] == "init_context ← alloc_fs_context"

    def test_the_variable_of_a_bad_access_is_no_frame(self):
        text = (
            "BUG: KASAN: global-out-of-bounds in test_ctl+0x769f/0x7840 [nd_test]\n"
            "The buggy address belongs to the variable:\nhandle+0x1c/0x1df4 [nd_test]\n"
        )
        (record,) = read(text).log_records
        assert record.fields["stack"] == "test_ctl"

    def test_frames_of_powerpc_chain_from_the_instruction_pointer(self):
        address = "[c0000000009063c8]"
        text = (
            "Kernel attempted to read user page (330) - exploit attempt? (uid: 0)\n"
            "BUG: Kernel NULL pointer dereference on read at 0x00000330\n"
            f"NIP {address} map_cleanup+0x24/0x40\nLR {address} unmap+0x1b4/0x4b0\nCall Trace:\n"
            f"{address} {address} map_kill+0x28/0x40 (unreliable)\n{address} {address} unmap+0x1b4/0x4b0\n"
            f"{address} {address} device_release+0x2c/0x40 [nd]\n"
        )
        (record,) = read(text).log_records
        assert record.kind == "null_pointer"
        assert record.fields["stack"] == "map_cleanup ← unmap ← device_release"

    @pytest.mark.parametrize(
        "wrapped",
        [
            "WARNING: block/map.c:309 at\nmap_sg+0x220/0x280, CPU#3: app/9",
            "WARNING: CPU: 3 at block/map.c:309\nmap_sg+0x2/0x3",
        ],
    )
    def test_a_warning_that_a_mailer_wrapped_keeps_its_function(self, wrapped):
        text = f"[ 10.1] ------------[ cut here ]------------\n[ 10.2] {wrapped}\n[ 10.3] Call Trace:\n"
        text = text.replace("[ 10.", "[ 10.00000")
        (record,) = read(text).log_records
        assert "map_sg+0x2" in record.message

    def test_arm_frames_chain_callee_to_caller(self):
        text = (
            "Call trace:\n unwind_backtrace from show_stack+0x10/0x14\n show_stack from dump_stack+0x88/0x9c"
        )
        assert leaf_first(read(text).profiles[0], 0) == ["unwind_backtrace", "show_stack", "dump_stack"]

    def test_the_stack_of_an_oom_names_who_ran(self):
        (profile,) = reading_of("dmesg-oom.txt").profiles
        assert [(thread.comm, thread.pid) for thread in profile.threads] == [
            ("query-heap-03", 6258),
            ("python3", 6262),
        ]
        assert leaf_first(profile, 0)[-1] == "asm_exc_page_fault"
        assert not profile.has_weights


class TestGuest:
    """What a kernel prints that was made to hang; see the PROVENANCE of the samples."""

    def test_owner_and_waiter_of_a_mutex_are_hung_tasks(self):
        reading = reading_of("hung-task.guest.txt")
        hung = [record.fields for record in reading.log_records if record.kind == "hung_task"]
        assert {fields["comm"] for fields in hung} == {"journal_writer", "page_flusher"}
        (profile,) = reading.profiles
        assert leaf_first(profile, 0)[:4] == ["__schedule", "schedule", "schedule_timeout", "msleep"]
        assert "__mutex_lock.constprop.0" in leaf_first(profile, 1) or "__mutex_lock" in leaf_first(
            profile, 1
        )

    def test_a_cpu_that_spins_is_a_soft_lockup_then_an_rcu_stall(self):
        records = reading_of("soft-lockup-rcu-stall.guest.txt").log_records
        lockup = next(record for record in records if record.kind == "soft_lockup")
        stall = next(record for record in records if record.kind == "rcu_stall")
        assert lockup.fields["comm"] == "list_walker"
        assert lockup.uptime < stall.uptime
