"""A fix is verified only where the same class of machine did the same work at a comparable rate."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from signatures.overview.contrast.comparability import comparison
from tests.signatures.build import fact, item, profile


def busy(comm, count=300, other=()):
    return item(
        "e", profiles=[profile([("u_main;u_work", count, comm, 7), ("u_main;read", 50, comm, 7), *other])]
    )


def timed(seconds, *, weight=1e7, comm="app"):
    """300 samples of `comm` in user mode over `seconds`, each of `weight` ns."""
    base = profile(
        [(f"u_main;u_{at}", 1, comm, 7) for at in range(300)], times=np.linspace(0, seconds, 300).tolist()
    )
    return item("e", profiles=[replace(base, unit="period:cpu-clock", sample_weight=np.full(300, weight))])


def test_the_same_programs_on_the_same_machine_compare():
    cpus = item("m", facts=[fact("cpu.online", 8.0)])
    found = comparison([busy("mysqld"), cpus], [busy("mysqld", 500), cpus])
    assert (found.differences, found.unknown) == ((), ("the rate of work",))


def test_other_programs_are_another_workload():
    found = comparison([busy("mysqld")], [busy("sleep")])
    assert found.words == (
        "the recordings do not compare: other programs ran (mysqld 100 % before, sleep 100 % after)"
    )


def test_kernel_threads_are_no_workload():
    storm = busy("mysqld", other=[("kthread;inode_switch_wbs_work_fn", 9000, "kworker/u8:1", 9)])
    assert comparison([storm], [busy("mysqld")]).differences == ()


def test_another_class_of_machine_does_not_compare():
    large, small = (item("m", facts=[fact("cpu.online", cpus)]) for cpus in (64.0, 8.0))
    found = comparison([busy("mysqld"), large], [busy("mysqld"), small])
    assert found.differences == ("another machine: CPUs 64 before, 8 after",)


@pytest.mark.parametrize(("seconds", "compares"), [(10, True), (30, True), (100, False), (1, False)])
def test_a_tenth_or_ten_times_of_the_work_does_not_compare(seconds, compares):
    found = comparison([timed(10)], [timed(seconds)])
    assert (found.differences == ()) is compares


def test_what_the_evidence_does_not_show_is_said():
    log = item("l", facts=[fact("memcg.failcnt", 3.0)])
    assert comparison([log], [log]).words == (
        "not compared: the machine, the programs that ran, the rate of work"
    )
