"""Processes and groups of several files are joined only where they are the same."""

from __future__ import annotations

import pytest

from signatures.judging.judge import judge
from signatures.judging.observation import State
from tests.signatures.build import fact, item, rows

LIMIT = [fact("memcg.usage_bytes", 100.0), fact("memcg.limit_bytes", 100.0)]


def state(finding, clause):
    return next(found.state for found in finding.clauses if found.clause.id == clause)


def one(catalog, items):
    (finding,) = judge(items, catalog)
    return finding


BOUND = """
bind: {p: process, cg: cgroup}
clauses:
  hot: {title: t, role: core, rows: {set: s, expr: max(duration_us), at: $p, at_least: 1 s}, weight: 4}
  faults: {title: t, role: core, fact: {name: perf.stat.page_faults, at: $p, at_least: 1}, weight: 4}
  limit: {title: t, role: context, fact: {name: memcg.usage_share, at: $cg, at_least: 0.98}, weight: 0}
decide: {require: {any: [hot]}, suspect: {score: 4}, match: {score: 8, all: [hot, faults]}}
"""


@pytest.mark.parametrize(("pid", "verdict"), [("7", "match"), ("8", "suspect")])
def test_two_named_processes_never_join(catalog_of, pid, verdict):
    items = [
        item("e", row_sets=[rows("s", "pid duration_us", (7.0, 2e6))]),
        item("f", facts=[fact("perf.stat.page_faults", 5.0, pid=pid)]),
    ]
    assert one(catalog_of(BOUND), items).verdict == verdict


def test_an_unnamed_process_joins_as_assumed(catalog_of):
    items = [
        item("e", row_sets=[rows("s", "tid duration_us", (7.0, 2e6))]),
        item("f", facts=[fact("perf.stat.page_faults", 5.0, pid="9")]),
    ]
    found = one(catalog_of(BOUND), items)
    assert found.verdict == "match"
    assert [s.clause.id for s in found.clauses if s.outcome.assumed] == ["hot"]


def test_a_namespace_pid_is_not_a_host_pid(catalog_of):
    items = [
        item("e", row_sets=[rows("s", "pid duration_us", (66.0, 2e6))]),
        item("f", facts=[fact("perf.stat.page_faults", 5.0, pid="66", pid_namespace="inner")]),
    ]
    assert one(catalog_of(BOUND), items).verdict == "suspect"


def test_usage_and_limit_of_two_directories_never_make_a_share(catalog_of):
    items = [
        item("a", path="one/memory.current", facts=[LIMIT[0]]),
        item("b", path="two/memory.max", facts=[LIMIT[1]]),
    ]
    assert state(one(catalog_of(BOUND), items), "limit") is State.UNKNOWN
    together = [items[0], item("b", path="one/memory.max", facts=[LIMIT[1]])]
    assert state(one(catalog_of(BOUND), together), "limit") is State.TRUE


def test_a_group_without_limit_is_not_at_its_limit(catalog_of):
    facts = [LIMIT[0], fact("memcg.limit_bytes", float("inf"))]
    assert state(one(catalog_of(BOUND), [item("a", facts=facts)]), "limit") is State.FALSE
