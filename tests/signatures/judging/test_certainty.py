"""A verdict says no more than its evidence: alternatives, refuted signs, strongest readings, totals."""

from __future__ import annotations

import pytest

from signatures.judging.judge import judge
from signatures.judging.observation import State
from signatures.judging.several_stacks import SEVERAL
from signatures.language.errors import SignatureError
from signatures.reporting.report import finding_document
from tests.signatures.build import fact, item, profile, rows
from tests.signatures.evidence import judge_text, library

HOT = profile([("a;f", 300), ("a;b", 300)])
OPEN = """
clauses:
  hot: {title: f is hot, role: core, stack: {contains: [f]}, share: {at_least: 0.3}, weight: 4}
  sure: {title: counted, role: core, fact: {name: memcg.failcnt, at_least: 10}, weight: 4}
  other:
    {title: g, role: rival, ruled_out_by: sure, fact: {name: memcg.events.oom_kill, at_least: 3}, weight: 4}
decide: {require: {any: [hot, sure]}, suspect: {score: 3}, match: {score: 4}}
"""


def one(catalog, items):
    (finding,) = judge(items, catalog)
    return finding


def state(finding, clause):
    return next(found for found in finding.clauses if found.clause.id == clause)


def test_an_undecided_alternative_leaves_a_suspect(catalog_of):
    found = one(catalog_of(OPEN), [item("e", profiles=[HOT])])
    assert (found.verdict, found.decision.because, found.rivals_open) == (
        "suspect",
        "an alternative is not decided",
        ("other",),
    )


def test_a_refuted_alternative_lets_it_match(catalog_of):
    items = [item("e", profiles=[HOT]), item("f", facts=[fact("memcg.events.oom_kill", 0.0)])]
    assert one(catalog_of(OPEN), items).verdict == "match"


def test_a_condition_may_rule_out_an_alternative(catalog_of):
    found = one(catalog_of(OPEN), [item("e", profiles=[HOT]), item("f", facts=[fact("memcg.failcnt", 50.0)])])
    other = state(found, "other")
    assert (found.verdict, other.state, other.outcome.reason) == ("match", State.FALSE, "ruled out: counted")
    assert [row[0] for row in other.outcome.citations] == ["f"]


@pytest.mark.parametrize(("hits", "state_of_kills"), [(912_331.0, State.FALSE), (0.0, State.UNKNOWN)])
def test_no_kill_since_the_group_was_made_counts_where_its_limit_was_hit(hits, state_of_kills):
    charge = "filemap_fault;charge_memcg;try_charge_memcg;try_to_free_mem_cgroup_pages;shrink_lruvec"
    events = [
        fact("memcg.events.oom_kill", 0.0, cgroup="/app"),
        fact("memcg.events.max", hits, cgroup="/app"),
    ]
    found = judge([item("e", profiles=[profile([(charge, 900)])]), item("f", facts=events)], library())
    (limit,) = (each for each in found if each.signature.id == "mm/memcg-limit-reclaim")
    assert state(limit, "rival_oomloop").state is state_of_kills


def test_a_capped_reading_rules_nothing_out(catalog_of):
    capped = OPEN.replace("at_least: 10}", "at_least: 10}, cap: {because: weak}")
    found = one(
        catalog_of(capped), [item("e", profiles=[HOT]), item("f", facts=[fact("memcg.failcnt", 50.0)])]
    )
    assert (found.verdict, state(found, "other").state) == ("suspect", State.UNKNOWN)


@pytest.mark.parametrize(
    ("change", "words"),
    [("ruled_out_by: nothing", "no such clause"), ("role: core, ruled_out_by: sure", "is not a rival")],
)
def test_only_a_rival_is_ruled_out_and_only_by_another_clause(catalog_of, change, words):
    text = OPEN.replace("ruled_out_by: sure", change).replace("role: rival, role: core", "role: core")
    with pytest.raises(SignatureError, match=words):
        catalog_of(text)


SHOWN = """
clauses:
  hot: {title: t, role: core, stack: {contains: [f]}, share: {at_least: 0.3}, weight: 4}
  other: {title: it is another, role: rival, stack: {contains: [a]}, share: {at_least: 0.9}, weight: 1}
decide: {require: {all: [hot]}, suspect: {score: 2}, match: {score: 2, all: [hot]}}
"""


def test_an_alternative_that_is_shown_leaves_a_suspect_and_is_named(catalog_of):
    found = one(catalog_of(SHOWN), [item("e", profiles=[HOT])])
    assert (found.verdict, found.decision.because) == ("suspect", "an alternative is met, too")
    assert finding_document(found).certainty == "Possible: an alternative is met, too: it is another."


def test_a_bound_that_is_strong_at_its_threshold_has_its_whole_weight(catalog_of):
    text = """
clauses:
  drops: {title: t, role: core, fact: {name: memcg.failcnt, at_least: 10, strong: 10}, weight: 4}
decide: {require: {all: [drops]}, suspect: {score: 2}, match: {score: 4}}
"""
    for value, verdict in ((9.0, "no_match"), (10.0, "match")):
        assert one(catalog_of(text), [item("e", facts=[fact("memcg.failcnt", value)])]).verdict == verdict


def test_a_refuted_sole_sign_is_no_match_though_another_condition_is_open(catalog_of):
    text = """
clauses:
  hot: {title: t, role: core, stack: {contains: [g]}, share: {at_least: 0.3}, weight: 4}
  more: {title: t, fact: {name: memcg.failcnt, at_least: 10}, weight: 4}
decide: {require: {any: [hot, more]}, suspect: {score: 3}, match: {score: 8}}
"""
    found = one(catalog_of(text), [item("e", profiles=[HOT])])
    assert (found.verdict, found.decision.because) == ("no_match", "every distinguishing sign is refuted")


