from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from signatures.document.catalog import load_catalog
from signatures.judging.decide import decide
from signatures.judging.judge import judge
from signatures.judging.observation import State
from signatures.judging.states import ClauseState, Outcome
from signatures.reporting.next_captures import next_captures
from tests.signatures.build import fact, item, log, profile, rows

RECLAIM = "u_main;handle_mm_fault;{}try_to_free_mem_cgroup_pages;shrink_node;shrink_lruvec"


SIGNATURES = load_catalog().signatures


def findings(items, catalog):
    return {finding.signature.id: finding for finding in judge(items, catalog)}


def state(finding, clause):
    return next(found.state for found in finding.clauses if found.clause.id == clause)


def one(catalog, items):
    (finding,) = judge(items, catalog)
    return finding


TWO = """
clauses:
  hot: {title: t, role: core, stack: {contains: [f]}, share: {at_least: 0.3}, weight: 4}
  limit: {title: t, role: context, fact: {name: memcg.usage_share, at_least: 0.98}, weight: 2}
  bad: {title: t, role: rival, veto: true, stack: {contains: [g]}, share: {at_least: 0.3}}
decide: {require: {any: [hot]}, suspect: {score: 3}, match: {score: 6, all: [hot, limit], min_coverage: 0.5}}
"""
HOT = profile([("a;f", 300), ("a;b", 300)])
BAD = profile([("a;g", 300), ("a;b", 300)])
LIMIT = [fact("memcg.usage_bytes", 100.0), fact("memcg.limit_bytes", 100.0)]


def test_a_context_clause_never_lifts_above_unknown(catalog_of):
    assert one(catalog_of(TWO), [item("e", facts=LIMIT)]).verdict == "unknown"


def test_a_core_clause_makes_a_suspect_and_all_of_them_a_match(catalog_of):
    assert one(catalog_of(TWO), [item("e", profiles=[HOT])]).verdict == "suspect"
    assert one(catalog_of(TWO), [item("e", profiles=[HOT]), item("f", facts=LIMIT)]).verdict == "match"


def test_a_veto_of_unknown_host_excludes_only_its_own_evidence(catalog_of):
    catalog = catalog_of(TWO)
    assert one(catalog, [item("e", profiles=[HOT]), item("f", profiles=[BAD])]).verdict == "suspect"
    assert one(catalog, [item("e", profiles=[HOT, BAD])]).verdict == "no_match"


def test_a_veto_of_a_known_host_excludes_the_host_and_no_other(catalog_of):
    catalog = catalog_of(TWO)
    same = [item("e", host="db1", profiles=[HOT]), item("f", host="db1", profiles=[BAD])]
    assert one(catalog, same).verdict == "no_match"
    other = [item("e", host="db1", profiles=[HOT]), item("f", host="db2", profiles=[BAD])]
    assert {finding.host: finding.verdict for finding in judge(other, catalog)} == {
        "db1": "suspect",
        "db2": "no_match",
    }


def test_a_veto_does_not_cross_a_boot_or_a_phase(catalog_of):
    catalog = catalog_of(TWO)
    boots = [item("e", host="h", boot="1", profiles=[HOT]), item("f", host="h", boot="2", profiles=[BAD])]
    assert one(catalog, boots).verdict == "suspect"
    phases = [item("e", host="h", profiles=[HOT]), item("f", host="h", phase="before", profiles=[BAD])]
    assert {f.phase: f.verdict for f in judge(phases, catalog)} == {"during": "suspect", "before": "no_match"}


def test_evidence_without_a_host_joins_the_only_named_one(catalog_of):
    found = one(catalog_of(TWO), [item("e", host="db1", profiles=[HOT]), item("f", facts=LIMIT)])
    assert (found.host, found.verdict) == ("db1", "match")


def test_evidence_without_a_host_joins_neither_of_two_hosts(catalog_of):
    items = [item("e", host="a", profiles=[HOT]), item("g", host="b", profiles=[HOT]), item("f", facts=LIMIT)]
    assert sorted((f.host, f.verdict) for f in judge(items, catalog_of(TWO))) == [
        ("", "unknown"), ("a", "suspect"), ("b", "suspect"),
    ]  # fmt: skip


CHANGE = """
clauses:
  rising: {title: t, role: core, fact: {expr: delta(memcg.failcnt), at_least: 10}, weight: 4}
decide: {require: {any: [rising]}, suspect: {score: 4}, match: {score: 4}}
"""


@pytest.mark.parametrize(
    ("values", "expected"), [((5, 25), "TRUE"), ((5, 6), "FALSE"), ((5,), "UNKNOWN"), ((25, 5), "UNKNOWN")]
)
def test_a_change_needs_two_snapshots_and_notices_a_reset(catalog_of, values, expected):
    facts = [fact("memcg.failcnt", float(value), snapshot=at) for at, value in enumerate(values)]
    assert state(one(catalog_of(CHANGE), [item("e", facts=facts)]), "rising").value == expected


