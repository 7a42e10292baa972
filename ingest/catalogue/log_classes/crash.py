"""Messages of a kernel, or a process, that fails."""

from __future__ import annotations

from ingest.catalogue.log_classes.causes import (
    BLOCK,
    CRASHES,
    DISKS,
    FILESYSTEMS,
    MACHINE_CHECKS,
    MEMORY,
    MEMORY_CORRUPTION,
    STUCK,
)
from ingest.catalogue.log_classes.model import LogClass

_EARLIER = (*MACHINE_CHECKS, *MEMORY_CORRUPTION)

FAILURES = (
    LogClass(
        name="panic",
        subsystem="crash",
        severity="critical",
        pattern=r"^(?:---\[ end )?[Kk]ernel panic(?: \S{1,3} not syncing \S{1,3} (?P<reason_2>.+)|"
        r" ?(?:\S{1,3} not syncing)?(?:: (?P<reason>.+))?)",
        meaning="kernel panic",
        source="kernel/panic.c panic",
        sample="Kernel panic - not syncing: Fatal exception in interrupt",
        follows=(
            *CRASHES,
            *MACHINE_CHECKS,
            *MEMORY,
            *STUCK,
            *DISKS,
            *FILESYSTEMS,
            "initrd_unreadable",
            "root_missing",
            "warn",
            "panic",
        ),
        is_report=True,
    ),
    LogClass(
        name="system_error",
        subsystem="cpu",
        severity="critical",
        pattern=r"SError Interrupt on CPU(?P<cpu>\d+), code 0x|Bad mode in Error handler detected on CPU"
        r"(?P<cpu_2>\d+), code 0x",
        meaning="SError: an access of the processor to memory or to a device failed later, often hardware",
        source="arch/arm64/kernel/traps.c arm64_serror_panic; Bad mode: to 4.15",
        sample="SError Interrupt on CPU2, code 0x00000000bf000002 -- SError",
        follows=MACHINE_CHECKS,
        is_report=True,
    ),
    LogClass(
        name="zfs_panic",
        subsystem="vfs",
        severity="critical",
        pattern=r"^VERIFY\w*\(.*\) failed|PANIC at \S+\.c:\d+:",
        meaning="ZFS: an assertion failed; the task stops, and those that need its locks hang",
        source="OpenZFS spl/sys/debug.h VERIFY",
        sample="PANIC at range_tree.c:368:range_tree_remove_impl()",
        is_report=True,
    ),
    LogClass(
        name="zfs_pool_suspended",
        subsystem="vfs",
        severity="critical",
        pattern=r"Pool '(?P<pool>[^']+)' has encountered an uncorrectable I/O failure and has been suspended",
        meaning="ZFS pool suspended: all reads and writes of it wait until its devices work",
        source="OpenZFS module/zfs/zio.c zio_suspend",
        sample="WARNING: Pool 'tank' has encountered an uncorrectable I/O failure and has been suspended.",
        follows=(*DISKS, *BLOCK),
    ),
    LogClass(
        name="double_fault",
        subsystem="crash",
        severity="critical",
        pattern=r"(?:^|: )PANIC: (?:double fault|early exception|.*fault)|^traps: PANIC: |^double fault: ",
        meaning="double fault; often a stack overflow",
        source="arch/x86/kernel/traps.c exc_double_fault",
        sample="traps: PANIC: double fault, error_code: 0x0",
        follows=("stack_overflow", *_EARLIER),
        is_report=True,
    ),
    LogClass(
        name="stack_overflow",
        subsystem="crash",
        severity="critical",
        pattern=r"^(?:BUG: (?:stack guard page was hit|IRQ stack guard page|TASK stack guard page)|"
        r"Insufficient stack space|[Kk]ernel stack overflow|.*: stack overflow|do_IRQ: stack overflow|"
        r"Thread overran stack)",
        meaning="kernel stack overflow",
        source="arch/x86/kernel/traps.c handle_stack_overflow, arch/arm64/kernel/traps.c",
        sample="BUG: stack guard page was hit at 00000000a1b2c3d4 (stack is "
        "0000000011223344..0000000055667788)",
        is_report=True,
    ),
    LogClass(
        name="null_pointer",
        subsystem="crash",
        severity="critical",
        pattern=r"(?:^BUG: (?:unable to handle )?kernel NULL pointer dereference|"
        r"^[Uu]nable to handle kernel NULL pointer dereference|^Kernel attempted to \w+ user page \(0\)|"
        r"^BUG: Kernel NULL pointer dereference)(?:(?:,? address:|"
        r" at(?: virtual address)?:?) ?(?P<address>[0-9a-fx]+))?",
        meaning="NULL pointer dereference in the kernel",
        source="arch/x86/mm/fault.c show_fault_oops, arch/arm64/mm/fault.c",
        sample="BUG: kernel NULL pointer dereference, address: 0000000000000010",
        follows=_EARLIER,
        is_report=True,
    ),
    LogClass(
        name="bad_access",
        subsystem="crash",
        severity="critical",
        pattern=r"^(?:BUG: |CPU \d+ )?(?:[Uu]nable to handle (?:kernel )?(?:page fault|paging request|"
        r"data access|instruction fetch|"
        r"access to user memory|execution of user|read from unreadable|write to read-only|execute from|"
        r".* fault)|kernel tried to execute (?:NX-protected|user)|Unhandled fault: |"
        r"Kernel attempted to )(?:.*address:? ?(?P<address>[0-9a-fx]{8,}))?",
        meaning="page fault in the kernel at an invalid address",
        source="arch/x86/mm/fault.c show_fault_oops, arch/arm64/mm/fault.c die_kernel_fault",
        sample="BUG: unable to handle page fault for address: ffffc90000a3f000",
        follows=_EARLIER,
        is_report=True,
    ),
    LogClass(
        name="general_protection",
        subsystem="crash",
        severity="critical",
        pattern=r"^(?:Oops: |segment-related )?general protection fault(?:, |: | in | for non-canonical )",
        meaning="general protection fault in the kernel; a non-canonical address, often memory corruption",
        source="arch/x86/kernel/traps.c exc_general_protection",
        sample="general protection fault, probably for non-canonical address 0xdead000000000108: 0000 [#1] "
        "PREEMPT SMP NOPTI",
        follows=_EARLIER,
        is_report=True,
    ),
    LogClass(
        name="kernel_bug",
        subsystem="crash",
        severity="critical",
        pattern=r"^kernel BUG at (?P<where>\S+?)!?$|^kernel BUG at ",
        meaning="kernel BUG; an assertion failed and the task was killed",
        source="arch/x86/kernel/traps.c handle_bug, lib/bug.c report_bug",
        sample="kernel BUG at fs/ext4/inode.c:2721!",
        follows=_EARLIER,
        is_report=True,
    ),
    LogClass(
        name="divide_error",
        subsystem="crash",
        severity="critical",
        pattern=r"^(?:Oops: )?divide[ _]error:",
        meaning="divide error in the kernel",
        source="arch/x86/kernel/traps.c exc_divide_error",
        sample="divide error: 0000 [#1] PREEMPT SMP NOPTI",
        follows=_EARLIER,
        is_report=True,
    ),
    LogClass(
        name="invalid_opcode",
        subsystem="crash",
        severity="critical",
        pattern=r"^(?:Oops: )?(?:invalid opcode|stack segment|int3|bounds|alignment check|"
        r"coprocessor segment overrun|invalid TSS|segment not present): ",
        meaning="invalid opcode in the kernel: BUG() or memory corruption",
        source="arch/x86/kernel/traps.c do_error_trap",
        sample="invalid opcode: 0000 [#1] PREEMPT SMP NOPTI",
        follows=("kernel_bug", *_EARLIER),
        is_report=True,
    ),
    LogClass(
        name="busy_dentry",
        subsystem="vfs",
        severity="error",
        pattern=r"^BUG: Dentry .*still in use(?: \(-?\d+\) \[unmount of \S+ (?P<device>\S+)\])?",
        meaning="directory entry still in use at unmount; a reference to it was not dropped",
        source="fs/dcache.c umount_check",
        sample="BUG: Dentry 00000000a1b2c3d4{i=1f,n=data}  still in use (1) [unmount of ext4 sdb]",
        is_report=True,
    ),
    LogClass(
        name="oops",
        subsystem="crash",
        severity="critical",
        pattern=r"^(?:Oops: |Oops - |Internal error: |Bad mode in |CFI failure|Kernel mode fault|"
        r"Unexpected kernel BRK|PANIC: )",
        meaning="kernel oops",
        source="arch/x86/kernel/dumpstack.c __die_header, arch/arm64/kernel/traps.c __die",
        sample="Internal error: Oops: 0000000096000004 [#1] SMP",
        follows=_EARLIER,
        is_report=True,
    ),
    LogClass(
        name="warn",
        subsystem="crash",
        severity="warning",
        pattern=r"^WARNING: (?:(?:CPU: (?P<cpu>\d+) PID: (?P<pid>\d{1,10}) )?at )?(?P<where>\S.*)$",
        meaning="kernel warning (WARN); an assertion failed, the kernel continues",
        source="kernel/panic.c __warn",
        sample="WARNING: CPU: 3 PID: 0 at net/sched/sch_generic.c:525 dev_watchdog+0x207/0x210",
        is_report=True,
    ),
    LogClass(
        name="call_trace",
        subsystem="crash",
        severity="warning",
        pattern=r"^(?:[Cc]all [Tt]race:|Backtrace:|NMI backtrace for cpu (?P<cpu>\d+)(?:$| ?[^ s\d]))",
        meaning="call trace without the line that says why it was printed",
        source="arch/x86/kernel/dumpstack.c show_trace_log_lvl, lib/nmi_backtrace.c",
        sample="Call Trace:",
        is_report=True,
    ),
)

