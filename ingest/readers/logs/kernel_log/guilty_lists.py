"""Functions that no failure is named after, by what they do; and how each class of failure is named.

Words are searched in the name of a function; `^` and `$` bind them to its ends.
"""

from __future__ import annotations

_REPORTS = (
    *("__sanitizer", "__asan", "kasan", "hwasan", "__msan", "kmsan", "kcsan_setup_watchpoint"),
    *("check_memory_region", "check_heap_object", "check_object", "read_word_at_a_time"),
    *("(?:read|write)_once_.*nocheck", "print_address_description", "print_report", "print_usage_bug"),
    *("print_tainted", "print_unlock", "imbalance_bug", "panic", "assertfail", "__fortify_report"),
    *("invalid_op", "report_bug", "fixup_bug", "do_error", "_trap$|do_trap", "program_check_"),
    *("show_stack", "dump_stack", "walk_stack", "dump_backtrace", "arch_stack_walk", "stack_trace_"),
    *("warn_slowpath", "warn_alloc", "warn_bogus", "__warn", "get_taint", "hex_dump"),
    *("printk", "dev_(?:info|notice|warn|err|alert|crit|emerg)", "snprintf", "scnprintf", "kv?asprintf"),
    *("va_format", "string", "pointer", "debug_object", "(?:timer|work)_is_static_object"),
    *("do_(?:kernel|translation)_fault", "do_mem_abort", "el1_abort", "el1h_64_sync", "__phys_addr"),
    *("_indirect_thunk_", "perf_trace", "(?:trace|lockdep)_(?:hard|soft)irq", "ref_tracker"),
)
_LOCKS = (
    *("lockdep", "lock_acquire", "lock_release", "lock_class", "mark_lock", "(?:reacquire|mark)_held_locks"),
    *("spin_lock", "spin_trylock", "spin_unlock", "raw_spin_rq", "(?:read|write)_(?:try|un)?lock"),
    *("^down$", "down_read", "down_write", "down_trylock", "up_read", "up_write", "^(?:__)?mutex_"),
    *("^rt_mutex_", "owner_on_cpu", "osq_(?:un)?lock", "^(?:un)?lock_page", "bh_(?:en|dis)able"),
    *("(?:set|clear|change|test)_bit", "__wake_up", "^complete$", "wait_for_completion", "seqprop_assert"),
    *("^refcount_", "^kref_", "__might_fault", "might_(?:fault|sleep|resched)", "finish_wait"),
    "atomic(?:64)?_(?:dec|inc|read|set|or|xor|and|add|sub|fetch|xchg|cmpxchg|try)",
)
_MEMORY = (
    *("alloc_page", "k?v?[mzc]alloc", "krealloc", "kmem_cache", "allocate_slab", "__alloc_frozen_pages"),
    *("slab_", "^kv?free$", "kfree_skb", "mem(?:cpy|cmp|set|chr|move|dup)", "copy_(?:to|from)_(?:user|iter)"),
    *("copy_(?:page|folio)_(?:to|from)_iter", "^copy(?:in|out)$", "(?:put|get)_user", "extract_.*_to_sg"),
    *("str(?:n?cmp|l?cpy|ncpy|scpy|n?len|n?str|chr|n?dup)", "folio_(?:alloc|unlock)", "filemap_alloc_folio"),
    *("__filemap_get_folio", "find_or_create_page", "do_read_cache_folio", "read_cache_page"),
    *("pagecache_get_page", "grab_cache_page_write_begin", "find_lock_entries", "mark_buffer_dirty"),
    *(
        "truncate_inode_pages_range",
        "^crc\\d+",
        "crc_itu_t",
        "^iput(?:_final)?$",
        "^ihold$",
        "dput",
        "drop_nlink",
    ),
)
_CONTAINERS = (
    *(
        "list_(?:add|del|replace|move|splice)",
        "^(?:__)?rb_",
        "^klist_",
        "xas_(?:start|load|find)",
        "ida_free",
    ),
    "rhashtable_lookup",
)
_WORK = (
    *("del_timer", "__timer_delete_sync", "__mod_timer", "lock_timer_base", "sk_stop_timer_sync"),
    *("(?:flush|insert|queue)_work", "(?:flush|drain|destroy)_workqueue", "__cancel_work_timer"),
    *("cancel_work_sync", "try_to_grab_pending", "queue_delayed_work", "kthread_stop", "cleanup_srcu_struct"),
)
_DEVICES = (
    *("kobject_", "add_uevent_var", "get_device_parent", "device_(?:add|del|unregister|destroy|release)"),
    *("device_for_each_child", "device_remove_file", "devres_release_all", "^put_device$", "sysfs_remove"),
    *("hwrng_unregister", "i2c_del_adapter", "__unregister_client", "tty_unregister_device"),
    *("rollback_registered", "unregister_netdev", "dummy_urb_enqueue", "usb_kill_(?:urb|anchored_urbs)"),
    *("usb_control_msg", "usb_(?:hcd_)?submit_urb", "(?:read|write)[bwlq]$", "logic_(?:in|out)"),
)
COMMON = (*_REPORTS, *_LOCKS, *_MEMORY, *_CONTAINERS, *_WORK, *_DEVICES)

INTERRUPTS = ("apic_timer_interrupt", "^el1h_64_irq", "^el1_irq", "^__irq_svc")
"""The entry of the interrupt that found a stall."""

