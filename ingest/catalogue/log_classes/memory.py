"""Messages of memory: kills, failed allocations, slab caches, swap, huge pages, damaged pages."""

from __future__ import annotations

from ingest.catalogue.log_classes.causes import BLOCK, DISKS, MACHINE_CHECKS, MEMORY, MEMORY_CORRUPTION
from ingest.catalogue.log_classes.model import LogClass

OUT_OF_MEMORY = (
    LogClass(
        name="oom_no_victim",
        subsystem="oom",
        severity="critical",
        pattern=r"^(?:Memory cgroup o|O)ut of memory and no killable processes",
        meaning="out of memory and no killable process",
        source="mm/oom_kill.c out_of_memory",
        sample="Out of memory and no killable processes...",
        follows=("oom_invoked", "oom_kill", "page_allocation_failure"),
    ),
    LogClass(
        name="oom_kill",
        subsystem="oom",
        severity="error",
        pattern=r"^(?:oom-kill:constraint=|(?:Out|Memory cgroup out) of memory[^:]*: Kill(?:ed)? process "
        r"\d+|Killed process \d+,? .*(?:total-vm:|score )|Kill process \d+ .*score )",
        meaning="OOM killer: a process was killed, as its memory cgroup or the machine ran out of memory",
        source="mm/oom_kill.c dump_oom_summary, __oom_kill_process",
        sample="Memory cgroup out of memory: Killed process 6262 (python3) total-vm:213940kB, "
        "anon-rss:203904kB, file-rss:6644kB, shmem-rss:0kB, UID:0 pgtables:456kB oom_score_adj:0",
        follows=("oom_invoked", "oom_task_table", "page_allocation_failure"),
    ),
    LogClass(
        name="oom_invoked",
        subsystem="oom",
        severity="error",
        pattern=r"^(?:(?P<comm>.+) invoked oom-killer:(?: "
        r"gfp_mask=(?P<gfp_mask>[^,]+),.*?order=(?P<order>-?\d+))?|(?:memory(?:\+swap)?|kmem|"
        r"swap): usage \d+kB, limit|Memory cgroup stats for |Task in /\S* killed as a result of limit of )",
        meaning="OOM killer invoked; the report does not say who was killed",
        source="mm/oom_kill.c dump_header, mm/memcontrol.c mem_cgroup_print_oom_meminfo",
        sample="query-heap-03 invoked oom-killer: gfp_mask=0x100cca(GFP_HIGHUSER_MOVABLE), order=0, "
        "oom_score_adj=0",
        follows=("page_allocation_failure",),
    ),
    LogClass(
        name="oom_task_table",
        subsystem="oom",
        severity="error",
        pattern=r"^(?:Tasks state \(memory values in pages\):|\[ +pid +\] +uid +tgid total_vm)",
        meaning="task table of an OOM report; who was killed is not in the log",
        source="mm/oom_kill.c dump_tasks",
        sample="Tasks state (memory values in pages):",
        follows=("oom_invoked",),
    ),
    LogClass(
        name="oom_group_kill",
        subsystem="oom",
        severity="error",
        pattern=r"^Tasks in (?P<cgroup>\S+) are going to be killed due to memory\.oom\.group set",
        meaning="OOM killer: every process of the cgroup is killed with the victim (memory.oom.group)",
        source="mm/memcontrol.c mem_cgroup_print_oom_group",
        sample="Tasks in /kubepods.slice/pod1 are going to be killed due to memory.oom.group set",
        follows=("oom_kill", "oom_invoked"),
    ),
    LogClass(
        name="oom_unreapable",
        subsystem="oom",
        severity="error",
        pattern=r"^oom_reaper: unable to reap pid:(?P<pid>\d+) \((?P<comm>.+)\)",
        meaning="OOM reaper: the memory of the victim could not be reaped; it sleeps with its locks held",
        source="mm/oom_kill.c oom_reap_task",
        sample="oom_reaper: unable to reap pid:7401 (java)",
        follows=("oom_kill", "hung_task"),
    ),
    LogClass(
        name="zone_watermarks",
        subsystem="mm",
        severity="notice",
        pattern=r"^(?:Node (?P<node>\d+) )?(?P<zone>DMA32|DMA|Normal|HighMem|Movable) "
        r"free:(?P<free_kb>\d+)kB (?:boost:\d+kB )?min:(?P<min_kb>\d+)kB",
        meaning="free memory and watermarks of a zone, of a report whose head is not in the log",
        source="mm/show_mem.c show_free_areas; mm/page_alloc.c to 6.3",
        sample="Node 1 Normal free:16840kB min:45244kB low:61752kB high:78260kB active_anon:5042708kB",
    ),
    LogClass(
        name="slab_counters",
        subsystem="mm",
        severity="notice",
        pattern=r"^\s*slab_reclaimable:(?P<reclaimable_pages>\d+) "
        r"slab_unreclaimable:(?P<unreclaimable_pages>\d+)",
        meaning="counters of memory, of a report whose head is not in the log",
        source="mm/show_mem.c show_free_areas; mm/page_alloc.c to 6.3",
        sample=" slab_reclaimable:132425 slab_unreclaimable:16290",
    ),
    LogClass(
        name="memcg_counters",
        subsystem="mm",
        severity="notice",
        pattern=r"^(?:slab_unreclaimable (?P<unreclaimable_bytes>\d+)"
        r"|Memory cgroup stats for (?P<cgroup>\S+?):)",
        meaning="counters of a memory cgroup, of an OOM report whose head is not in the log",
        source="mm/memcontrol.c mem_cgroup_print_oom_meminfo",
        sample="slab_unreclaimable 143096",
    ),
    LogClass(
        name="oom_reaped",
        subsystem="oom",
        severity="notice",
        pattern=r"^oom_reaper: reaped process (?P<pid>\d+) \((?P<comm>.+)\), now "
        r"anon-rss:(?P<anon_rss_kb>\d+)kB",
        meaning="OOM reaper: the memory of the victim is free",
        source="mm/oom_kill.c oom_reap_task_mm",
        sample="oom_reaper: reaped process 6262 (python3), now anon-rss:0kB, file-rss:6644kB, shmem-rss:0kB",
        follows=("oom_kill",),
    ),
    LogClass(
        name="fault_out_of_memory",
        subsystem="oom",
        severity="warning",
        pattern=r"Huh VM_FAULT_OOM leaked out to the #PF handler",
        meaning="a page fault ran out of memory (VM_FAULT_OOM) and is retried",
        source="mm/oom_kill.c pagefault_out_of_memory",
        sample="Huh VM_FAULT_OOM leaked out to the #PF handler. Retrying PF",
        follows=MEMORY,
    ),
)

