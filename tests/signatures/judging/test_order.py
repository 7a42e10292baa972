"""Of two signatures that fire on one fixture, what is declared decides which comes first."""

from __future__ import annotations

from graphlib import TopologicalSorter
from itertools import combinations

import pytest
import yaml

from cli.evidence.analysis import analyse
from signatures.judging.decide import MATCH, SUSPECT
from tests.signatures.evidence import fixtures, library, library_findings
from tests.signatures.golden import MATRIX

INDEPENDENT = {
    ("mm/atomic-allocation-failure", "sched/cpu-stuck"): "memory runs out beside a CPU that is stuck",
    ("net/listen-overflow", "net/tcp-retransmission"): "a full accept queue and lost segments",
    ("net/tcp-memory-limit", "net/udp-memory-limit"): "two limits, both reached",
}
"""Pairs of which neither explains the other, and why."""

FOLDERS = {name: folder for name, folder, _, _ in fixtures()}
FIRING = {
    name: sorted([*verdicts.get("match", ()), *verdicts.get("suspect", ())])
    for name, verdicts in yaml.load(MATRIX.read_text(), Loader=yaml.CSafeLoader).items()
}
PAIRS = {pair for firing in FIRING.values() for pair in combinations(firing, 2)}
TOGETHER = sorted(name for name, firing in FIRING.items() if len(firing) > 1)


def causes_of(name):
    """Return the signatures that explain one, or would supersede it."""
    by_id = {one.id: one for one in library().signatures}
    return {*by_id[name].follows, *(one.id for one in by_id.values() if name in one.supersedes)}


def test_two_signatures_that_fire_together_have_an_order():
    ordered = {pair for pair in PAIRS if pair[0] in causes_of(pair[1]) or pair[1] in causes_of(pair[0])}
    assert PAIRS - ordered == set(INDEPENDENT)


def test_no_signature_explains_itself():
    graph = {one.id: causes_of(one.id) for one in library().signatures}
    assert set(TopologicalSorter(graph).static_order()) >= set(graph)


@pytest.mark.parametrize("name", TOGETHER)
def test_what_explains_comes_first_unless_it_is_only_suspected(name):
    found = [one for one in library_findings(FOLDERS[name]) if one.verdict in (MATCH, SUSPECT)]
    shown = [one for one in found if not one.superseded_by]
    for at, one in enumerate(shown):
        causes = causes_of(one.signature.id)
        for other in shown[at + 1 :]:
            if (other.host, other.phase) == (one.host, one.phase) and other.signature.id in causes:
                assert (one.verdict, other.verdict) == (MATCH, SUSPECT)
                assert one.suspected_cause or one.caused_by


LOCKUP = """\
[  311.001001] watchdog: BUG: soft lockup - CPU#63 stuck for 22s! [kworker/63:2:9912]
[  311.001010] CPU: 63 PID: 9912 Comm: kworker/63:2 Not tainted 6.8.0-1019-gcp #21-Ubuntu
[  311.001011] Workqueue: inode_switch_wbs inode_switch_wbs_work_fn
[  311.001015] RIP: 0010:native_queued_spin_lock_slowpath+0x21f/0x2e0
[  311.001030] Call Trace:
[  311.001031]  <TASK>
[  311.001033]  _raw_spin_lock+0x3a/0x50
[  311.001036]  inode_switch_wbs_work_fn+0x6b4/0x8d0
[  311.001039]  process_one_work+0x181/0x3a0
[  311.001042]  worker_thread+0x306/0x440
[  311.001045]  kthread+0xf2/0x120
[  311.001048]  ret_from_fork+0x47/0x70
[  311.001050]  </TASK>
"""
POOL = """\
[  511.001001] BUG: workqueue lockup - pool cpus=6 node=0 flags=0x0 nice=0 stuck for 66s!
[  511.001101] Showing busy workqueues and worker pools:
[  511.001201] workqueue inode_switch_wbs: flags=0x0
[  511.001301]   pwq 26: cpus=6 node=0 flags=0x0 nice=0 active=121/256 refcnt=122
[  511.001401]     in-flight: 812:inode_switch_wbs_work_fn, 813:inode_switch_wbs_work_fn
[  511.001501]     pending: 98*inode_switch_wbs_work_fn
"""
RECLAIM = """\
[81234.100001] watchdog: BUG: soft lockup - CPU#17 stuck for 23s! [postgres:88123]
[81234.100012] CPU: 17 PID: 88123 Comm: postgres Tainted: G             L     6.1.58+ #1
[81234.100018] RIP: 0010:shrink_lruvec+0x1f3/0xd10
[81234.100031] Call Trace:
[81234.100033]  <TASK>
[81234.100040]  shrink_node+0x2a1/0x700
[81234.100044]  do_try_to_free_pages+0xd1/0x520
[81234.100048]  try_to_free_mem_cgroup_pages+0x107/0x230
[81234.100052]  try_charge_memcg+0x19d/0x7c0
[81234.100067]  page_cache_ra_unbounded+0xd6/0x180
[81234.100070]  filemap_fault+0x5d0/0xa60
[81234.100082]  exc_page_fault+0x68/0x160
[81234.100087]  </TASK>
"""


@pytest.mark.parametrize(
    ("log", "fact", "cause"),
    [
        (LOCKUP, "sched/cpu-stuck", "writeback/inode-switch-wbs-storm"),
        (POOL, "sched/workqueue-stall", "writeback/inode-switch-wbs-storm"),
        (RECLAIM, "sched/cpu-stuck", "mm/shrink-lruvec-livelock"),
    ],
    ids=["soft lockup", "workqueue lockup", "soft lockup in reclaim"],
)
def test_a_generic_fact_leads_with_the_specific_cause_right_below(tmp_path, log, fact, cause):
    path = tmp_path / "dmesg.txt"
    path.write_text(log)
    overview = analyse([str(path)]).overview
    assert (overview.headline.kind, overview.headline.signature) == ("match", fact)
    assert overview.suspicion.signature == cause
    assert overview.suspicion.text.startswith("May be: ")
