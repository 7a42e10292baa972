"""Entity resolution: a process joins its cgroup when the evidence states it, or when there is only one."""

from __future__ import annotations

import pytest

from ingest.evidence import read_bytes
from signatures.judging.judge import judge
from signatures.judging.observation import State
from signatures.judging.scope import items_of
from signatures.language.errors import SignatureError
from tests.signatures.build import fact, item, log, rows

OWN = """
bind: {p: process, cg: cgroup_of(p)}
clauses:
  slow: {title: t, role: core, rows: {set: s, expr: max(x_us), at: $p, at_least: 1 s}, weight: 4}
  full: {title: t, role: core, fact: {name: memcg.usage_share, at: $cg, at_least: 0.98}, weight: 4}
decide: {require: {any: [slow]}, suspect: {score: 4}, match: {score: 8, all: [slow, full]}}
"""
SLOW = item("e", row_sets=[rows("s", "pid x_us", (7.0, 2e6))])


def group(path, usage=100.0):
    facts = [fact("memcg.usage_bytes", usage, cgroup=path), fact("memcg.limit_bytes", 100.0, cgroup=path)]
    return item(f"files of {path}", facts=facts)


def home(path, hierarchy="unified", pid="7"):
    return item("home", facts=[fact("process.cgroup", path, pid=pid, hierarchy=hierarchy)])


def found(catalog, *items):
    (finding,) = judge([SLOW, *items], catalog)
    state = next(s for s in finding.clauses if s.clause.id == "full")
    return finding.verdict, dict(finding.entity)["cg"], state.outcome.assumed


@pytest.mark.parametrize(
    ("own", "expected"),
    [
        (home("/pods/a"), ("match", "/pods/a", False)),
        (home("/pods/a/main"), ("match", "/pods/a", False)),
        (home("/pods/a (deleted)"), ("match", "/pods/a", False)),
        (home("/pods/ab"), ("suspect", "", False)),
        (home("/pods/b"), ("suspect", "", False)),
        (home("/pods/a", hierarchy="cpu,cpuacct"), ("match", "/pods/a", True)),
        (home("/"), ("match", "/pods/a", True)),
        (home("/pods/b", pid="8"), ("match", "/pods/a", True)),
    ],
)
def test_a_cgroup_at_its_limit_counts_for_its_processes(catalog_of, own, expected):
    assert found(catalog_of(OWN), group("/pods/a"), own) == expected


def test_the_memory_hierarchy_of_cgroup_v1_comes_first(catalog_of):
    both = item(
        "home",
        facts=[
            fact("process.cgroup", "/pods/b", pid="7", hierarchy="memory"),
            fact("process.cgroup", "/pods/a", pid="7", hierarchy="unified"),
        ],
    )
    assert found(catalog_of(OWN), group("/pods/a"), both)[0] == "suspect"


def test_several_cgroups_never_join_an_unassigned_process(catalog_of):
    assert found(catalog_of(OWN), group("/pods/a")) == ("match", "/pods/a", True)
    several = found(catalog_of(OWN), group("/pods/a"), group("/pods/b", usage=1.0))
    assert several == ("suspect", "", False)


def test_without_processes_the_fullest_cgroup_is_shown(catalog_of):
    (finding,) = judge([group("/pods/a"), group("/pods/b", usage=1.0)], catalog_of(OWN))
    assert dict(finding.entity)["cg"] == "/pods/a"


@pytest.mark.parametrize(
    ("bind", "words"),
    [
        ("{cg: cgroup_of(p)}", "'p' is not bound to a process; write p: process beside it"),
        ("{p: cgroup, cg: cgroup_of(p)}", "'p' is not bound to a process"),
        ("{p: thread}", "'thread' is not allowed; write one of process, cgroup"),
    ],
)
def test_an_invalid_binding_is_rejected(catalog_of, bind, words):
    with pytest.raises(SignatureError) as error:
        catalog_of(OWN.replace("{p: process, cg: cgroup_of(p)}", bind))
    assert words in str(error.value)


KILLED = """
bind: {cg: cgroup}
clauses:
  killed: {title: t, role: core, log: {class: oom_kill, at: $cg, by: oom_memcg, at_least: 2}, weight: 4}
decide: {require: {any: [killed]}, suspect: {score: 4}, match: {score: 4}}
"""


def test_kills_are_counted_for_the_group_whose_limit_was_reached(catalog_of):
    kills = [
        log("oom_kill", uptime=10.0 + at, oom_memcg="/pods", cgroup=f"/pods/{name}")
        for at, name in enumerate("ab")
    ]
    (finding,) = judge([item("e", log_records=kills)], catalog_of(KILLED))
    assert (finding.verdict, dict(finding.entity)["cg"]) == ("match", "/pods")
    assert finding.clauses[0].state is State.TRUE


PASTE = b"""==> /proc/864720/cgroup <==
0::/pods/a/main
1764000000.328942100
==> /sys/fs/cgroup/pods/a/memory.current <==
4294967296
==> /sys/fs/cgroup/pods/a/memory.max <==
4294967296
"""


@pytest.mark.parametrize(("own", "verdict"), [(b"/pods/a/main", "match"), (b"/pods/b/main", "suspect")])
def test_a_cgroup_capture_names_its_processes(catalog_of, own, verdict):
    paste = read_bytes(PASTE.replace(b"/pods/a/main", own), name="pasted")
    slow = item("e", row_sets=[rows("s", "pid x_us", (864720.0, 2e6))])
    (finding,) = judge([slow, *items_of([paste])], catalog_of(OWN))
    assert finding.verdict == verdict