PROCESSES = (
    LogClass(
        name="process_crash",
        subsystem="process",
        severity="warning",
        pattern=r"^(?:traps: )?(?P<comm>.+?)(?:\[(?P<pid>\d+)\])?:? (?:segfault at (?P<address>[0-9a-f]+)|"
        r"general protection(?: fault)? ip:|trap (?P<trap>[\w ]+) ip:|bad frame in|unhandled (?:level|"
        r"signal|exception))|^(?:\S+: )?potentially unexpected fatal signal (?P<signal>\d+)",
        meaning="a process crashed: segmentation fault, invalid opcode or divide error",
        source="arch/x86/mm/fault.c show_signal_msg, arch/x86/kernel/traps.c show_signal",
        sample="nginx[4321]: segfault at 10 ip 000055d0c0a1b2c3 sp 00007ffd12345678 error 4 in "
        "nginx[55d0c0a00000+b4000]",
        follows=(
            "memory_failure",
            "mce_uncorrected",
            "swap_io_error",
            "block_io_error",
            "oom_kill",
            "gpu_hang",
        ),
        needs_prefix=True,
    ),
    LogClass(
        name="system_restart",
        subsystem="log",
        severity="notice",
        pattern=r"^reboot: (?P<action>Restarting system|Power down|System halted|machine restart|Going down)",
        meaning="orderly restart or power-off",
        source="kernel/reboot.c kernel_restart",
        sample="reboot: Restarting system",
    ),
    LogClass(
        name="messages_suppressed",
        subsystem="log",
        severity="notice",
        pattern=r"(?P<function>\S+): (?P<count>\d+) (?:callbacks|messages|output lines) suppressed|"
        r"^printk: (?P<count_2>\d+) messages? (?:dropped|suppressed)|"
        r"^\*\* (?P<count_3>\d+) printk messages dropped",
        meaning="messages suppressed by a rate limit",
        source="lib/ratelimit.c ___ratelimit, kernel/printk/printk.c console_prepend_dropped",
        sample="net_ratelimit: 12 callbacks suppressed",
        needs_prefix=True,
    ),
)
