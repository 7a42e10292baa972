"""Messages of tasks, CPUs, workers and locks that do not go on."""

from __future__ import annotations

from ingest.catalogue.log_classes.causes import (
    BLOCK,
    CRASHES,
    DISKS,
    FILESYSTEMS,
    LINKS,
    MACHINE_CHECKS,
    MEMORY,
    MEMORY_CORRUPTION,
    REMOTE_FILESYSTEMS,
    STUCK,
)
from ingest.catalogue.log_classes.model import LogClass

_IO = (*DISKS, *BLOCK, *FILESYSTEMS, *REMOTE_FILESYSTEMS)

STALLS = (
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

LOCKING = (
    LogClass(
        name="scheduling_while_atomic",
        subsystem="locking",
        severity="critical",
        pattern=r"^BUG: scheduling while atomic: (?P<comm>.+)/(?P<pid>\d+)/",
        meaning="scheduling while atomic: the kernel slept with a spinlock held or interrupts off",
        source="kernel/sched/core.c __schedule_bug",
        sample="BUG: scheduling while atomic: swapper/3/0/0x00000002",
        is_report=True,
    ),
    LogClass(
        name="sleeping_while_atomic",
        subsystem="locking",
        severity="error",
        pattern=r"^BUG: (?:sleeping function called from invalid context at (?P<where>\S+)|"
        r"workqueue leaked (?:lock|atomic)|assuming (?:non-)?(?:atomic|migratable))",
        meaning="sleeping function called from invalid context: code that may sleep runs in atomic context",
        source="kernel/sched/core.c __might_resched, kernel/workqueue.c",
        sample="BUG: sleeping function called from invalid context at kernel/locking/mutex.c:580",
        is_report=True,
    ),
    LogClass(
        name="percpu_in_preemptible",
        subsystem="locking",
        severity="error",
        pattern=r"^BUG: using (?:smp_processor_id|__this_cpu_\w+)\(\) in preemptible",
        meaning="per-CPU data used in preemptible code: it may be that of another CPU",
        source="lib/smp_processor_id.c check_preemption_disabled",
        sample="BUG: using __this_cpu_read() in preemptible [00000000] code: modprobe/812",
        is_report=True,
    ),
    LogClass(
        name="lockdep_deadlock",
        subsystem="locking",
        severity="error",
        pattern=r"^(?:\[ |WARNING: |INFO: )(?:INFO: |BUG: )?(?P<what>possible (?:circular locking|"
        r"recursive locking|irq lock inversion|deadlock)|inconsistent lock state|inconsistent \{|"
        r"[A-Z]+-safe -> [A-Z]+-unsafe|SOFTIRQ-|HARDIRQ-|Invalid wait context|bad unlock balance|"
        r"bad contention|held lock freed|lock held (?:when|at)|locks? still held|SOFTIRQ-READ|"
        r"Nested lock was not taken|\S+ lock order detected|trying to release lock|"
        r"trying to register non-static key|[^!\]]{1,40} still has locks held)",
        meaning="lockdep: possible deadlock, or a lock used wrongly",
        source="kernel/locking/lockdep.c print_circular_bug_header, print_usage_bug",
        sample="WARNING: possible circular locking dependency detected",
        is_report=True,
    ),
    LogClass(
        name="suspicious_rcu",
        subsystem="rcu",
        severity="warning",
        pattern=r"^(?:WARNING: |INFO: |\[ INFO: )suspicious RCU usage",
        meaning="lockdep: suspicious RCU usage",
        source="kernel/locking/lockdep.c lockdep_rcu_suspicious",
        sample="WARNING: suspicious RCU usage",
        is_report=True,
    ),
    LogClass(
        name="rcu_sleep",
        subsystem="rcu",
        severity="error",
        pattern=r"^Voluntary context switch within RCU read-side critical section",
        meaning="a task gave up its CPU inside an RCU read-side critical section, where it must not sleep",
        source="kernel/rcu/tree_plugin.h rcu_note_context_switch",
        sample="Voluntary context switch within RCU read-side critical section!",
    ),
    LogClass(
        name="csd_lock",
        subsystem="lockup",
        severity="error",
        pattern=r"^(?:smp: )?csd: (?:Detected|Continued) non-responsive CSD lock \(#\d+\) on "
        r"CPU#(?P<cpu>\d+)",
        meaning="CSD lock: a CPU does not answer a call of another one (IPI)",
        source="kernel/smp.c csd_lock_wait_toolong",
        sample="smp: csd: Detected non-responsive CSD lock (#1) on CPU#5, waiting 5000000032 ns for CPU#02 "
        "do_flush_tlb_all+0x0/0x30(0x0).",
        is_report=True,
    ),
    LogClass(
        name="lockdep_limit",
        subsystem="locking",
        severity="notice",
        pattern=r"^BUG: MAX_(?:LOCK|STACK)\w* too low!",
        meaning="lockdep is off: its tables are full",
        source="kernel/locking/lockdep.c print_lockdep_off",
        sample="BUG: MAX_LOCKDEP_CHAINS too low!",
    ),
    LogClass(
        name="spinlock_bug",
        subsystem="locking",
        severity="critical",
        pattern=r"^BUG: (?:spinlock|rwlock|rt_mutex|mutex) (?P<what>bad magic|recursion|cpu recursion|"
        r"wrong (?:owner|CPU)|lockup suspected|trylock failure|already unlocked|uninitialized|"
        r"write-recursion)",
        meaning="spinlock corruption or recursion",
        source="kernel/locking/spinlock_debug.c spin_bug",
        sample="BUG: spinlock bad magic on CPU#0, kworker/0:2/58",
        follows=MEMORY_CORRUPTION,
        is_report=True,
    ),
)

CLASSES = (*STALLS, *LOCKING)