WHEN = """
clauses:
  hot: {title: t, role: core, stack: {contains: [f]}, share: {at_least: 0.3}, weight: 4}
  logged: {title: t, role: core, log: {class: hogged, at_least: 1}, when: {kernel: ">=6.5"}, weight: 4}
decide: {require: {any: [hot, logged]}, suspect: {score: 3}, match: {score: 4, min_coverage: 0.9}}
next: {logged: {title: the kernel log, run: timeout -s KILL 5 dmesg, cost: none}}
"""


def test_unobservable_clauses_are_excluded_from_coverage_and_captures(catalog_of):
    catalog = catalog_of(WHEN)
    old = judge([item("e", profiles=[HOT], facts=[fact("kernel.release", "5.15.0")])], catalog)
    assert (state(old[0], "logged"), old[0].decision.coverage, old[0].verdict) == (
        State.NOT_OBSERVABLE,
        1.0,
        "match",
    )
    assert next_captures(old) == []
    new = judge([item("e", profiles=[HOT], facts=[fact("kernel.release", "6.8.0")])], catalog)
    assert (state(new[0], "logged"), new[0].decision.coverage, new[0].verdict) == (
        State.UNKNOWN,
        0.5,
        "suspect",
    )
    assert [wanted.settles for wanted in next_captures(new)] == [(("mm/test", "logged", "t"),)]


CONFIGURED = WHEN.replace('{kernel: ">=6.5"}', '{kernel: {release: ">=6.5", config: CONFIG_WQ_REPORT}}')


@pytest.mark.parametrize(
    ("release", "config", "expected"),
    [
        ("6.8.0", "n", State.NOT_OBSERVABLE),
        ("6.8.0", "y", State.UNKNOWN),
        ("6.8.0", "", State.UNKNOWN),
        ("5.15.0", "y", State.NOT_OBSERVABLE),
    ],
)
def test_a_missing_config_option_makes_a_clause_unobservable(catalog_of, release, config, expected):
    facts = [fact("kernel.release", release)] + ([fact("kernel.config.wq_report", config)] if config else [])
    found = one(catalog_of(CONFIGURED), [item("e", profiles=[HOT], facts=facts)])
    assert state(found, "logged") is expected


REFUTED = """
clauses:
  stuck:
    title: t
    role: core
    stack: {contains: [f]}
    share: {at_least: 0.3}
    refuted_by: {fact: {name: memcg.stat.pgsteal, at_least: 1}}
    weight: 4
decide: {require: {any: [stuck]}, suspect: {score: 2}, match: {score: 4}}
"""


@pytest.mark.parametrize(
    ("parts", "expected"),
    [
        ({"facts": [fact("memcg.stat.pgsteal", 9.0)]}, State.FALSE),
        ({"facts": [fact("memcg.stat.pgsteal", 0.0)]}, State.UNKNOWN),
        ({"facts": [fact("memcg.stat.pgsteal", 9.0)], "profiles": [HOT]}, State.TRUE),
    ],
)
def test_a_refutation_makes_false_and_never_true(catalog_of, parts, expected):
    finding = one(catalog_of(REFUTED), [item("e", **parts)])
    assert state(finding, "stuck") is expected
    assert (finding.clauses[0].outcome.reason == "refuted") is (expected is State.FALSE)


PROVED = """
applies: {fact: mm.lru_gen.enabled, is: true}
implies: [{frame: [evict_folios], fact: mm.lru_gen.enabled, is: true}]
clauses:
  hot: {title: t, role: core, stack: {contains: [f]}, share: {at_least: 0.3}, weight: 4}
decide: {require: {any: [hot]}, suspect: {score: 2}, match: {score: 4}}
"""
OFF = fact("mm.lru_gen.enabled", False)


@pytest.mark.parametrize(
    ("stack", "verdict"), [("a;evict_folios;f", "match"), ("a;lru_gen_add_folio;f", "not_applicable")]
)
def test_a_frame_overrides_a_disabled_switch(catalog_of, stack, verdict):
    """A switch may change after it was read; code that ran is stronger evidence."""
    running = item("e", host="h", profiles=[profile([(stack, 300)])])
    assert one(catalog_of(PROVED), [running, item("f", host="h", facts=[OFF])]).verdict == verdict