HANDLERS_END = (
    *("process_one_work", "do_(?:fast_)?syscall_", "sysenter_dispatch", "tracesys_phase2", "el0_svc_handler"),
    *(
        "invoke_syscall",
        "ret_fast_syscall",
        "netif_receive_skb",
        "do_softirq",
        "call_timer_fn",
        "_run_timers",
    ),
    *(
        "run_timer_softirq",
        "hrtimer_run",
        "run_ksoftirqd",
        "smpboot_thread_fn",
        "^kthread$",
        "start_secondary",
    ),
    *("cpu_startup_entry", "ret_from_fork", "tasklet_(?:hi_)?action", "task_work_run", "exit_to_usermode"),
    *("vfs_(?:iter_)?(?:read|write)", "do_iter_(?:read|write)", "call_(?:read|write)_iter"),
    *(
        "new_sync_(?:read|write)",
        "vfs_ioctl",
        "ksys_ioctl",
        "compat_(?:sys_)?ioctl",
        "blkdev_(?:driver_)?ioctl",
    ),
    *("^call_mmap", "mmap_region", "do_mmap", "do_dentry_open", "vfs_open", "__fput", "__do_fault"),
    *(
        "do_page_fault",
        "^page_fault$",
        "^sock_(?:sendmsg|recvmsg|mmap|do_ioctl|ioctl)",
        "^(?:__)?sock_release",
    ),
    *(
        "^setsockopt$",
        "kernel_(?:setsockopt|listen|accept)",
        "sock_common_setsockopt",
        "^listen$",
        "^accept$",
    ),
    *("sk_common_release", "^compat_sock_ioctl", "^(?:nf|rt)netlink_rcv_msg", "^netlink_dump"),
    "^(?:sys_)?(?:socketpair|connect|ioctl)",
)
"""What dispatches system calls, work, packets, timers and page faults to a handler."""

WAITS = (
    *("sched", "_lock", "_slowlock", "down", "rwsem", "completion", "kthread", "wait", "synchronize"),
    *("context_switch", "__switch_to", "cancel_delayed_work", "rcu_barrier"),
)
"""How tasks wait."""

SYSTEM_CALLS = (
    *("", "SYSC_", "SyS_", "sys_", "__x64_", "__ia32_", "__arm64_", "____sys_", "___sys_", "__sys_"),
    *("__se_", "__se_sys_", "__do_sys_", "compat_SYSC_", "compat_SyS_", "ksys_"),
)
"""What the names of system calls begin with."""

_ALLOCATION = (
    "kmemleak|mmap|kmem|slab|alloc|create_object|idr_get|list_lru|asprintf|pcpu_create|(?:strn?|mem)dup"
)
_ACTIVE_OBJECT = "debug_|rcu|hrtimer_|timer_|work_|percpu_|vunmap|vfree|__free_|kobject_"
RULES = {
    "kasan": ("", "kernel_fault|tag_check|mem_abort|^el1_|^el1h_"),
    "kfence": ("", ""),
    "kmsan": ("", r"alloc_skb|netlink_(?:ack|rcv_skb)|_encrypt$|^(?:crypto|cipher|drbg|rng)_|^usb_.*msg"),
    "ubsan": ("", "ubsan|overflow"),
    "memory_leak": ("", _ALLOCATION),
    "general_protection": ("", ""),
    "bad_access": ("", ""),
    "null_pointer": ("", ""),
    "oops": ("", ""),
    "bug_message": ("", ""),
    "divide_error": ("", ""),
    "invalid_opcode": ("", ""),
    "double_fault": ("", ""),
    "kernel_bug": ("", "^skb_"),
    "skb_panic": ("", "^skb_"),
    "list_corruption": ("", ""),
    "usercopy": ("", "usercopy|__check"),
    "warn": ("", ""),
    "refcount_bug": ("", "refcount|kobject_"),
    "odebug": ("", _ACTIVE_OBJECT),
    "ref_tracker": ("", "ref_tracker"),
    "suspicious_rcu": ("", "rcu|kmem|slab"),
    "sleeping_while_atomic": ("", "preempt|debug_|processor_id|this_cpu"),
    "percpu_in_preemptible": ("", "preempt|debug_|processor_id|this_cpu"),
    "scheduling_while_atomic": ("", "schedule"),
    "spinlock_bug": ("", "spin_|_lock|_unlock"),
    "lockdep_deadlock": ("locks", "process_one_work|lock_sock|release_sock"),
    "panic": ("stalled", "schedule|retint_kernel|stack_chk|bad_stack"),
    "stack_overflow": ("stalled", "bad_stack"),
    "soft_lockup": ("stalled", ""),
    "hard_lockup": ("stalled", ""),
    "rcu_stall": ("interrupted", "apic_timer_interrupt|rcu"),
    "hung_task": ("hung", ""),
}
"""For each class the form of its rule and what is left out besides `COMMON`.

`locks`: the functions that take the two locks come first. `stalled`: the handler whose loop goes on.
`interrupted`: the same, below the interrupt that found it. `hung`: what a task waits for.
"""

WARNINGS = {
    "lib/debugobjects.c": "odebug",
    "lib/refcount.c": "refcount_bug",
    "mm/usercopy.c": "usercopy",
    "lib/list_debug.c": "list_corruption",
    "kernel/locking/lockdep.c": "lockdep_deadlock",
}
"""Warnings of these files are those of a class, whose line may be missing."""
