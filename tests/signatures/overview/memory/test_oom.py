"""The first screen says whom the OOM killer killed, and which limit was reached."""

from __future__ import annotations

import pytest

from signatures.overview.memory import oom

VICTIM = {"comm": "python3", "pid": 16262.0, "anon_rss_kb": 203904.0, "shmem_rss_kb": 0.0}


@pytest.mark.parametrize(
    ("fields", "cause"),
    [
        ({"scope": "global", "constraint": "CONSTRAINT_NONE"}, ": the machine was out of memory"),
        (
            {
                "scope": "memcg",
                "oom_memcg": "/a",
                "reached": "memory: usage 204800kB, limit 204800kB, failcnt 3",
            },
            ": the memory cgroup /a was at its limit of 200 MiB",
        ),
        (
            {"scope": "memcg", "reached": "memory+swap: usage 8192kB, limit 8192kB, failcnt 9"},
            ": its memory cgroup was at its limit of memory and swap, 8 MiB",
        ),
        (
            {"scope": "memcg"},
            ": its memory cgroup was at its limit (size not in the log)",
        ),
        (
            {"scope": "memcg", "oom_memcg": f"/docker/{'ab' * 32}"},
            ": the memory cgroup /docker/abababababab… was at its limit (size not in the log)",
        ),
        (
            {"scope": "global", "constraint": "CONSTRAINT_CPUSET"},
            ": no free memory on the nodes of the cpuset",
        ),
        ({"scope": "global", "order": -1.0}, " on request: SysRq f"),
        ({}, ": the limit is not in the log"),
    ],
)
def test_victim_and_cause_are_named(fields, cause):
    assert oom.words(VICTIM | fields) == f"OOM killer killed python3 (pid 16262, 199.1 MiB anonymous){cause}"


def test_shared_memory_of_the_victim_is_named_when_it_matters():
    assert "2048 MiB shared" in oom.words(VICTIM | {"shmem_rss_kb": float(2 << 20)})


def test_a_report_without_a_victim_names_none():
    assert oom.words({"scope": "memcg", "oom_memcg": "/a"}) == ""
