"""The functions of a call trace that say what the kernel was doing, innermost first.

    dump_stack_lvl, print_report, kasan_report, __list_del_entry, sk_psock_put, tcp_close, …
        -> sk_psock_put, tcp_close, …

Left out are the functions that print the report, take the fault or the interrupt, sleep, take a lock, copy
memory or look after a list: they are the same for every failure. A trace of nothing else has no path.

Source: lib/dump_stack.c, mm/kasan, mm/kmsan, kernel/kcsan, lib/ubsan.c, lib/debugobjects.c, kernel/panic.c,
kernel/locking, kernel/sched, kernel/time, arch/*/kernel/traps.c, arch/*/mm/fault.c; Linux 3.10 to 6.18.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable

SHOWN = 3

_REPORTS = (
    "dump_(?:stack|backtrace)",
    "__dump_stack",
    "show_(?:stack|trace|regs|state)",
    "unwind_(?:backtrace|next|get)",
    "__unwind_",
    "print_",
    "k[amc]san_|__k[amc]san_|k[amc]san$|__tsan_|__[ahm]w?a?san_|check_(?:memory_region|region_inline)",
    "check_(?:noncircular|prev|prevs|deadlock|irq_usage|usage|chain|bytes|object)",
    "kfence_|__kfence_",
    "u?bsan_|__ubsan_|handle_overflow|val_to_string|ubsan_epilogue",
    "debug_(?:print|object|check|obj|mutex|spin|rt)|__debug_(?:check|object)|spin_(?:bug|dump)",
    "panic|nmi_panic|vpanic|__stack_chk_fail",
    "_{0,2}warn|warn_slowpath|report_bug|__report_bug|fixup_bug|handle_bug|bug_handler|call_break_hook|brk_handler",
    "__{0,2}might_(?:sleep|resched|fault)|might_fault|rcu_(?:dump|check|stall|sched_clock|pending|dynticks|nmi)",
    "lock_acquire|__lock_acquire|lock_release|lockdep_|validate_chain|mark_(?:lock|held|usage|irqflags)",
    "valid_state|save_(?:stack|trace)|__save_stack|stack_(?:trace|depot)|arch_stack_walk|set_track|return_address",
    "check_cpu_stall|sched_show|is_bpf_text|kernel_text|_{0,2}kernel_text|is_module|in_gate|get_stack|save_",
    "unreferenced|kmemleak|_{0,2}refcount_|kref_|ref_tracker|fortify_|usercopy_|__check_(?:object|heap)",
    "slab_err|object_err|bad_page|_{0,2}free_pages_ok|slab_bug|slab_fix",
)
_TRAPS = (
    "do_(?:error_trap|trap|invalid_op|general_protection|page_fault|user_addr_fault|kern_addr_fault|int3|nmi)",
    "do_(?:mem_abort|translation_fault|debug_exception|undefinstr|sp_pc_abort|alignment_fault|kernel_fault|bad_area)",
    "__do_(?:page_fault|kernel_fault|user_fault)|exc_|asm_exc_|asm_sysvec_|sysvec_|asm_common|common_interrupt",
    "invalid_op$|general_protection|page_fault|async_page_fault|error_(?:entry|code|exit)|no_context|oops_|die|__die",
    "el[01]t?_|el1h|el0t|__el|__bad_area|bad_area|fault_in|search_exception|data_access|handle_page_fault",
    "_{0,2}data_abort|__dabt|__und|__irq_|irq_svc|nmi_|default_do_nmi|end_repeat_nmi|handle_irq|arch_(?:trigger|do_)",
    "interrupt_return|ret_from_(?:exception|intr)|restore_|retint_|apic_timer|smp_(?:apic|reboot|call_function)",
    "local_apic|smp_trace|hrtimer_(?:interrupt|run)|__hrtimer_run|__run_hrtimer|tick_|update_process_times",
    "watchdog_|softlockup|trigger_|rcu_.*stall|generic_handle|gic_|handle_(?:domain|percpu|fasteoi|edge|level)",
)
_GENERAL = (
    "_{0,3}raw_(?:spin|read|write)|_{0,2}(?:spin|read|write)_(?:un)?(?:try)?lock|do_raw_|native_queued|queued_",
    "_{0,2}pv_|arch_(?:spin|local)|osq_|qspin|_{0,2}mutex_|_{0,2}ww_|rt_mutex|rtlock|rt_spin|_{0,2}rt_|__down|down_|up_|__up_",
    "rwbase_|rt_(?:write|read)|queue_work|_{0,2}queue_work|rwsem_|call_rwsem|percpu_(?:down|rwsem)|_{0,2}percpu_down|lock_(?:page|buffer|sock_nested)|__lock_(?:page|task)",
    "_{0,2}schedule$|_{0,2}schedule_|context_switch|__switch_to|io_schedule|preempt_|_{0,2}cond_resched|wait_for_|__wait_",
    "do_wait_for|out_of_line_wait|bit_wait|wait_on_|wait_woken|prepare_to_wait|finish_task|wake_up|__wake_up",
    "try_to_wake|folio_wait|__folio_lock|rcu_(?:read|lock|barrier$)|synchronize_|__synchronize|wait_rcu",
    "_{0,2}(?:mem|str)(?:cpy|set|move|cmp|len|n?cpy|chr|str)|_{0,2}memcpy|_{0,2}memset|_{0,2}copy_(?:to|from|in|user|page)",
    "csum_partial|kmemdup|kstr|_{0,2}asan_|_{0,2}list_|list_|hlist_|_{0,2}rb_|rb_|idr_|radix_|xa[_s]|_{0,2}xa_|find_|_{0,2}bitmap_",
    "k[zmrcv]?m?alloc|__k[zmrcv]?m?alloc|__do_k|kmem_cache|__kmem|slab_|__{0,2}slab|__slab|new_slab|allocate_slab",
    "cache_(?:alloc|grow)|_{0,2}alloc_pages|alloc_pages|__alloc_frozen|get_page_from|_{0,2}vmalloc|vzalloc|kv|__kv|kfree",
    "_{0,2}kfree|vfree|free_(?:pages|percpu)|_{0,2}pcpu|pcpu_|__alloc_percpu|__cache_|do_slab|cmpxchg|xchg|atomic_|__atomic",
    "arch_atomic|test_(?:and|bit)|set_bit|clear_bit|instrument_|_{0,2}read_once|_{0,2}write_once|get_unaligned|_{0,2}get_user",
    "_{0,2}put_user|cpu_relax|rep_nop|delay|_{0,2}delay|udelay|__const_udelay|smp_|__smp|on_each_cpu|generic_exec|csd_",
)
_ENDS = (
    "kthread$|ret_from_(?:fork|kernel)|worker_thread|process_(?:one_work|scheduled_works)|kernel_thread|do_syscall",
    "entry_|system_call|_{0,2}x64_|_{0,2}se_sys|_{0,2}do_sys|_{0,2}ia32|_{0,2}arm64_sys|syscall|invoke_syscall|irq_exit|__irq_exit",
    "_{0,2}do_softirq|do_softirq|handle_softirqs|run_ksoftirqd|smpboot_|call_(?:timer|softirq)|expire_timers|__run_timers",
    "run_timer|cpu_(?:startup|idle)|do_idle|default_idle|mwait|intel_idle|arch_cpu_idle|native_safe_halt|cpuidle",
    "start_(?:kernel|secondary)|secondary_|rest_init|x86_64_start|common_startup|rcu_gp_(?:kthread|fqs)|force_qs|0x",
    "poll_idle|acpi_(?:idle|safe)|pv_native_safe|rcu_core|rcu_do_batch|__secondary|stext|fast_(?:syscall|exception)",
)
_SKIPPED = re.compile("^(?:" + "|".join((*_REPORTS, *_TRAPS, *_GENERAL, *_ENDS)) + ")")
_CLONE = re.compile(r"\.(?:isra|constprop|part|cold|llvm)\b.*$")


def path_of(functions: Iterable[str]) -> str:
    """Return `sk_psock_put ← tcp_close ← inet_release`, innermost first; "" when the trace shows nothing."""
    names = dict.fromkeys(_CLONE.sub("", one) for one in functions)
    told = [name for name in names if not _SKIPPED.match(name)]
    return " ← ".join(told[:SHOWN])
