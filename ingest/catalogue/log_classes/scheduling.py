"""Messages of tasks, CPUs and workers that do not go on."""

from __future__ import annotations

from ingest.catalogue.log_classes.causes import (
    BLOCK,
    CRASHES,
    DISKS,
    FILESYSTEMS,
    LINKS,
    MACHINE_CHECKS,
    MEMORY,
    REMOTE_FILESYSTEMS,
    STUCK,
)
from ingest.catalogue.log_classes.model import LogClass

_IO = (*DISKS, *BLOCK, *FILESYSTEMS, *REMOTE_FILESYSTEMS)

CLASSES = (
    LogClass(
        name="workqueue_hogged",
        subsystem="workqueue",
        severity="warning",
        pattern=r"^workqueue: (?P<function>\S+)(?: \[\S+\])? hogged CPU for >(?P<threshold_us>\d+)us "
        r"(?P<count>\d+) times",
        meaning="a work item keeps a CPU for more than 10 ms",
        source="kernel/workqueue.c wq_cpu_intensive_report",
        sample="workqueue: inode_switch_wbs_work_fn hogged CPU for >10000us 4 times, consider switching to "
        "WQ_UNBOUND",
    ),
    LogClass(
        name="workqueue_lockup",
        subsystem="workqueue",
        severity="error",
        pattern=r"^BUG: workqueue lockup - pool(?: (?P<pool>.*?))? stuck for (?P<seconds>\d+)s!",
        meaning="workqueue lockup: a worker pool makes no progress; the report names what runs "
        "and what waits",
        source="kernel/workqueue.c wq_watchdog_timer_fn",
        sample="BUG: workqueue lockup - pool cpus=2 node=0 flags=0x0 nice=0 stuck for 44s!",
        follows=(*STUCK, *_IO, *MEMORY, *CRASHES),
        is_report=True,
    ),
    LogClass(
        name="soft_lockup",
        subsystem="lockup",
        severity="error",
        pattern=r"^(?:(?:NMI )?watchdog: )?(?:BUG|WARN): soft lockup - CPU#(?P<cpu>\d+) stuck for "
        r"(?P<seconds>\d+)s!(?: \[(?P<comm>.+):(?P<pid>\d{1,10})\])?",
        meaning="soft lockup: a CPU ran kernel code for over 20 s without scheduling",
        source="kernel/watchdog.c watchdog_timer_fn",
        sample="watchdog: BUG: soft lockup - CPU#3 stuck for 22s! [kworker/3:1:1234]",
        follows=(*STUCK, *_IO, *MEMORY, *CRASHES),
        is_report=True,
    ),
    LogClass(
        name="hard_lockup",
        subsystem="lockup",
        severity="critical",
        pattern=r"^(?:(?:NMI )?watchdog: )?(?:CPU\d+: )?(?:BUG: )?(?:NMI watchdog: )?Watchdog detected hard "
        r"LOCKUP on cpu (?P<cpu>\d+)",
        meaning="hard lockup: a CPU handled no interrupts for over 10 s",
        source="kernel/watchdog.c watchdog_hardlockup_check",
        sample="NMI watchdog: Watchdog detected hard LOCKUP on cpu 7",
        follows=(*STUCK, *CRASHES, *MACHINE_CHECKS),
        is_report=True,
    ),
    LogClass(
        name="hung_task",
        subsystem="lockup",
        severity="error",
        pattern=r"^(?:INFO: )?task (?P<comm>.+):(?P<pid>\d{1,10}) (?:blocked(?: in I/O wait)?|can't die) for "
        r"more than (?P<seconds>\d+) seconds",
        meaning="hung task: in uninterruptible sleep (D state) for over two minutes; the report "
        "says where, and who holds the lock",
        source="kernel/hung_task.c check_hung_task",
        sample="INFO: task df:1177107 blocked for more than 120 seconds.",
        follows=(*STUCK, *_IO, *MEMORY, *CRASHES, *LINKS, "unregister_netdevice"),
        is_report=True,
    ),
    LogClass(
        name="lock_owner",
        subsystem="lockup",
        severity="error",
        pattern=r"^INFO: task (?P<comm>.+):(?P<pid>\d{1,10}) (?:is |<(?:reader|"
        r"writer)> )?blocked on (?P<lock>an? [\w-]+)(?: likely (?:owned|"
        r"last held) by task (?P<blocker>.+):(?P<blocker_pid>\d+))?",
        meaning="owner of the lock that a hung task waits for; its report is not in the log",
        source="kernel/hung_task.c debug_show_blocker, 6.16",
        sample="INFO: task cat:28631 <reader> blocked on an rw-semaphore likely owned by task ps:9 <writer>",
        follows=("hung_task",),
    ),
    LogClass(
        name="rcu_stall",
        subsystem="rcu",
        severity="error",
        pattern=r"^(?:rcu: )?(?:INFO: )?(?P<flavour>rcu\w*|srcu\w*)(?: (?:self-detected stall on CPU|"
        r"detected (?:expedited )?stalls? on (?:CPUs/tasks|tasks|CPUs):|kthread (?:starved for|"
        r"timer wakeup didn't happen for) \d+ jiffies)|: (?:wait_for_|.*grace period .* stall))",
        meaning="RCU stall: a grace period does not end; the report names the CPU or task, and why",
        source="kernel/rcu/tree_stall.h print_cpu_stall, print_other_cpu_stall; tasks.h",
        sample="rcu: INFO: rcu_sched self-detected stall on CPU",
        follows=(*STUCK, *CRASHES, "irq_nobody_cared"),
        is_report=True,
    ),
    LogClass(
        name="rt_throttling",
        subsystem="scheduler",
        severity="warning",
        pattern=r"^sched: RT throttling activated",
        meaning="RT throttling: real-time tasks used their CPU for 0.95 s of a second",
        source="kernel/sched/rt.c sched_rt_runtime_exceeded",
        sample="sched: RT throttling activated",
    ),
    LogClass(
        name="deadline_lag",
        subsystem="scheduler",
        severity="warning",
        pattern=r"^sched: (?:DL|sched_dl) replenish lagged too much",
        meaning="a SCHED_DEADLINE task did not get its CPU in time",
        source="kernel/sched/deadline.c replenish_dl_entity",
        sample="sched: DL replenish lagged too much",
        follows=STUCK,
    ),
    LogClass(
        name="hrtimer_stall",
        subsystem="scheduler",
        severity="warning",
        pattern=r"^hrtimer: interrupt took (?P<duration_ns>\d{8,}) ns",
        meaning="a CPU stood in its timer interrupt for 10 ms or more: a hypervisor that gives no CPU, "
        "firmware, or a timer that works long",
        source="kernel/time/hrtimer.c hrtimer_interrupt, printed once",
        sample="hrtimer: interrupt took 12345678 ns",
    ),
    LogClass(
        name="hrtimer_slow",
        subsystem="scheduler",
        severity="notice",
        pattern=r"^hrtimer: interrupt took (?P<duration_ns>\d+) ns",
        meaning="the timer interrupt took long: a slow machine, or a hypervisor that gives no CPU",
        source="kernel/time/hrtimer.c hrtimer_interrupt",
        sample="hrtimer: interrupt took 2863540 ns",
    ),
    LogClass(
        name="softirq_pending",
        subsystem="scheduler",
        severity="warning",
        pattern=r"^NOHZ(?: tick-stop error)?: (?:[Nn]on-RCU )?local[_ ]softirq(?:_pending|"
        r" work is pending,?)",
        meaning="a CPU goes idle with softirqs pending",
        source="kernel/time/tick-sched.c report_idle_softirq",
        sample="NOHZ tick-stop error: local softirq work is pending, handler #08!!!",
    ),
    LogClass(
        name="topology_broken",
        subsystem="scheduler",
        severity="warning",
        pattern=r"^BUG: arch topology borken|^ *the \S+ domain not a subset of the",
        meaning="the firmware reports a wrong CPU topology; the scheduler balances load imperfectly",
        source="kernel/sched/topology.c topology_span_sane, build_sched_domain",
        sample="BUG: arch topology borken",
    ),
    LogClass(
        name="perf_throttled",
        subsystem="scheduler",
        severity="notice",
        pattern=r"^perf: interrupt took too long \((?P<duration_ns>\d+) > \d+\), lowering",
        meaning="perf lowers its sampling rate: its interrupts take too long",
        source="kernel/events/core.c perf_sample_event_took",
        sample="perf: interrupt took too long (2505 > 2500), lowering kernel.perf_event_max_sample_rate to "
        "79000",
    ),
    LogClass(
        name="sysrq",
        subsystem="log",
        severity="notice",
        pattern=r"^sysrq: (?:SysRq : )?(?P<action>\w.*)|^SysRq : (?P<action_2>\w.*)",
        meaning="sysrq: a dump or an action was requested",
        source="drivers/tty/sysrq.c __handle_sysrq",
        sample="sysrq: Show Blocked State",
    ),
    LogClass(
        name="task_stack",
        subsystem="scheduler",
        severity="notice",
        pattern=r"^task:(?P<comm>.+?)\s+state:(?P<state>\S)(?:\s+running task)?\s+stack:\s*\d+\s+"
        r"pid:\s*(?P<pid>\d{1,10})|^(?P<comm_2>\S.{0,15}?)\s+(?P<state_2>[RSDTtXZIPKWx])"
        r"(?:\s+running task)?\s+(?:[0-9a-f]{8,16}\s+)?\d+\s+(?P<pid_2>\d{1,10})\s+\d+\s+"
        r"(?:0x0|0x8)[0-9a-f]{7,15}\s*$",
        meaning="state and stack of a task, printed on request or in a report",
        source="kernel/sched/core.c sched_show_task",
        sample="task:mkdir           state:D stack:0     pid:15002 tgid:15002 ppid:14817  flags:0x00080001",
        is_report=True,
    ),
)