def test_the_strongest_of_several_readings_is_reported(catalog_of):
    text = """
clauses:
  hold:
    title: t
    role: core
    any:
      - rows: {set: holds, expr: max(duration_us), at_least: 1 s}
      - rows: {set: stats, expr: max(duration_us), at_least: 1 s}
    weight: 4
decide: {require: {any: [hold]}, suspect: {score: 3}, match: {score: 4}}
"""
    short, long = rows("holds", "duration_us", (134.2e6,)), rows("stats", "duration_us", (564e6,))
    found = one(catalog_of(text), [item("e", row_sets=[short]), item("f", row_sets=[long])])
    assert state(found, "hold").outcome.observed == 564e6


SINGLE = """
clauses:
  drops:
    title: t
    role: core
    any:
      - fact: {expr: delta(softnet.dropped) / delta(softnet.processed), at_least: 0.01}
      - fact: {expr: softnet.dropped / softnet.processed, at_least: 0.01, single: true}
    weight: 4
decide: {require: {all: [drops]}, suspect: {score: 2}, match: {score: 4}}
"""


def softnet(*rows_of):
    return [
        fact(name, float(value), snapshot=at)
        for at, row in enumerate(rows_of)
        for name, value in zip(("softnet.dropped", "softnet.processed"), row, strict=True)
    ]


def test_one_total_that_is_large_against_its_base_is_a_capped_suspect(catalog_of):
    found = one(catalog_of(SINGLE), [item("e", facts=softnet((500, 1000)))])
    assert (found.verdict, found.decision.is_capped, found.decision.confidence) == ("suspect", True, 0.4)
    assert found.decision.caps == (("one reading: a total, which may be old", "drops"),)


def test_two_readings_are_judged_by_their_change_alone(catalog_of):
    found = one(catalog_of(SINGLE), [item("e", facts=softnet((500, 1000), (500, 2000)))])
    assert found.verdict == "no_match"


PERCENT = """$ netstat -s
Tcp:
    {opens} passive connection openings
TcpExt:
    189088 times the listen queue of a socket overflowed
"""


@pytest.mark.parametrize(("opens", "verdict"), [(41230117, "suspect"), (4123011700, "unknown")])
def test_overflows_since_boot_count_against_accepted_connections(catalog, opens, verdict):
    found = judge_text(PERCENT.format(opens=opens), catalog)["net/listen-overflow"]
    assert found.verdict == verdict


SEEN = """
affected: [{ecosystem: kernel.org, introduced: "6.1"}]
clauses:
  hot:
    title: t
    role: core
    any:
      - {stack: {contains: [f]}, share: {at_least: 0.30}}
      - {stack: {contains: [f]}, seen: true}
    weight: 4
decide: {require: {all: [hot]}, suspect: {score: 2}, match: {score: 4}}
"""


def bare(threads):
    return profile([("a;f", 1, "app", pid) for pid in range(1, threads + 1)], has_weights=False, what="bare")


BARE = bare(SEVERAL)


def test_a_stack_merely_seen_gives_way_to_a_measured_share_of_the_same_evidence(catalog_of):
    measured = profile([("a;f", 200), ("a;b", 800)])
    assert one(catalog_of(SEEN), [item("e", profiles=[measured, BARE])]).verdict == "no_match"
    assert one(catalog_of(SEEN), [item("e", profiles=[BARE])]).verdict == "suspect"


def test_one_stack_without_weight_is_no_crowd(catalog_of):
    catalog = catalog_of(SEEN)
    lone = one(catalog, [item("e", profiles=[bare(1)])])
    assert (lone.verdict, state(lone, "hot").state) == ("unknown", State.UNKNOWN)
    again = [item(f"e{at}", profiles=[bare(1)]) for at in range(SEVERAL)]
    assert one(catalog, again).verdict == "unknown"
    assert (
        one(catalog, [item("e", profiles=[bare(3)]), item("f", profiles=[bare(SEVERAL)])]).verdict
        == "suspect"
    )


@pytest.mark.parametrize("what", ["offcpu", "bare"])
def test_threads_that_sleep_show_no_time_on_a_cpu(catalog_of, what):
    asleep = profile(
        [("a;f;io_schedule;schedule", 1, "app", pid) for pid in range(9)], has_weights=False, what=what
    )
    assert one(catalog_of(SEEN), [item("e", profiles=[asleep])]).verdict == "unknown"


def test_printed_weights_of_few_samples_are_not_taken_as_seen(catalog_of):
    few = profile([("a;f", 7), ("a;b", 93)])
    found = one(catalog_of(SEEN), [item("e", profiles=[few])])
    assert (found.verdict, state(found, "hot").state) == ("unknown", State.UNKNOWN)


@pytest.mark.parametrize(
    ("release", "verdict"),
    [
        ("4.15.18", "not_applicable"),
        ("4.15.0-112-generic", "not_applicable"),
        ("5.14.0-427.13.1.el9_4.x86_64", "suspect"),
        ("6.6.10", "suspect"),
    ],
)
def test_a_kernel_too_old_to_have_it_silences_what_is_merely_seen(catalog_of, release, verdict):
    items = [item("e", profiles=[BARE]), item("u", facts=[fact("kernel.release", release)])]
    assert one(catalog_of(SEEN), items).verdict == verdict


def test_a_measured_share_on_a_kernel_too_old_for_it_is_not_silenced(catalog_of):
    items = [item("e", profiles=[HOT]), item("u", facts=[fact("kernel.release", "4.15.18")])]
    assert one(catalog_of(SEEN), items).verdict == "match"
