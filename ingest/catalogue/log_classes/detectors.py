"""Messages of what looks for bugs in the kernel: sanitizers, checks of lists, counts and copies."""

from __future__ import annotations

from ingest.catalogue.log_classes.causes import MACHINE_CHECKS, MEMORY_CORRUPTION
from ingest.catalogue.log_classes.model import LogClass

_EARLIER = (*MACHINE_CHECKS, *MEMORY_CORRUPTION)

CLASSES = (
    LogClass(
        name="kasan",
        subsystem="crash",
        severity="critical",
        pattern=r"^BUG: KASAN: (?P<what>\S.*?)(?: in(?: (?P<function>\S+)|$)|$)|^BUG: KASAN: ",
        meaning="KASAN: out-of-bounds access or use after free",
        source="mm/kasan/report.c print_error_description",
        sample="BUG: KASAN: slab-use-after-free in rdma_listen+0x1a4/0x4b0",
        is_report=True,
    ),
    LogClass(
        name="kfence",
        subsystem="crash",
        severity="critical",
        pattern=r"^BUG: KFENCE: (?P<what>.+?) in (?P<function>\S+)|^BUG: KFENCE: ",
        meaning="KFENCE: out-of-bounds access or use after free, found by sampling",
        source="mm/kfence/report.c kfence_report_error",
        sample="BUG: KFENCE: out-of-bounds read in test_out_of_bounds_read+0xa6/0x234",
        is_report=True,
    ),
    LogClass(
        name="kmsan",
        subsystem="crash",
        severity="error",
        pattern=r"^BUG: KMSAN: (?P<what>.+?) in (?P<function>\S+)",
        meaning="KMSAN: use of uninitialised memory",
        source="mm/kmsan/report.c kmsan_report",
        sample="BUG: KMSAN: uninit-value in fscrypt_crypt_data_unit+0x1d2/0x8c0",
        is_report=True,
    ),
    LogClass(
        name="kcsan",
        subsystem="crash",
        severity="warning",
        pattern=r"^BUG: KCSAN: (?P<what>.+?) in (?P<function>\S+)",
        meaning="KCSAN: data race",
        source="kernel/kcsan/report.c print_report",
        sample="BUG: KCSAN: data-race in __jbd2_journal_file_buffer / jbd2_journal_dirty_metadata",
        is_report=True,
    ),
    LogClass(
        name="memory_leak",
        subsystem="crash",
        severity="warning",
        pattern=r"^BUG: memory leak|^unreferenced object 0x[0-9a-f]+ \(size (?P<size>\d+)\)",
        meaning="memory leak in the kernel, found by kmemleak",
        source="mm/kmemleak.c print_unreferenced",
        sample="unreferenced object 0xffff88810e72f180 (size 32):",
        is_report=True,
    ),
    LogClass(
        name="ref_tracker",
        subsystem="crash",
        severity="error",
        pattern=r"^ref_tracker: (?P<what>reference already released|\S+ has \d+/\d+ users|leaked reference)",
        meaning="ref_tracker: a reference leaked or was released twice",
        source="lib/ref_tracker.c ref_tracker_free, ref_tracker_dir_print",
        sample="ref_tracker: reference already released.",
        is_report=True,
    ),
    LogClass(
        name="ubsan",
        subsystem="crash",
        severity="error",
        pattern=r"^UBSAN: (?P<what>.+?) in (?P<where>\S+)",
        meaning="UBSAN: undefined behaviour, such as an index out of bounds or a shift too large",
        source="lib/ubsan.c ubsan_prologue",
        sample="UBSAN: array-index-out-of-bounds in drivers/net/ethernet/broadcom/bnxt/bnxt.c:1234:5",
        is_report=True,
    ),
    LogClass(
        name="list_corruption",
        subsystem="crash",
        severity="critical",
        pattern=r"^list_(?:add|del)(?: double add| corruption)[.,: ]",
        meaning="list corruption: an overwritten, freed or doubly used list entry",
        source="lib/list_debug.c __list_add_valid_or_report",
        sample="list_del corruption. prev->next should be ffff888012345678, but was dead000000000100. "
        "(prev=ffff888012345600)",
        follows=_EARLIER,
        is_report=True,
    ),
    LogClass(
        name="refcount_bug",
        subsystem="crash",
        severity="critical",
        pattern=r"^refcount_t: (?P<what>.+)",
        meaning="refcount_t error: a reference count under- or overflowed, possible use after free",
        source="lib/refcount.c refcount_warn_saturate",
        sample="refcount_t: underflow; use-after-free.",
        follows=_EARLIER,
        is_report=True,
    ),
    LogClass(
        name="odebug",
        subsystem="crash",
        severity="error",
        pattern=r"^ODEBUG: (?P<what>\w+ \w+) \(active state",
        meaning="ODEBUG: an active object, often a timer, is freed or initialised again",
        source="lib/debugobjects.c debug_print_object",
        sample="ODEBUG: free active (active state 0) object: ffff888012345678 object type: timer_list hint: "
        "e1000_watchdog+0x0/0x30",
        is_report=True,
    ),
    LogClass(
        name="usercopy",
        subsystem="crash",
        severity="critical",
        pattern=r"^usercopy: (?P<what>.+) attempt detected",
        meaning="hardened usercopy: a copy to or from user space exceeds its kernel object",
        source="mm/usercopy.c usercopy_abort",
        sample="usercopy: Kernel memory exposure attempt detected from SLUB object 'kmalloc-64' (offset 0, "
        "size 128)!",
        is_report=True,
    ),
    LogClass(
        name="skb_panic",
        subsystem="crash",
        severity="critical",
        pattern=r"(?:^|: )skb_(?:over|under)_panic: (?:text|caller):",
        meaning="skb panic: a packet was written beyond its buffer",
        source="net/core/skbuff.c skb_panic",
        sample="skbuff: skb_over_panic: text:ffffffff8a1b2c3d len:1234 put:56 head:ffff888012345000 "
        "data:ffff888012345040 tail:0x512 end:0x4c0 dev:eth0",
        is_report=True,
    ),
)
