"""Conditions of the signature language: joins, labels, rates, sequences, version inference."""

from __future__ import annotations

from dataclasses import replace

import pytest
import yaml

from ingest.model.histogram import Histogram
from ingest.model.reading import Reading
from ingest.readers.proc.proc_kallsyms import FEATURE_SYMBOLS
from signatures.judging.fact_index import facts_of, implied
from signatures.judging.observation import State
from signatures.judging.observe import observe_facts, observe_reading
from signatures.judging.profile_index import Trees
from signatures.judging.states import outcome_of
from signatures.judging.version_inference import infer_version, table
from signatures.language.condition_parser import test_of as build
from signatures.language.model import Implication
from tests.signatures.build import fact, item, log, profile, rows


def ask(text, **parts):
    test = build("f", "c", yaml.safe_load(text))
    return observe_reading(test, Reading(**{name: tuple(value) for name, value in parts.items()}))


def ask_facts(text, *facts):
    test = build("f", "c", yaml.safe_load(text))
    return [o.match_result for o in observe_facts(test, facts_of([item("e", facts=facts)]))]


def test_a_population_can_be_the_threads_of_one_name():
    prof = profile([("a;f", 150, "kworker/1:2+x", 7), ("a;b", 50, "kworker/0:1", 8), ("a;f", 800, "app", 9)])
    text = "{stack: {contains: [f], comm: 'kworker/*'}, share: {at_least: 0.5}}"
    (found,) = ask(text, profiles=[prof])
    assert found.observed == pytest.approx(0.75)


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


CMDLINE = fact("boot.cmdline", "BOOT_IMAGE=/vmlinuz mitigations=off quiet")
UBUNTU = fact("kernel.release", "6.8.0-1019-gcp")


@pytest.mark.parametrize(
    ("kernel", "facts", "state"),
    [
        ("{parameter: mitigations=off}", [CMDLINE], State.TRUE),
        ("{parameter: mitigations=on}", [CMDLINE], State.FALSE),
        ("{config: CONFIG_LRU_GEN}", [fact("kernel.config.lru_gen", "y")], State.TRUE),
        ("{config: CONFIG_LRU_GEN}", [fact("kernel.config.lru_gen", "n")], State.FALSE),
        ("{ecosystem: ubuntu}", [UBUNTU], State.TRUE),
        ("{ecosystem: rhel, release: '>=4.18'}", [UBUNTU], State.FALSE),
        ("{ecosystem: ubuntu, release: '>=6.5'}", [UBUNTU], State.TRUE),
    ],
)
def test_kernel_conditions_cover_config_and_parameters(kernel, facts, state):
    assert [found.state for found in ask_facts(f"{{kernel: {kernel}}}", *facts)] == [state]


def test_missing_kernel_facts_are_unknown():
    assert ask_facts("{kernel: {config: CONFIG_LRU_GEN}}", UBUNTU) == []


@pytest.mark.parametrize(("config", "state"), [("y", State.TRUE), ("n", State.FALSE), (None, State.UNKNOWN)])
def test_all_parts_of_a_kernel_condition_must_be_true(config, state):
    test = build("f", "c", yaml.safe_load("{kernel: {release: '>=6.5', config: CONFIG_LRU_GEN}}"))
    facts = [UBUNTU] + ([fact("kernel.config.lru_gen", config)] if config else [])
    index = facts_of([item("e", facts=facts)])
    assert outcome_of(test, lambda condition: observe_facts(condition, index)).state is state


@pytest.mark.parametrize(
    ("kind", "names", "parts"),
    [
        ("tracepoint", ("writeback:*",), {"facts": [fact("feature.tracepoint", True, name="writeback:x")]}),
        ("rows", ("switches",), {"row_sets": [rows("switches", "n", (1.0,))]}),
        ("log", ("workqueue_hogged",), {"log_records": [log("workqueue_hogged")]}),
        ("has_fact", ("vmstat.nr_dying",), {"facts": [fact("vmstat.nr_dying", 0.0)]}),
    ],
)
def test_an_observation_proves_a_feature(kind, names, parts):
    implication = Implication((), "kernel.feature.x", True, kind, names)
    assert list(implied([item("e", **parts)], [implication], Trees()))
    assert not list(implied([item("e")], [implication], Trees()))


