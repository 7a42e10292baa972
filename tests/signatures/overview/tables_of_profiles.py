"""Profiles without their header, and stacks without their report."""

from __future__ import annotations

FUTEX = """\
Samples: 8K of event 'cycles', Event count (approx.): 6611333057
+  24.10%  worker  [kernel.kallsyms]  [k] futex_wake
+  22.76%  worker  [kernel.kallsyms]  [k] get_futex_key
+  19.90%  worker  [kernel.kallsyms]  [k] futex_wait_setup
+   3.02%  worker  libc.so.6          [.] memchr
"""
SPREAD_SPIN = """\
# Overhead  Command          Shared Object               Symbol
# ........  ...............  ..........................  ....................................
     1.72%  shard-6          [kernel.kallsyms]           [k] native_queued_spin_lock_slowpath
     1.70%  shard-9          [kernel.kallsyms]           [k] native_queued_spin_lock_slowpath
     1.66%  shard-1          [kernel.kallsyms]           [k] native_queued_spin_lock_slowpath
     1.20%  shard-1          [kernel.kallsyms]           [k] vfs_read
"""
ONE_STACK = """\
PID = 301
[<ffffffffc04d6bcd>] write_all_supers+0x95d/0xaf0 [btrfs]
[<ffffffffc04dde48>] btrfs_commit_transaction+0x5d8/0x8f0 [btrfs]
[<ffffffffc04d8758>] transaction_kthread+0x188/0x1b0 [btrfs]
[<ffffffffb50abea3>] kthread+0x113/0x130
"""
EXCERPT = """\
   0.85%  [kernel]                     [k] __bch2_btree_node_alloc
   0.84%  [kernel]                     [k] bch2_btree_node_iter_init
   0.72%  [kernel]                     [k] bch2_btree_path_verify
"""
ONE_ROW_TREE = """\
# Samples: 905  of event 'cycles'
# Children      Self  Command   Shared Object      Symbol
    98.93%     0.00%  firejail  [kernel.kallsyms]  [k] entry_SYSCALL_64_after_hwframe
            |
            ---entry_SYSCALL_64_after_hwframe
               do_syscall_64
               |
               |--96.56%--ksys_read
               |          vfs_read
               |          |
               |           --93.88%--get_dominating_id
"""
BROWSER_TREE = """\
-   95.93%    38.21%  mmapr    mmapr     [.] worker
   - 57.71% worker
      - 56.39% page_fault
         - 56.35% __do_page_fault
"""
OFFSETS = """\
__softirqentry_text_start+0x77
irq_exit+0xa
call_function_single_interrupt+0xf
clear_page_erms+0x7
clear_huge_page+0x7d
"""
NAMELESS = "".join(
    f"     {share:.2f}%  app      [kernel.kallsyms]   [k] 0xffffffff9661d{at:03x}\n"
    for at, share in enumerate((9.1, 8.2, 7.3))
)
NFS_STACK = """\
[<ffffffffc0401b31>] rpc_wait_bit_killable+0x11/0x70 [sunrpc]
[<ffffffffc0402c4d>] __rpc_wait_for_completion_task+0x2d/0x30 [sunrpc]
[<ffffffffc0601123>] nfs_rename+0x13/0x20 [nfs]
"""
CRASH_STACK = """\
 #0 [ffffc90000a0fe38] machine_kexec at ffffffff8185cb45
 #1 [ffffc90000a0fe88] __crash_kexec at ffffffff8185cb46
 #2 [ffffc90000a0fed8] oops_end at ffffffff8185cb47
 #3 [ffffc90000a0ff28] page_fault at ffffffff8185cb48
 #4 [ffffc90000a0ff38] rpc_release_resources_task at ffffffff8185cb49
 #5 [ffffc90000a0ff48] __rpc_execute at ffffffff8185cb4a
"""
SOURCE_LINES = """\
 fill_super+0x16c9/0x16f6 fs/sample/super.c:3519
 mount_bdev+0x34d/0x410 fs/super.c:1366
 do_new_mount fs/namespace.c:2896 [inline]
 path_mount+0x12ae/0x1e70 fs/namespace.c:3227
"""
LONE_TREE = """\
     - 77.43% do_syscall_64
        - 69.58% xfs_file_write_iter
           - 44.12% xfs_buffered_write_iomap_begin
              - 42.32% down_write
                 - 42.10% rwsem_down_write_slowpath
                      41.75% osq_lock
"""
CHECKED_LOCKS = """\
24.39%  [kernel.kallsyms]    [k] __lock_acquire
        |
         --24.13%--0x7f00ab4e8abc
                   entry_SYSCALL_64
                   do_syscall_64
                   put_super
                   |
                    --23.79%--reclaim_inodes
                              |
                              |--17.47%--reclaim_inode
                              |          _raw_spin_lock
                              |          lock_acquire
                              |          __lock_acquire
                              |
                               --6.32%--_raw_spin_lock
                                        lock_acquire
                                        __lock_acquire
"""
SPINNING_ROW = """\
  55.10%  [kernel]  [k] native_queued_spin_lock_slowpath
          |
          ---native_queued_spin_lock_slowpath
             _raw_spin_lock
             |
             |--51.02%--list_lru_add
             |          d_lru_add
             |          dput
             |
              --4.08%--d_alloc
   3.20%  [kernel]  [k] memcpy_erms
          |
          ---memcpy_erms
             copy_page
"""