ALLOCATIONS = (
    LogClass(
        name="vmalloc_failure",
        subsystem="mm",
        severity="error",
        pattern=r"(?:vmalloc error: size (?P<size>\d+)|vmap allocation for size (?P<size_2>\d+) failed|"
        r"vmalloc: allocation failure)",
        meaning="vmalloc failure: no memory or no address space",
        source="mm/vmalloc.c __vmalloc_area_node, alloc_vmap_area",
        sample="modprobe: vmalloc error: size 20480, page order 0, failed to allocate pages, "
        "mode:0xcc0(GFP_KERNEL), nodemask=(null)",
        follows=MEMORY,
        is_report=True,
    ),
    LogClass(
        name="slab_allocation_failure",
        subsystem="slab",
        severity="error",
        pattern=r"^(?:SLUB|SLAB): Unable to allocate memory (?:on|from) ",
        meaning="slab allocation failure",
        source="mm/slub.c slab_out_of_memory",
        sample="SLUB: Unable to allocate memory on CPU 3 (of node 0) on node -1, gfp=0x820(GFP_ATOMIC)",
        follows=("page_allocation_failure", "oom_kill"),
    ),
    LogClass(
        name="percpu_allocation_failure",
        subsystem="mm",
        severity="error",
        pattern=r"^(?:percpu: |PERCPU: )?allocation failed, size=(?P<size>\d+) align=",
        meaning="percpu allocation failure",
        source="mm/percpu.c pcpu_alloc_noprof",
        sample="percpu: allocation failed, size=2048 align=8 atomic=0, alloc from reserved chunk failed",
        follows=MEMORY,
        is_report=True,
    ),
    LogClass(
        name="cma_allocation_failure",
        subsystem="mm",
        severity="warning",
        pattern=r"^cma: .*alloc failed, req-size: (?P<pages>\d+) pages, ret: (?P<error>-\d+)",
        meaning="CMA allocation failure: no contiguous memory for a device",
        source="mm/cma.c cma_alloc",
        sample="cma: __cma_alloc: reserved: alloc failed, req-size: 256 pages, ret: -12",
    ),
    LogClass(
        name="swiotlb_full",
        subsystem="mm",
        severity="error",
        pattern=r"swiotlb buffer is full(?: \(sz: (?P<size>\d+) bytes\))?",
        meaning="swiotlb buffer full: DMA mappings of devices fail",
        source="kernel/dma/swiotlb.c swiotlb_tbl_map_single",
        sample="ahci 0000:00:1f.2: swiotlb buffer is full (sz: 65536 bytes), total 32768 (slots), used "
        "32000 (slots)",
    ),
    LogClass(
        name="hugepages_short",
        subsystem="hugetlb",
        severity="warning",
        pattern=r"^(?i:hugetlb): allocating (?P<count>\d+) of page size .* failed.*Only allocated "
        r"(?P<allocated>\d+) hugepages",
        meaning="fewer huge pages could be reserved than requested",
        source="mm/hugetlb.c hugetlb_hstate_alloc_pages_errcheck",
        sample="HugeTLB: allocating 1024 of page size 2.00 MiB failed.  Only allocated 512 hugepages.",
    ),
    LogClass(
        name="data_limit",
        subsystem="mm",
        severity="warning",
        pattern=r"^mmap: (?P<comm>.+) \((?P<pid>\d+)\): VmData \d+ exceed data ulimit (?P<limit>\d+)",
        meaning="a process exceeds RLIMIT_DATA",
        source="mm/mmap.c may_expand_vm",
        sample="mmap: mysqld (1234): VmData 4294967296 exceed data ulimit 4000000000. Update limits or use "
        "boot option ignore_rlimit_data.",
    ),
    LogClass(
        name="kmemleak",
        subsystem="mm",
        severity="warning",
        pattern=r"^kmemleak: (?P<count>\d+) new suspected memory leaks",
        meaning="kmemleak: suspected memory leaks",
        source="mm/kmemleak.c kmemleak_scan",
        sample="kmemleak: 3 new suspected memory leaks (see /sys/kernel/debug/kmemleak)",
    ),
)

