"""A condition is met by functions of its own path, never by the absence of others."""

from __future__ import annotations

import pytest

from signatures.judging.observation import State
from tests.signatures.evidence import judge_text

MGLRU = "mm/mglru-evict-folios-lru-lock"
HEAD = """\
# Samples: 88K of event 'cycles'
#
# Children      Self  Command  Shared Object      Symbol
# ........  ........  .......  .................  ..............................
#
"""
TREE = """\
    91.20%     0.00%  db       [kernel.kallsyms]  [k] asm_exc_page_fault
            |
            ---asm_exc_page_fault
               exc_page_fault
               do_user_addr_fault
               handle_mm_fault
               filemap_fault
               try_charge_memcg
               try_to_free_mem_cgroup_pages
               shrink_lruvec
               |
                --88.10%--TAKER
                          |
                          |--61.33%--_raw_spin_lock_irq
                          |          native_queued_spin_lock_slowpath
                          |
                           --12.20%--work

    61.40%    61.31%  db       [kernel.kallsyms]  [k] native_queued_spin_lock_slowpath
"""
FLAT = "    57.64%  [kernel]       [k] native_queued_spin_lock_slowpath\n"


def clauses(text, catalog, signature=MGLRU):
    found = judge_text(text, catalog)[signature]
    return found.verdict, {one.clause.id: one for one in found.clauses}


@pytest.mark.parametrize(
    "rows",
    [
        "",
        "     4.10%  nginx          [.] ngx_http_process\n",
        "    12.05%  [kernel]  [k] _raw_spin_unlock_irq\n",
    ],
)
@pytest.mark.parametrize(
    "head", ["", "# Overhead  Shared Object  Symbol\n# ........  .............  ......\n"]
)
def test_a_hot_lock_in_a_table_is_no_particular_lock(head, rows, catalog):
    found = judge_text(head + FLAT + rows, catalog)
    assert not [one for one in found.values() if one.verdict in ("match", "suspect")]


def test_a_row_of_the_path_makes_it_a_suspect(catalog):
    verdict, states = clauses(FLAT + "     3.10%  [kernel]  [k] evict_folios\n", catalog)
    assert verdict == "suspect"
    assert states["spinning"].outcome.caps


@pytest.mark.parametrize(("taker", "is_named"), [("evict_folios", True), ("alloc_iova", False)])
def test_a_call_tree_names_who_takes_the_lock(taker, is_named, catalog):
    verdict, states = clauses(HEAD + TREE.replace("TAKER", taker), catalog)
    assert (verdict == "suspect") is is_named
    assert states["spinning"].state is (State.TRUE if is_named else State.FALSE)
    assert states["spinning"].outcome.samples


def test_stacks_refute_what_rows_of_the_same_evidence_suggest(catalog):
    row = "     3.10%     3.10%  db       [kernel.kallsyms]  [k] evict_folios\n"
    _, states = clauses(HEAD + TREE.replace("TAKER", "alloc_iova") + row, catalog)
    assert states["spinning"].state is State.FALSE


KSWAPD = "ret_from_fork;kthread;kswapd;balance_pgdat;shrink_node;shrink_lruvec;evict_folios"


def test_kswapd_is_no_memory_cgroup(catalog):
    folded = (
        f"kswapd0;{KSWAPD};_raw_spin_lock_irq;native_queued_spin_lock_slowpath 4000\nkswapd0;{KSWAPD} 900\n"
    )
    verdict, states = clauses(folded, catalog)
    assert verdict == "no_match"
    assert states["spinning"].state is State.FALSE


def timed(command):
    return f"$ time {command}\n\nreal\t0m0.931s\nuser\t0m0.003s\nsys\t0m0.902s\n"


@pytest.mark.parametrize(
    ("command", "is_suspected"),
    [
        ("cat /sys/fs/cgroup/memory/memory.stat >/dev/null", True),
        ("cat /sys/fs/cgroup/memory/kubepods/memory.stat", True),
        ("cat memory.stat", True),
        ("cat $CG/memory.stat >/dev/null", True),
        ("cat /mnt/backup/memory.stat", False),
        ("cat /mnt/backup/host-7/memory.stat.old", False),
        ("grep cache /home/ann/memory.statistics", False),
    ],
)
def test_a_file_of_that_name_elsewhere_is_none_of_a_cgroup(command, is_suspected, catalog):
    found = judge_text(timed(command), catalog)["mm/memcg-stat-show-stall"]
    assert (found.verdict == "suspect") is is_suspected


HUNG = "\n".join(
    f"[ 123{at}.567890] {line}"
    for at, line in enumerate(
        (
            "INFO: task kubelet:4711 blocked for more than 120 seconds.",
            "task:kubelet          state:D stack:    0 pid: 4711 ppid:     1 flags:0x00000000",
            "Call Trace:",
            " schedule+0x46/0xb0",
            " rwsem_down_read_slowpath+0xb0/0x120",
            " PERMISSION+0x38/0x60",
            " inode_permission+0x38/0x60",
        )
    )
)


@pytest.mark.parametrize(("function", "is_met"), [("kernfs_iop_permission", False), ("nfs_permission", True)])
def test_a_function_whose_name_ends_alike_is_another(function, is_met, catalog):
    found = judge_text(HUNG.replace("PERMISSION", function) + "\n", catalog)["fs/nfs-server-not-responding"]
    assert (found.verdict in ("match", "suspect")) is is_met
