"""What a report says besides its first line: taint, modules, where a task waits, why RCU stalls."""

from __future__ import annotations

from ingest.model.section import Text
from ingest.readers.logs import kernel_log

HUNG = """[ 1920.100] INFO: task mysqld:1428 blocked for more than 120 seconds.
[ 1920.100]       Tainted: P           OE     5.15.0-91-generic #101-Ubuntu
[ 1920.100] task:mysqld          state:D stack:    0 pid: 1428 ppid:     1 flags:0x00000000
[ 1920.100] Call Trace:
[ 1920.100]  <TASK>
[ 1920.100]  __schedule+0x24e/0x590
[ 1920.100]  schedule+0x69/0x110
[ 1920.100]  jbd2_log_wait_commit+0xe4/0x150
[ 1920.100]  ext4_fsync_journal+0x5d/0x80 [ext4]
[ 1920.100]  </TASK>
"""


def records(text: str):
    return kernel_log.read(Text(text.splitlines())).log_records


def only(text: str):
    (record,) = records(text)
    return record


class TestHungTasks:
    def test_the_place_is_the_first_function_below_the_scheduler(self):
        assert only(HUNG).fields["place"] == "jbd2_log_wait_commit"
        assert "waits_for" not in only(HUNG).fields

    def test_a_lock_is_named_and_its_user_is_the_place(self):
        text = HUNG.replace(
            "jbd2_log_wait_commit+0xe4/0x150",
            "schedule_preempt_disabled+0xe/0x20\n[ 1920.100]  __mutex_lock.constprop.0+0x1/0x2\n"
            "[ 1920.100]  rtnl_lock+0x1/0x2",
        )
        fields = only(text).fields
        assert (fields["place"], fields["waits_for"]) == ("rtnl_lock", "mutex")

    def test_a_page_that_is_read_is_waited_for_by_whoever_needs_it(self):
        text = HUNG.replace(
            "jbd2_log_wait_commit+0xe4/0x150",
            "io_schedule+0x1/0x2\n[ 1920.100]  folio_wait_bit_common+0x1/0x2\n"
            "[ 1920.100]  filemap_fault+0x1/0x2",
        )
        fields = only(text).fields
        assert (fields["place"], fields["waits_for"]) == ("filemap_fault", "page")

    def test_a_task_that_runs_waits_nowhere(self):
        text = HUNG.replace("__schedule+0x24e/0x590", "native_queued_spin_lock_slowpath+0x1/0x2")
        assert "place" not in only(text).fields


class TestTaint:
    def test_the_flags_are_a_field(self):
        assert only(HUNG).fields["taint"] == "POE"

    def test_a_kernel_that_is_not_tainted_has_none(self):
        text = HUNG.replace("Tainted: P           OE    ", "Not tainted")
        assert "taint" not in only(text).fields

    def test_an_out_of_tree_module_in_the_trace_is_named(self):
        text = HUNG.replace("[ext4]", "[zfs]") + "[ 1920.100] Modules linked in: nfsd zfs(POE) ext4 vfat\n"
        assert only(text).fields["out_of_tree"] == "zfs"

    def test_the_flags_behind_a_frame_name_it_too(self):
        assert only(HUNG.replace("[ext4]", "[zfs(PO)]")).fields["out_of_tree"] == "zfs"

    def test_the_message_of_its_loading_names_it_too(self):
        loaded = "[   10.000] zfs: loading out-of-tree module taints kernel.\n"
        taint, hung = records(loaded + HUNG.replace("[ext4]", "[zfs]"))
        assert (taint.kind, hung.fields["out_of_tree"]) == ("module_taint", "zfs")

    def test_a_module_that_is_loaded_but_not_in_the_trace_is_not_named(self):
        text = HUNG + "[ 1920.100] Modules linked in: zfs(POE) ext4\n"
        assert "out_of_tree" not in only(text).fields


