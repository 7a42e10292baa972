"""`fact`: labels, aggregates, rates and caps."""

from __future__ import annotations

import pytest
import yaml

from signatures.document.condition_parser import test_of as condition_of
from signatures.judging.fact_index import facts_of
from signatures.judging.observation import State
from signatures.judging.observe import observe_facts
from signatures.language.errors import SignatureError
from tests.signatures.build import ask_facts, fact, item

PER_CPU = [
    fact("softnet.dropped", value, cpu=cpu, snapshot=snapshot, at=float(10 * snapshot))
    for snapshot, values in enumerate([(5.0, 100.0), (5.0, 160.0)])
    for cpu, value in zip("01", values, strict=True)
]


def test_labelled_facts_are_compared_per_label():
    found = ask_facts("{fact: {expr: delta(softnet.dropped), at_least: 10}}", *PER_CPU)
    assert [(one.observed, one.state, one.note) for one in found] == [
        (0.0, State.FALSE, "cpu 0"),
        (60.0, State.TRUE, "cpu 1"),
    ]


@pytest.mark.parametrize(
    ("expression", "value"),
    [
        ("sum(softnet.dropped)", 105.0),
        ("max(softnet.dropped) - min(softnet.dropped)", 95.0),
        ("distinct(softnet.dropped)", 2.0),
        ("sum(delta(softnet.dropped))", 60.0),
        ("max(rate(softnet.dropped))", 6.0),
    ],
)
def test_an_aggregate_covers_all_labels(expression, value):
    (found,) = ask_facts(f"{{fact: {{expr: {expression}, at_least: 0}}}}", *PER_CPU)
    assert found.observed == pytest.approx(value)


def test_a_label_can_be_chosen():
    (found,) = ask_facts("{fact: {name: softnet.dropped, where: {cpu: '1'}, at_least: 150}}", *PER_CPU[2:])
    assert (found.observed, found.state) == (160.0, State.TRUE)


def test_the_pressure_of_a_cgroup_is_not_the_hosts():
    name = "pressure.memory.full.avg10_share"
    facts = [fact(name, 0.02), fact(name, 0.6, cgroup="/pods/a")]
    (found,) = ask_facts(f"{{fact: {{name: {name}, where: {{cgroup: ''}}, at_least: 10 %}}}}", *facts)
    assert (found.observed, found.state) == (0.02, State.FALSE)


def test_facts_of_two_nodes_are_never_mixed():
    facts = [
        fact("numa.free", 1.0, node="0"),
        fact("numa.total", 10.0, node="1"),
        fact("numa.total", 9.0, node="2"),
    ]
    (found,) = ask_facts("{fact: {expr: numa.free / numa.total, at_least: 0.1}}", *facts[:2])
    assert found.state is State.TRUE  # one label each is one statement
    assert ask_facts("{fact: {expr: numa.free / numa.total, at_least: 0.1}}", *facts)[0].note == "node 1"


@pytest.mark.parametrize(
    ("times", "reason"),
    [((None, None), "a rate needs two"), ((10.0, 10.5), "0.5 s apart"), ((0.0, 10.0), "")],
)
def test_a_rate_needs_two_snapshots_a_second_apart(times, reason):
    facts = [fact("vmstat.x", value, snapshot=at, at=times[at]) for at, value in enumerate((5.0, 105.0))]
    (found,) = ask_facts("{fact: {expr: rate(vmstat.x), at_least: 5}}", *facts)
    assert reason in found.reason
    assert (found.state, found.observed) == ((State.UNKNOWN, None) if reason else (State.TRUE, 10.0))


@pytest.mark.parametrize(
    "cap", ["", ", cap: {confidence: 0.4, because: a word is no measurement, title: only a claim}"]
)
def test_a_cap_limits_a_fact_condition(cap):
    (found,) = ask_facts(
        f"{{fact: {{name: human.hung_tool, at_least: 1}}{cap}}}", fact("human.hung_tool", 1.0)
    )
    assert found.state is State.TRUE
    assert found.caps == (("a word is no measurement",) if cap else ())
    assert (found.confidence_cap, found.cap_title) == ((0.4, "only a claim") if cap else (1.0, ""))


def test_of_two_snapshots_the_later_decides():
    slab = [fact("meminfo.slab_bytes", value, snapshot=at) for at, value in enumerate((2.0, 55.0))]
    (found,) = ask_facts("{fact: {expr: meminfo.slab_bytes, at_least: 50}}", *slab)
    assert (found.observed, found.state) == (55.0, State.TRUE)


NEVER = "{fact: {name: memcg.events.oom_kill, at: $cg, at_most: 0, never: true}}"


