"""`/proc/kallsyms`, `System.map`: the functions that the kernel and its modules have.

Example:
    ffffffff81a3c1d0 T evict_folios
    ffffffffc0714010 t ext4_mb_scan_groups	[ext4]

Of a hundred thousand names only those that date the code are stored, the others are counted. A name
that is missing proves nothing: static functions are inlined, and the list may be cut. Addresses say nothing
across boots.

Source: s_show in kernel/kallsyms.c.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from ingest.parsing.fact_reader import FactReader

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ingest.model.reading import Reading
    from ingest.model.section import Text

NAME = "proc-kallsyms"
VERSION = 1
TITLE = "/proc/kallsyms, System.map"
EXAMPLE = "ffffffff81a3c1d0 T evict_folios\nffffffffc0714010 t ext4_mb_scan_groups\t[ext4]"

PATHS: tuple[str, ...] = ("proc/kallsyms", "boot/System.map-*")
COMMANDS: tuple[str, ...] = ()
HINTS: tuple[str, ...] = ("kallsyms*", "System.map*")

_NAMES = """
    __add_to_page_cache_locked __filemap_add_folio __fsnotify_update_child_dentry_flags __get_page_tail
    __mem_cgroup_charge __node_reclaim __zone_reclaim charge_memcg cleanup_offline_cgwb
    cleanup_offline_cgwbs_workfn css_rstat_flush do_flush_stats evict_folios ext4_mb_choose_next_group
    ext4_mb_scan_groups filemap_add_folio fsnotify_set_children_dentry_flags futex_private_hash
    get_mm_counter_sum lock_vma_under_rcu lru_note_cost lru_note_cost_unlock_irq memcg1_stat_format
    memcg_stat_show native_flush_tlb_multi native_flush_tlb_others node_reclaim process_inode_switch_wbs
    put_compound_page rwsem_down_read_failed rwsem_down_read_slowpath rwsem_down_write_failed
    rwsem_down_write_slowpath sched_balance_update_blocked_averages shrink_folio_list shrink_node
    shrink_node_memcg shrink_page_list shrink_zone smp_call_function_many_cond tmigr_handle_remote
    try_charge try_charge_memcg update_blocked_averages zone_reclaim
"""
FEATURE_SYMBOLS = frozenset(_NAMES.split())
"""Functions that came or went between two releases; the releases are in
`signatures/judging/version_inference.yaml`.
"""

MIN_LINES = 2
_SYMBOL = re.compile(r"^[0-9a-f]{8,16} (?P<kind>[A-Za-z]) (?P<name>[\w.$]+)(?:\t\[(?P<module>[\w-]+)\])?\s*$")
_FUNCTIONS = frozenset("tTwW")


STARTS = (r"[0-9a-f]{8,16} [A-Za-z] ",)


def begins(lines: Sequence[str], at: int) -> bool:
    """Return whether two symbols in a row start at `lines[at]`."""
    following = lines[at : at + MIN_LINES]
    return len(following) == MIN_LINES and all(_SYMBOL.match(line) for line in following)


def continues(line: str) -> bool:
    """Return whether `line` is a symbol."""
    return bool(_SYMBOL.match(line))


def read(text: Text) -> Reading:
    """Read the functions that date code."""
    reader = FactReader(text)
    for line, entry in reader.lines():
        symbol = _SYMBOL.match(entry)
        if not symbol:
            reader.skips.add("not a symbol of the kernel", line)
        elif symbol["name"] in FEATURE_SYMBOLS and symbol["kind"] in _FUNCTIONS:
            reader.add("feature.function", True, line, labels={"name": symbol["name"]})
        else:
            reader.skips.add("function that dates no code", line)
    return reader.result()
