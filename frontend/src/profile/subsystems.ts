/** Subsystems of the kernel that have a colour, in legend order. */
export const SUBSYSTEMS = ['memory', 'files', 'block', 'network', 'scheduler', 'locks'] as const
export type Subsystem = (typeof SUBSYSTEMS)[number]

/** How the names of functions of a subsystem begin, after underscores; the first that fits counts. */
const PREFIXES: readonly (readonly [Subsystem, string])[] = [
  ['locks', 'raw_spin|native_queued|pv_queued|queued_(?:spin|read|write)|spin_|rwsem|mutex|rt_mutex|osq_|down_(?:read|write)|up_(?:read|write)|percpu_(?:down|up|rwsem)|futex|lockref|ww_mutex'],
  [
    'memory',
    'alloc_page|alloc_folio|alloc_contig|free_(?:unref|page|folio)|get_page_from|rmqueue|shrink_|(?:do_)?try_to_free|mem_cgroup|memcg|try_charge|(?:un)?charge_|lru_|folio_|compact|kcompactd|kswapd|balance_pgdat|handle_(?:mm|pte)|do_(?:anonymous|fault|swap|user_addr|wp_|cow_|huge|read_fault|shared_fault)|(?:asm_)?exc_page_fault|page_fault|mm_|vma_|vm_|mmap|munmap|do_m(?:un)?map|unmap_|zap_|page_|pagevec|filemap_|swap_|kmem_|kmalloc|kfree|slab_|clear_(?:huge_)?page|copy_page|isolate_|evict_|list_lru|drain_|mincore|madvise|migrate_|khugepaged|collapse_|truncate_',
  ],
  ['block', 'blk_|bio_|submit_bio|nvme|scsi|sd_|dm_|md_|raid|virtblk|elv_|bfq_|wbt_|rq_qos|ata_|ahci_'],
  ['files', 'ext4|xfs|btrfs|nfs|vfs|jbd2|f2fs|fuse_|ovl_|iomap|d_(?:alloc|lookup|walk|path)|dentry|dput|lookup_|path_|walk_component|link_path|open_|do_(?:sys_open|filp)|ksys_(?:read|write)|new_sync|generic_(?:file|perform)|proc_|seq_|kernfs|sysfs|wb_|writeback|inode|iput|fsync|do_writepages|epoll|ep_'],
  ['network', 'tcp|udp|ip_|ip6|ipv6|inet|sock_|net_|netif|napi|dev_(?:queue|hard)|skb|nf_|ipt_|nft_|sk_|virtnet|e1000|ixgbe|mlx|dst_|fib_|neigh|br_|veth|qdisc|sch_direct'],
  ['scheduler', 'schedule|pick_(?:next|task)|dequeue_(?:task|entity)|enqueue_(?:task|entity)|ttwu|try_to_wake|wake_up|select_(?:task|idle)|load_balance|newidle|sched_balance|update_(?:curr|load|rq|cfs)|set_next|put_prev|finish_task|switch_|context_switch|sched_|task_tick|do_idle|cpuidle|cpu_startup|default_idle|intel_idle|mwait|acpi_idle'],
]
const PATTERNS = PREFIXES.map(([subsystem, prefixes]) => [subsystem, new RegExp(`^_*(?:${prefixes})`)] as const)

/** The subsystem that the name of a kernel function suggests; undefined for none of these. */
export function subsystemOf(name: string): Subsystem | undefined {
  return PATTERNS.find(([, pattern]) => pattern.test(name))?.[0]
}