class TestRcuStalls:
    def test_no_ticks_since_the_grace_period_began(self):
        text = (
            "[    1.000] rcu: INFO: rcu_sched detected stalls on CPUs/tasks:\n"
            "[    1.000] rcu: \t2-...!: (0 ticks this GP) idle=8c4/0/0x0 softirq=1234/1234 fqs=0\n"
            "[    1.000] \t(detected by 1, t=5252 jiffies, g=1501, q=234)\n"
            "[    1.000] rcu: rcu_sched kthread starved for 5250 jiffies! g1501 f0x0 RCU_GP_WAIT_FQS(5)\n"
        )
        fields = only(text).fields
        assert (fields["cpu"], fields["jiffies"]) == (2, 5252)
        assert "no timer interrupts" in fields["reason"]
        assert "grace-period kthread gets no CPU" in fields["reason"]

    def test_a_cpu_that_stays_in_the_kernel(self):
        text = (
            "[    1.000] rcu: INFO: rcu_preempt self-detected stall on CPU\n"
            "[    1.000] rcu: \t0-....: (5249 ticks this GP) idle=1c2/1/0x40000000 softirq=1/1 fqs=2\n"
        )
        assert only(text).fields["reason"] == "a CPU stays in the kernel"

    def test_preempted_readers(self):
        text = (
            "[    1.000] rcu: INFO: rcu_preempt detected stalls on CPUs/tasks:\n"
            "[    1.000] rcu: \tTasks blocked on level-0 rcu_node (CPUs 0-3): P1234\n"
        )
        assert only(text).fields["reason"] == "readers were preempted"


class TestOneReport:
    def test_a_null_pointer_and_its_oops_are_one_record(self):
        text = (
            "[    1.000] BUG: kernel NULL pointer dereference, address: 0000000000000010\n"
            "[    1.000] #PF: supervisor read access in kernel mode\n"
            "[    1.000] Oops: 0000 [#1] PREEMPT SMP NOPTI\n"
            "[    1.000] CPU: 0 PID: 12 Comm: x Tainted: G      D W          6.1.0-25-amd64 #1\n"
            "[    1.000] ---[ end trace 0000000000000000 ]---\n"
            "[    1.000] Kernel panic - not syncing: Fatal exception\n"
        )
        fault, panic = records(text)
        assert (fault.kind, fault.lines, fault.fields["taint"]) == ("null_pointer", (1, 5), "DW")
        assert (panic.kind, panic.fields["reason"]) == ("panic", "Fatal exception")

    def test_the_words_of_a_warning_give_it_its_class(self):
        text = (
            "[    1.000] ------------[ cut here ]------------\n"
            "[    1.000] NETDEV WATCHDOG: eth0 (r8169): transmit queue 0 timed out\n"
            "[    1.000] WARNING: CPU: 2 PID: 0 at net/sched/sch_generic.c:525 dev_watchdog+0x207/0x210\n"
            "[    1.000] Call Trace:\n"
            "[    1.000]  call_timer_fn+0x24/0x130\n"
            "[    1.000] ---[ end trace 0000000000000000 ]---\n"
        )
        record = only(text)
        assert (record.kind, record.fields["device"], record.fields["driver"]) == (
            "netdev_watchdog",
            "eth0",
            "r8169",
        )

    def test_the_text_of_a_warning_of_no_class_is_its_reason(self):
        text = (
            "[    1.000] ------------[ cut here ]------------\n"
            "[    1.000] rtnl: assertion failed\n"
            "[    1.000] WARNING: CPU: 2 PID: 0 at net/core/dev.c:2241 netif_state_change+0xed/0x130\n"
        )
        assert only(text).fields["reason"] == "rtnl: assertion failed"

    def test_two_warnings_without_traces_are_two_records(self):
        line = "[    1.000] WARNING: CPU: 2 PID: 0 at net/core/dev.c:1 a+0x1/0x2\n"
        assert [record.kind for record in records(line * 2)] == ["warn", "warn"]

    def test_a_list_that_is_damaged_is_one_record_with_its_bug(self):
        text = (
            "[    1.000] list_del corruption. prev->next should be ffff8880, but was dead0000\n"
            "[    1.000] ------------[ cut here ]------------\n"
            "[    1.000] kernel BUG at lib/list_debug.c:56!\n"
            "[    1.000] invalid opcode: 0000 [#1] SMP\n"
        )
        assert [(record.kind, record.lines) for record in records(text)] == [("list_corruption", (1, 4))]

    def test_a_line_of_another_class_stands_beside_a_report(self):
        hung, error = records(
            HUNG + "[ 1920.200] EXT4-fs error (device sda1): ext4_find_entry:1455: inode #2\n"
        )
        assert (hung.kind, error.kind, error.fields["device"]) == ("hung_task", "ext4_error", "sda1")