ORDER = "{sequence: {first: {contains: [a], run: 50 ms}, then: {contains: [b]}, within: 5 ms}}"


@pytest.mark.parametrize(
    ("times", "pairs"),
    [((0.0, 0.06, 0.061, 0.064), 1.0), ((0.0, 0.02, 0.021, 0.024), 0.0), ((0.0, 0.06, 0.061, 0.09), 0.0)],
)
def test_a_sequence_uses_sample_times(times, pairs):
    prof = profile([("x;a", 1), ("x;a", 1), ("x;c", 1), ("x;b", 1)], times=times, cpus=[3] * 4)
    (found,) = ask(ORDER, profiles=[prof])
    assert found.observed == pairs


def test_a_sequence_without_times_uses_order_and_notes_it():
    prof = profile([("x;a", 1), ("x;b", 1)], cpus=[3] * 2)
    (found,) = ask(ORDER, profiles=[prof])
    assert (found.observed, found.note) == (1.0, "no times: only the order was tested")


def test_a_histogram_with_another_unit_is_undecided():
    sizes = Histogram("@x", "bytes", (0.0,), (16.0,), (5,), (2,))
    test = "{histogram: {name: '@x', share_above: {value: 500 ms, at_least: 0.3}}}"
    (found,) = ask(test, histograms=[sizes])
    assert (found.state, found.reason) == (State.UNKNOWN, "unparsable: seconds cannot be compared with bytes")


def test_names_of_functions_date_the_code():
    prof = profile([("x;__add_to_page_cache_locked;charge_memcg;try_charge_memcg", 1)])
    found = infer_version([item("e", profiles=[prof])], Trees())
    assert (found.newer_than, found.older_than) == ("5.10", "6.1")
    assert "older than 6.1 (__add_to_page_cache_locked)" in found.words


@pytest.mark.parametrize(
    ("count", "bounds"), [(5.0, ("6.8", "")), (8.0, ("6.4", "6.12")), (4.0, ("6.4", ""))]
)
def test_counts_of_the_workqueue_message_date_the_code(count, bounds):
    record = replace(
        log("workqueue_hogged", count=count),
        message=f"workqueue: f hogged CPU for >10000us {count:g} times, consider switching to WQ_UNBOUND",
    )
    found = infer_version([item("e", log_records=[record])], Trees())
    assert (found.newer_than, found.older_than) == bounds


@pytest.mark.parametrize(
    ("message", "bounds"),
    [
        ("NMI watchdog: BUG: soft lockup - CPU#3 stuck for 22s! [kworker/3:1:311]", ("", "4.19")),
        ("watchdog: BUG: soft lockup - CPU#3 stuck for 22s! [kworker/3:1:311]", ("4.9", "")),
        ("TCP: request_sock_TCP: Possible SYN flooding on port 80. Sending cookies.", ("", "")),
        ("TCP: request_sock_TCP: Possible SYN flooding on port [::]:80. Sending cookies.", ("6.1", "")),
        ("usb 1-1: new high-speed USB device", ("", "")),
    ],
)
def test_the_format_of_a_message_dates_the_code(message, bounds):
    found = infer_version([item("e", log_records=[replace(log("other"), message=message)])], Trees())
    assert (found.newer_than, found.older_than) == bounds


@pytest.mark.parametrize(
    ("version_fact", "bounds"),
    [
        (fact("vmstat.zone_reclaim_success", 0.0), ("6.8", "")),
        (fact("vmstat.workingset_refault", 0.0), ("", "5.15")),
        (fact("cgroup.stat.nr_dying_subsys_memory", 3.0), ("6.8", "")),
        (fact("feature.tracepoint", "writeback", name="inode_switch_wbs_queue"), ("6.12", "")),
    ],
)
def test_an_existing_counter_dates_the_code(version_fact, bounds):
    found = infer_version([item("e", facts=[version_fact])], Trees())
    assert (found.newer_than, found.older_than) == bounds


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


def test_a_list_of_functions_dates_the_code():
    functions = [fact("feature.function", True, name=name) for name in ("shrink_node", "tmigr_handle_remote")]
    found = infer_version([item("e", facts=functions)], Trees())
    assert found.words == "its code is newer than 6.8 (tmigr_handle_remote)"


def test_all_dating_functions_of_a_function_list_are_stored():
    assert set(table()["functions"]) == FEATURE_SYMBOLS