@pytest.mark.parametrize(
    ("others", "state"),
    [
        ({"memcg.events.max": 90211.0}, State.TRUE),
        ({"memcg.events.high": 90211.0}, State.TRUE),
        ({"memcg.stat.pgscan": 961e6}, State.TRUE),
        ({"memcg.events.max": 2.0, "memcg.stat.pgscan": 0.0}, State.UNKNOWN),  # a container just restarted
        ({"memcg.events_local.max": 90211.0}, State.UNKNOWN),
        ({}, State.UNKNOWN),
    ],
)
def test_a_counter_at_zero_is_evidence_where_its_group_lived_through_the_pressure(others, state):
    facts = [fact(name, value, cgroup="/a") for name, value in others.items()]
    (found,) = ask_facts(NEVER, fact("memcg.events.oom_kill", 0.0, cgroup="/a"), *facts)
    assert found.state is state
    # Another group's age says nothing of this one.
    alien = [fact(name, value, cgroup="/b") for name, value in others.items()]
    assert ask_facts(NEVER, fact("memcg.events.oom_kill", 0.0, cgroup="/a"), *alien)[0].state is State.UNKNOWN


def of_task(group, *facts, boot=""):
    cgroup = fact("process.cgroup", group, pid="7", hierarchy="unified")
    return item("e", facts=[fact("memcg.events.oom_kill", 0.0, cgroup="/a"), cgroup, *facts], boot=boot)


def started(value):
    return fact("process.started_uptime_seconds", value, pid="7", comm="db")


OLD = fact("process.age_seconds", 1_047_845.0, pid="7")
UP = fact("host.uptime_seconds", 2_000_000.0)


@pytest.mark.parametrize(
    ("group", "facts", "state"),
    [
        ("/a", [OLD], State.TRUE),
        ("/a/worker", [OLD], State.TRUE),
        ("/a", [started(2234.5), UP], State.TRUE),
        # The task of another group, or of the parent; one whose group is not known.
        ("/ab", [OLD], State.UNKNOWN),
        ("/b", [OLD], State.UNKNOWN),
        ("/", [OLD], State.UNKNOWN),
        ("/a", [fact("process.age_seconds", 1_047_845.0, pid="8")], State.UNKNOWN),
        # A container that was restarted ten minutes ago; a number that was used again.
        ("/a", [fact("process.age_seconds", 600.0, pid="7")], State.UNKNOWN),
        ("/a", [started(1_999_400.0), UP], State.UNKNOWN),
        ("/a", [OLD, fact("process.age_seconds", 60.0, pid="7", snapshot=1)], State.UNKNOWN),
        # Seconds since boot are no age without the time since boot.
        ("/a", [started(2234.5)], State.UNKNOWN),
        ("/a", [started(float("nan")), UP], State.UNKNOWN),
        ("/a", [OLD, started(float("nan")), UP], State.UNKNOWN),
    ],
)
def test_a_group_is_as_old_as_a_task_of_it(group, facts, state):
    condition = condition_of("f", "c", yaml.safe_load(NEVER))
    (found,) = observe_facts(condition, facts_of([of_task(group, *facts)]))
    assert found.match_result.state is state
    assert ("runs since" in found.match_result.note) == (state is State.TRUE)


def test_the_time_since_another_boot_dates_no_task():
    other = item("before", facts=[fact("host.uptime_seconds", 9e6)], boot="b0")
    condition = condition_of("f", "c", yaml.safe_load(NEVER))
    (found,) = observe_facts(condition, facts_of([of_task("/a", started(2234.5), boot="b1"), other]))
    assert found.match_result.state is State.UNKNOWN


@pytest.mark.parametrize("kills", [1.0, float("nan"), 1e300])
def test_kills_since_the_group_was_made_may_be_old(kills):
    facts = [fact("memcg.events.oom_kill", kills), fact("memcg.events.max", 90211.0)]
    assert ask_facts(NEVER, *facts)[0].state is State.UNKNOWN


def test_a_counter_of_the_host_counts_since_boot():
    host = NEVER.replace("memcg.events", "vmstat")
    assert ask_facts(host, fact("vmstat.oom_kill", 0.0))[0].state is State.TRUE


def test_only_counters_with_a_known_age_can_be_never():
    with pytest.raises(SignatureError, match="no counter with a known age"):
        ask_facts(NEVER.replace("oom_kill", "low"))


@pytest.mark.parametrize(
    ("available", "state"), [(0.4e9, State.TRUE), (9e9, State.UNKNOWN), (1.4e9, State.FALSE)]
)
def test_a_value_that_cannot_be_right_decides_nothing(available, state):
    facts = [fact("meminfo.memtotal_bytes", 1.5e9), fact("meminfo.memavailable_bytes", available)]
    (found,) = ask_facts("{fact: {name: meminfo.memavailable_bytes, below: 500 MiB}}", *facts)
    assert found.state is state
