"""Messages of locks, and of rules of locking and sleeping that are broken."""

from __future__ import annotations

from ingest.catalogue.log_classes.causes import MEMORY_CORRUPTION
from ingest.catalogue.log_classes.model import LogClass

CLASSES = (
    LogClass(
        name="scheduling_while_atomic",
        subsystem="locking",
        severity="critical",
        pattern=r"^BUG: scheduling while atomic: (?P<comm>.+)/(?P<pid>\d+)/",
        meaning="scheduling while atomic: the kernel slept with a spinlock held or interrupts off",
        source="kernel/sched/core.c __schedule_bug",
        sample="BUG: scheduling while atomic: swapper/3/0/0x00000002",
        is_report=True,
        printed_by=("__schedule_bug",),
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
        printed_by=("__might_resched", "___might_sleep"),
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
        printed_by=("lockdep_rcu_suspicious",),
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