SYSCALLS = """\
Overhead  Shared Object     Symbol
  32.65%  [kernel]          [k] entry_SYSRETQ_unsafe_stack
  11.00%  [kernel]          [k] entry_SYSCALL_64
   8.88%  [kernel]          [k] syscall_return_via_sysret
   2.66%  [kernel]          [k] pipe_read
   1.77%  libc.so.6         [.] __GI___pthread_disable_asynccancel
"""

TABLES = {
    "entry and exit of system calls": (SYSCALLS, "52.5 % of the time is in system-call entry and exit"),
    "a call tree without a row": (
        LONE_TREE,
        "(osq_lock), taken in xfs_buffered_write_iomap_begin ← xfs_file_write_iter",
    ),
    "a call tree of one row": (
        ONE_ROW_TREE,
        "93.9 % of the samples are in get_dominating_id and what it calls, where the call tree ends",
    ),
    "a call tree of the browser": (
        BROWSER_TREE,
        "56.4 % of the time is in __do_page_fault and what it calls",
    ),
    "a row with its callers": (
        CHECKED_LOCKS,
        "24.4 % of the time is in __lock_acquire; 23.8 % in what reclaim_inodes calls",
    ),
    "a lock with its callers": (SPINNING_ROW, "taken in list_lru_add ← d_lru_add"),
    "names with offsets": (OFFSETS, "of clear_page_erms ← clear_huge_page"),
    "addresses without names": (NAMELESS, "addresses without names: what runs is not known"),
    "an excerpt of small shares": (EXCERPT, "2.41 % of the time is in bcachefs (__bch2_btree_node_alloc"),
    "a stack with source lines": (SOURCE_LINES, "in fill_super ← mount_bdev"),
    "a single stack": (ONE_STACK, "in write_all_supers ← btrfs_commit_transaction"),
    "futex functions": (FUTEX, "66.8 % of the time is in futex functions (futex_wake"),
    "one function of many commands": (
        SPREAD_SPIN,
        "5.08 % of the time is in native_queued_spin_lock_slowpath",
    ),
    "a stack that waits": (NFS_STACK, "nfs_rename: it waits for reply of an NFS server"),
    "a stack of a crash": (CRASH_STACK, "The kernel crashed in rpc_release_resources_task ← __rpc_execute"),
}
"""Output by what it is, with words of its headline."""