SWAP = (
    LogClass(
        name="swap_io_error",
        subsystem="swap",
        severity="critical",
        pattern=r"^(?P<action>Read|Write)-error on swap-device(?: \((?P<device>\d+:\d+):)?",
        meaning="swap I/O error; the owner of the page is killed or reads wrong data",
        source="mm/page_io.c __end_swap_bio_write, __end_swap_bio_read",
        sample="Write-error on swap-device (253:1:4711)",
        follows=(*DISKS, *BLOCK),
    ),
    LogClass(
        name="swap_bad_entry",
        subsystem="swap",
        severity="critical",
        pattern=r"(?:Bad swap (?:file|offset) entry|Unused swap (?:file|offset) entry) (?P<entry>[0-9a-f]+)",
        meaning="bad swap entry in a page table: memory corruption",
        source="mm/swapfile.c get_swap_device, swap_info_get",
        sample="get_swap_device: Bad swap file entry 3ffffffffffff",
        follows=(*MACHINE_CHECKS, *MEMORY_CORRUPTION),
    ),
)

DAMAGE = (
    LogClass(
        name="memory_failure",
        subsystem="mce",
        severity="critical",
        pattern=r"^(?:Memory failure: |MCE )0x(?P<page>[0-9a-f]+): (?:recovery action for (?P<what>.+): "
        r"(?P<result>\w+)|Sending SIGBUS to|.*[Kk]illing|.*corrupt|.*unhandlable|"
        r".*already hardware poisoned|.*failed)",
        meaning="memory failure: a page is defective (hwpoison); the kernel takes it out of use "
        "and kills its users",
        source="mm/memory-failure.c action_result, kill_proc",
        sample="Memory failure: 0x3d40a3: recovery action for dirty LRU page: Recovered",
        follows=("mce_uncorrected", "mce", "ghes_fatal", "edac_uncorrected"),
    ),
    LogClass(
        name="slab_corruption",
        subsystem="slab",
        severity="critical",
        pattern=r"^BUG (?P<cache>\S+) \((?:Not tainted|Tainted: [^)]*|[A-Z ]+)\): (?P<what>.+)",
        meaning="slab corruption: overwrite, double free or use after free",
        source="mm/slub.c slab_bug",
        sample="BUG kmalloc-64 (Not tainted): Poison overwritten",
        follows=MACHINE_CHECKS,
        is_report=True,
    ),
)

CLASSES = (*OUT_OF_MEMORY, *ALLOCATIONS, *SWAP, *DAMAGE)
