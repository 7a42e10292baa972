"""The functions of a call trace that say what the kernel was doing, innermost first.

    dump_stack_lvl, print_report, kasan_report, __list_del_entry, sk_psock_put, tcp_close, …
        -> sk_psock_put, tcp_close, …

Left out are the functions that print the report, take the fault or the interrupt, sleep, take a lock, copy
memory or look after a list: they are the same for every failure. Of a trace of nothing else the path is its
system call.

Source: lib/dump_stack.c, mm/kasan, mm/kmsan, kernel/kcsan, lib/ubsan.c, lib/debugobjects.c, kernel/panic.c,
kernel/locking, kernel/sched, kernel/time, arch/*/kernel/traps.c, arch/*/mm/fault.c; Linux 3.10 to 6.18.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from ingest.native.linear import Pattern

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
    "slab_err|object_err|bad_page|_{0,2}free_pages_ok|slab_bug|slab_fix|create_object|kobject_|refcount_|skb_panic",
    "check_preemption_disabled|__this_cpu_preempt_check|debug_smp_processor_id|(?:register|look_up)_lock_class",
    "_?sched_show_task|dump_cpu_task|_{0,3}sanitizer_cov|write_comp_data|rcu_is_watching|lock_is_held|walk_stackframe",
    "do_tag_check_fault|do_sea$|timer_is_static_object|__seqprop_assert|add_taint|is_valid_bugaddr|vprintk|_?printk",
    "usercopy|__check_object_size|kmalloc_slab|kmalloc_fix_flags|debug_work|debug_timer|rcuhead_|lockevent_",
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
    "watchdog_|softlockup|trigger_|rcu_.*stall|generic_handle|gic_|arch_timer_|__handle_|handle_(?:domain|percpu|fasteoi|edge|level)",
)
_GENERAL = (
    "_{0,3}raw_(?:spin|read|write)|_{0,2}(?:spin|read|write)_(?:un)?(?:try)?lock|do_raw_|native_queued|queued_",
    "_{0,2}pv_|arch_(?:spin|local)|osq_|qspin|_{0,2}mutex_|_{0,2}ww_|rt_mutex|rtlock|rt_spin|_{0,2}rt_|__down|down_|up_|__up_",
    "rwbase_|rt_(?:write|read)|queue_work|_{0,2}queue_work|rwsem_|call_rwsem|percpu_(?:down|rwsem)|_{0,2}percpu_down|lock_(?:page|buffer|sock_nested)|__lock_(?:page|task)",
    "_{0,2}schedule$|_{0,2}schedule_|context_switch|__switch_to|io_schedule|preempt_|_{0,2}cond_resched|wait_for_|__wait_",
    "do_wait_for|out_of_line_wait|bit_wait|wait_on_|wait_woken|prepare_to_wait|finish_task|wake_up|__wake_up",
    "try_to_wake|folio_wait|__folio_lock|rcu_(?:read|lock|barrier$)|synchronize_|__synchronize|wait_rcu",
    "_{0,2}(?:mem|str)(?:cpy|set|move|cmp|len|n?cpy|chr|str)|_{0,2}memcpy|_{0,2}memset|_{0,2}copy_(?:to|from|in|user|page)",
    "skb_(?:put|push|pull|over_panic|under_panic)|strscpy|strl(?:cpy|cat)|strnstr|read_word_at_a_time|finish_wait",
    "_{0,2}(?:flush|cancel)_(?:delayed_)?work|_{0,2}cancel_work_timer|try_to_grab_pending|_{0,2}del_timer|timer_delete",
    "_{0,2}(?:queue|insert|mod)_(?:delayed_)?(?:work|timer)|lock_timer_base|_{0,2}call_rcu|kthread_stop|complete(?:_all)?$",
    "device_(?:add|del|register|unregister|create|destroy)$|get_device_parent|sysfs_(?:remove|create)_|dpm_sysfs|ida_",
    r"_?atomic_dec_and|rhashtable_|xas_|crc[_\d]|hex_dump_to|folio_(?:un)?lock|post_alloc_hook|_{0,2}set_page_owner|vunmap",
    "_{0,2}vunmap|_{3}k[mz]alloc|krealloc|htab_map_alloc|sk_(?:prot_)?alloc|sock_[kw]malloc|alloc_inode|_{0,2}alloc_skb",
    "(?:_{0,2}(?:dev|netdev)_)?alloc_skb|_{0,2}netdev_alloc|_{0,2}build_skb|_{0,2}x86_indirect|_{0,2}panic$|do_vfs_ioctl",
    "ttwu_|(?:de|en)queue_task|activate_task|select_(?:task_rq|idle)|update_(?:curr|load_avg|rq_clock)|check_preempt",
    "task_blocks_on_rt|console_lock$|kernel_fpu_begin|irqentry_|_{0,2}bad_stack|handle_bad_stack|truncate_inode_pages",
    "psi_|trace_hardirqs|asm_call|_{0,2}sysvec|sysenter_|tracesys_|stack_trace_|prandom_|_{4}cache_|_stext|ldsem_|down$",
    "csum_partial|kmemdup|kstr|_{0,2}asan_|_{0,2}list_|list_|hlist_|_{0,2}rb_|rb_|idr_|radix_|xa[_s]|_{0,2}xa_|find_|_{0,2}bitmap_",
    "k[zmrcv]?m?alloc|__k[zmrcv]?m?alloc|__do_k|kmem_cache|__kmem|slab_|__{0,2}slab|__slab|new_slab|allocate_slab",
    "kmem_getpages|fallback_alloc|cache_(?:alloc|grow)|_{0,2}alloc_pages|alloc_pages|__alloc_frozen|get_page_from|_{0,2}vmalloc|vzalloc|kv|__kv|kfree",
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
    "do_el[01]_|el[01]_|do_fast_syscall|SyS_|compat_SyS_|do_notify_resume|work_pending|exit_to_usermode",
    "poll_idle|acpi_(?:idle|safe)|pv_native_safe|rcu_core|rcu_do_batch|__secondary|stext|fast_(?:syscall|exception)",
)
_SKIPPED = Pattern("^(?:" + "|".join((*_REPORTS, *_TRAPS, *_GENERAL, *_ENDS)) + ")")
_SYSTEM_CALL = re.compile(
    r"^(?:__)?(?:(?:se|do|x64|arm64|ia32|s390x?|compat|ia32_compat)_)*(?:sys|SyS)_(?P<call>\w+)$"
)
_ALLOCATORS = re.compile(
    r"^(?:_{0,2}get_free_pages|get_zeroed_page|(?:x86_|xen_)?swiotlb_|dmam?_|_{0,2}iommu_|_{0,2}page_frag_|"
    r"kmalloc_(?:order|large)|_{0,2}kmalloc_|\w*alloc_(?:coherent|consistent|attrs)$)"
)
"""What stands between the page allocator and the one that asks: mm/page_alloc.c, kernel/dma."""

_CLONE = re.compile(r"\.(?:isra|constprop|part|cold|llvm)\b.*$")


def path_of(functions: Iterable[str]) -> str:
    """Return `sk_psock_put ← tcp_close ← inet_release`, innermost first; "" when the trace shows nothing."""
    return " ← ".join(shown_of(functions))


def shown_of(functions: Iterable[str]) -> list[str]:
    """Return the functions of a path, innermost first; none when the trace shows nothing."""
    names = dict.fromkeys(_CLONE.sub("", one) for one in functions)
    told = [name for name in names if not _SKIPPED.match(name)]
    if not told:
        told = [found["call"] for name in names if (found := _SYSTEM_CALL.match(name))][:1]
    return told[:SHOWN]


def asker_of(frames: Iterable[tuple[str, str]]) -> str:
    """Return the path of a failed allocation from the one that asks on, `txAllocArea [fbcapture] ← …`.

    Args:
        frames: Functions with their modules, "" of the kernel itself; innermost first.
    """
    modules = {_CLONE.sub("", name): module for name, module in frames}
    told = [name for name in modules if not _SKIPPED.match(name) and not _ALLOCATORS.match(name)]
    return " ← ".join(f"{name} [{modules[name]}]" if modules[name] else name for name in told[:SHOWN])


def path_from(function: str, functions: Iterable[str]) -> str:
    """Return the path that begins with `function`, "" when it is not among the functions."""
    names = list(dict.fromkeys(_CLONE.sub("", one) for one in functions))
    if function not in names:
        return ""
    told = [name for name in names[names.index(function) + 1 :] if not _SKIPPED.match(name)]
    return " ← ".join([function, *told][:SHOWN])