def test_an_old_log_line_of_the_same_host_is_outside_the_window(catalog_of):
    prof = profile([("a;b", 300)], times=[90_000.0])
    recent = [
        item("e", host="h", profiles=[prof]),
        item("l", host="h", log_records=[log("hogged", uptime=89_900.0)]),
    ]
    old = [
        item("e", host="h", profiles=[prof]),
        item("l", host="h", log_records=[log("hogged", uptime=100.0)]),
    ]
    assert state(one(catalog_of(WHEN), recent), "logged") is State.TRUE
    assert state(one(catalog_of(WHEN), old), "logged") is State.UNKNOWN


def test_a_capped_reading_alone_is_never_a_match(catalog_of):
    catalog = catalog_of(
        """
clauses:
  hot: {title: t, role: core, stack: {contains: [f]}, seen: true, weight: 4}
  long: {title: t, role: core, rows: {set: s, expr: max(x), at_least: 1}, weight: 4}
decide: {require: {any: [hot]}, suspect: {score: 4}, match: {score: 4, any: [hot, long]}}
"""
    )
    bare = item("e", profiles=[profile([("a;f", 1)], has_weights=False)])
    alone = one(catalog, [bare])
    assert (alone.verdict, alone.decision.is_capped, bool(alone.decision.caps)) == ("suspect", True, True)
    assert one(catalog, [bare, item("f", row_sets=[rows("s", "x", (5.0,))])]).verdict == "match"


def test_of_two_equally_strong_profiles_the_one_of_more_samples_is_cited_first(catalog_of):
    few, many = profile([("a;f", 300), ("a;b", 300)]), profile([("a;f", 3000), ("a;b", 3000)])
    found = one(catalog_of(TWO), [item("few", profiles=[few]), item("many", profiles=[many])])
    hot = next(clause for clause in found.clauses if clause.clause.id == "hot")
    assert [citation[0] for citation in hot.outcome.citations] == ["many", "few"]


def test_a_specialisation_that_matches_hides_its_parent(catalog):
    prof = profile([(RECLAIM.format("charge_memcg;"), 900, "app", 7), ("a;b", 100, "app", 7)])
    stuck = rows("mmap_lock_hold_stats", "tid duration_us nr_reclaimed nr_scanned", (8.0, 5e8, 32.0, 1e6))
    busy = fact("perf.top.kernel_share", 1.0)
    calls = rows("memcg_reclaim_end", "nr_reclaimed elapsed_ns", *[(4.0, 2e9)] * 5)
    found = findings([item("e", profiles=[prof]), item("f", row_sets=[stuck, calls], facts=[busy])], catalog)
    assert found["mm/shrink-lruvec-livelock"].verdict == "match"
    assert not found["mm/memcg-limit-reclaim"].is_listed


def test_threads_of_several_files_add_up(catalog_of):
    catalog = catalog_of(
        """
clauses:
  readers:
    title: t
    role: core
    stack: {contains: [cmdline_read]}
    seen: true
    distinct: {of: tid, at_least: 2}
    weight: 4
decide: {require: {any: [readers]}, suspect: {score: 4}, match: {score: 4}}
"""
    )

    def file_of(pid, host=""):
        stack = profile([("a;cmdline_read", 1, "ps", pid)], has_weights=False, what="bare")
        return item(f"proc/{pid}/stack", host=host, profiles=[stack])

    assert one(catalog, [file_of(7), file_of(7)]).verdict == "unknown"
    found = one(catalog, [file_of(7, "h"), file_of(8, "h")])
    assert (found.verdict, found.decision.is_capped) == ("suspect", True)
    assert sorted(name for name, _, _ in found.clauses[0].outcome.citations) == [
        "proc/7/stack",
        "proc/8/stack",
    ]


def clause_states(signature, states):
    return {
        clause.id: ClauseState(clause, Outcome(value, strength=1.0 if value is State.TRUE else 0.0))
        for clause, value in zip(signature.clauses, states, strict=True)
    }


@settings(deadline=None)
@given(st.data())
def test_an_added_unknown_never_raises_confidence_times_coverage(data):
    signature = data.draw(st.sampled_from(SIGNATURES))
    kinds = st.sampled_from([State.TRUE, State.FALSE, State.UNKNOWN])
    states = data.draw(st.lists(kinds, min_size=len(signature.clauses), max_size=len(signature.clauses)))
    # A refuted supporting condition costs its weight; without that evidence it costs nothing.
    positives = [
        at
        for at, clause in enumerate(signature.clauses)
        if clause.role != "rival" and (clause.role != "corroborates" or states[at] is not State.FALSE)
    ]
    at = data.draw(st.sampled_from(positives))
    before = decide(signature, clause_states(signature, states))
    after = decide(signature, clause_states(signature, [*states[:at], State.UNKNOWN, *states[at + 1 :]]))
    if before.confidence is not None and after.confidence is not None:
        assert after.confidence * after.coverage <= before.confidence * before.coverage + 1e-9
