"""A share of busy time is no incident on a host that idles, unless it is one of a quota or of a second."""

from __future__ import annotations

import numpy as np
import pytest

from signatures.judging.capacity import LEAST
from signatures.judging.decide import MATCH, SUSPECT
from signatures.judging.judge import judge
from tests.signatures.build import fact, item, profile
from tests.signatures.evidence import library

IDLE = "start_secondary;do_idle;default_idle_call;native_safe_halt"
FAULT = "asm_exc_page_fault;exc_page_fault;do_user_addr_fault;handle_mm_fault;filemap_fault"
CHARGE = "__mem_cgroup_charge;try_charge_memcg;try_to_free_mem_cgroup_pages;shrink_node;shrink_lruvec"
WORKER = "ret_from_fork;kthread;worker_thread;process_one_work"
READ = "entry_SYSCALL_64_after_hwframe;do_syscall_64;vfs_read;seq_read"
SPIN = "_raw_spin_lock_irq;native_queued_spin_lock_slowpath"
STACKS = {
    "mm/mglru-evict-folios-lru-lock": f"{FAULT};{CHARGE};evict_folios;{SPIN}",
    "mm/shrink-lruvec-livelock": f"{FAULT};{CHARGE}",
    "writeback/inode-switch-wbs-storm": f"{WORKER};inode_switch_wbs_work_fn;{SPIN}",
    "mm/memcg-stat-show-stall": f"{READ};memcg_stat_show;mem_cgroup_iter",
}
SAMPLES, CPUS, SECONDS = 20_000, 8, 25.0


def host(stack, share, *, threads=1, order="spread"):
    """Return a recording of a host: `share` of its samples in `stack`, 0.8 % in other work, the rest idle."""
    count = int(SAMPLES * share)
    busy = [(stack, 1, "app", 4000 + at % threads) for at in range(count)]
    other = [(f"{READ};copy_to_user", 1, "top", 77)] * int(SAMPLES * 0.008)
    idle = [(IDLE, 1, "swapper", 0)] * (SAMPLES - len(busy) - len(other))
    rows = [*busy, *other, *idle]
    if order == "spread":
        rows = [rows[at] for at in np.random.default_rng(7).permutation(SAMPLES)]
    times = np.arange(SAMPLES) * (SECONDS / SAMPLES)
    return profile(rows, cpus=np.arange(SAMPLES) % CPUS, times=times)


def firing(recording, *facts):
    found = judge([item("e", profiles=[recording]), item("f", facts=facts)], library())
    return {one.signature.id for one in found if one.verdict in (MATCH, SUSPECT)}


@pytest.mark.parametrize("signature", STACKS)
@pytest.mark.parametrize("order", ["spread", "at once"])
def test_one_thread_of_a_host_that_idles_is_no_incident(signature, order):
    assert firing(host(STACKS[signature], 0.012, order=order)) == set()
    assert signature in firing(host(STACKS[signature], 0.40, threads=40))


def test_the_same_load_is_an_incident_of_a_small_quota():
    small = host(STACKS["mm/mglru-evict-folios-lru-lock"], 0.012)
    quota = fact("cgroup.cpu.quota_cpus", 0.1, cgroup="/a")
    assert firing(small, quota) == {"mm/mglru-evict-folios-lru-lock", "mm/memcg-limit-reclaim"}
    assert firing(small, fact("cgroup.cpu.quota_cpus", 4.0, cgroup="/a")) == set()
    assert firing(small, quota, fact("cgroup.cpu.quota_cpus", 4.0, cgroup="/b")) == set()


def test_a_second_of_several_cpus_is_an_incident():
    burst = host(STACKS["mm/mglru-evict-folios-lru-lock"], 0.03, threads=40, order="at once")
    assert LEAST > 0.03
    assert "mm/mglru-evict-folios-lru-lock" in firing(burst)


def test_one_cpu_of_many_is_an_incident():
    one = profile([(STACKS["mm/mglru-evict-folios-lru-lock"], 1000), (IDLE, 63_000, "swapper", 0)])
    assert firing(one) == set()
    assert "mm/mglru-evict-folios-lru-lock" in firing(one, fact("cpu.online", 64.0))


def test_a_recording_without_idle_samples_decides_by_its_share():
    alone = profile(
        [(STACKS["mm/mglru-evict-folios-lru-lock"], 240), (f"{READ};copy_to_user", 160, "top", 77)]
    )
    assert "mm/mglru-evict-folios-lru-lock" in firing(alone)


def test_too_few_samples_for_a_share_are_no_incident_of_a_host_that_idles():
    fault = STACKS["mm/mglru-evict-folios-lru-lock"]
    recorded = [(fault, 180, "etcd", 777), (IDLE, 15_500, "swapper", 0)]
    assert firing(profile(recorded)) == set()
    alone = profile([(fault, 180, "etcd", 777), (IDLE, 600, "swapper", 0)])
    assert "mm/mglru-evict-folios-lru-lock" in firing(alone)
