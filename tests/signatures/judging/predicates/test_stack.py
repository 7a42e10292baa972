"""`stack` and `leaf`: shares, presence, threads and citations."""

from __future__ import annotations

from typing import Any

import pytest

from signatures.judging.observation import WHOLE, State
from tests.signatures import build
from tests.signatures.build import profile

RECLAIM = "u_main;asm_exc_page_fault;try_to_free_mem_cgroup_pages;shrink_node;shrink_lruvec"


def ask(test, prof):
    return list(build.ask(test, profiles=[prof]))


def share_of(contains, at_least=0.3, **stack):
    return {"stack": {"contains": contains, **stack}, "share": {"at_least": at_least, "strong": 0.6}}


def test_the_share_is_of_busy_kernel_samples():
    prof = profile([(RECLAIM, 100), ("u_main;do_syscall_64;vfs_read", 100), ("u_main;u_work", 5000),
                    ("start_kernel;do_idle;pv_native_safe_halt", 5000)])  # fmt: skip
    (found,) = ask(share_of(["shrink_lruvec"]), prof)
    assert (found.state, found.observed) == (State.TRUE, 0.5)


def test_paths_run_from_leaf_to_root_with_gaps():
    prof = profile([(RECLAIM, 300)])
    assert (
        ask(share_of(["shrink_lruvec"], under=["try_to_free_mem_cgroup_pages"]), prof)[0].state is State.TRUE
    )
    assert (
        ask(share_of(["try_to_free_mem_cgroup_pages"], under=["shrink_lruvec"]), prof)[0].state is State.FALSE
    )


def test_not_excludes_a_frame_anywhere_in_the_stack():
    prof = profile([("a;try_to_free_mem_cgroup_pages;b", 100), ("a;try_to_free_pages;b", 100)])
    test = {"stack": {"contains": ["b"], "not": ["try_to_free_mem_cgroup_pages"]}, "share": {"at_least": 0.5}}
    assert ask(test, prof)[0].observed == 0.5


@pytest.mark.parametrize(("samples", "strength"), [(300, 0.5), (450, 0.75), (600, 1.0), (900, 1.0)])
def test_weight_rises_from_half_at_the_threshold_to_full_at_strong(samples, strength):
    prof = profile([(RECLAIM, samples), ("a;b", 1000 - samples)])
    assert ask(share_of(["shrink_lruvec"]), prof)[0].strength == pytest.approx(strength)


def test_few_samples_decide_nothing():
    (found,) = ask(share_of(["shrink_lruvec"]), profile([(RECLAIM, 199)]))
    assert found.state is State.UNKNOWN
    assert found.reason.startswith("too few samples")


def test_weights_are_needed_for_a_share_and_not_for_presence():
    bare = profile([(RECLAIM, 1)], has_weights=False)
    assert ask(share_of(["shrink_lruvec"]), bare) == []
    (result,) = ask({"stack": {"contains": ["shrink_lruvec"]}, "seen": True}, bare)
    assert (result.state, result.is_seen, len(result.caps)) == (State.TRUE, True, 1)


def test_a_stack_not_among_a_few_bare_ones_is_unknown_not_false():
    (found,) = ask(
        {"stack": {"contains": ["exit_mmap"]}, "seen": True}, profile([(RECLAIM, 1)], has_weights=False)
    )
    assert found.state is State.UNKNOWN


def test_events_other_than_cpu_samples_have_no_cpu_share():
    assert ask(share_of(["shrink_lruvec"]), profile([(RECLAIM, 1000)], what="offcpu")) == []


def test_a_leaf_is_attributed_to_its_caller_within_n_frames():
    prof = profile([("evict_folios;_raw_spin_lock_irq", 100), ("evict_folios;a;b;c;_raw_spin_lock_irq", 100),
                    ("try_to_wake_up;_raw_spin_lock_irq", 100)])  # fmt: skip
    test: dict[str, Any] = {
        "leaf": {"any": ["@spin_leaf"], "called_from": ["evict_folios"], "within": 3},
        "share": {"at_least": 0.1},
    }
    assert ask(test, prof)[0].observed == pytest.approx(1 / 3)
    test["leaf"].pop("within")
    assert ask(test, prof)[0].observed == pytest.approx(2 / 3)


def test_a_bound_share_is_computed_per_process_and_in_total():
    prof = profile([(RECLAIM, 400, "sick", 7), ("a;b", 1600, "fine", 8)])
    found = {s.process: s.observed for s in ask(share_of(["shrink_lruvec"], at="$p"), prof)}
    assert found == {WHOLE: 0.2, "7": 1.0, "8": 0.0}


def test_cited_nodes_are_where_the_pattern_completes():
    prof = profile([(f"{RECLAIM};shrink_folio_list", 300), (f"{RECLAIM};isolate", 10), ("x;y", 10)])
    found = ask(share_of(["shrink_lruvec"]), prof)[0]
    (nodes,) = [cited.nodes for cited in found.citations if cited.nodes]
    assert [prof.frames[prof.node_frame[node]].name for node in nodes] == ["shrink_lruvec"]
    assert len(found.citations) == 2


def test_distinct_threads_are_counted():
    prof = profile([(RECLAIM, 2, "app", pid) for pid in range(120)])
    (found,) = ask(
        {"stack": {"contains": ["shrink_lruvec"]}, "distinct": {"of": "tid", "at_least": 100}}, prof
    )
    assert found.observed == 120


READERS = {
    "stack": {"contains": ["proc_pid_cmdline_read"]},
    "seen": True,
    "distinct": {"of": "tid", "at_least": 2},
}


@pytest.mark.parametrize(
    ("pids", "state"), [((7, 8), State.TRUE), ((7, 7), State.UNKNOWN), ((-1, -1), State.UNKNOWN)]
)
def test_presence_in_two_threads_needs_two_threads(pids, state):
    stacks_of = [("a;proc_pid_cmdline_read", 1, "ps", pid) for pid in pids]
    (found,) = ask(READERS, profile(stacks_of, has_weights=False, what="bare"))
    assert found.state is state


def test_an_empty_profile_is_undecided():
    assert [s.state for s in ask(share_of(["shrink_lruvec"]), profile([]))] == [State.UNKNOWN]


def test_one_of_thousands_of_counted_stacks_is_not_presence():
    test = {"stack": {"contains": ["exit_mmap"]}, "seen": True}
    assert ask(test, profile([("a;b", 4000), ("a;exit_mmap", 3)], what="event"))[0].state is State.UNKNOWN
    assert ask(test, profile([("a;b", 4), ("a;exit_mmap", 1)], what="event"))[0].state is State.TRUE


def test_the_cited_lines_are_those_of_the_sample():
    prof = profile([(RECLAIM, 300), ("x;y", 10)])
    (cited, *_) = ask(share_of(["shrink_lruvec"]), prof)[0].citations
    assert cited.first_line <= cited.last_line


OPEN = "[callers not known]"


@pytest.mark.parametrize(
    ("hidden", "test", "state"),
    [
        (500, share_of(["shrink_lruvec"]), State.UNKNOWN),
        (100, share_of(["shrink_lruvec"]), State.FALSE),
        (500, share_of(["shrink_lruvec"], at_least=0.05), State.TRUE),
        (500, {"leaf": {"any": ["memcpy"], "called_from": ["f"]}, "share": {"at_least": 0.3}}, State.UNKNOWN),
        (500, {"leaf": {"any": ["memset"], "called_from": ["f"]}, "share": {"at_least": 0.3}}, State.FALSE),
        (500, {"leaf": {"any": ["memcpy"]}, "share": {"at_least": 0.9}}, State.FALSE),
        (500, {"stack": {"contains": ["f"]}, "seen": True}, State.UNKNOWN),
    ],
)
def test_omitted_callers_are_not_absent_callers(hidden, test, state):
    prof = profile([(f"{OPEN};memcpy", hidden), ("a;try_to_free;shrink_lruvec", 100), ("a;b", 900 - hidden)])
    assert ask(test, prof)[0].state is state


@pytest.mark.parametrize(
    ("what", "states"), [("cpu", []), ("bare", [State.UNKNOWN]), ("offcpu", [State.UNKNOWN])]
)
def test_cpu_samples_do_not_refute_sleepers(what, states):
    test = {"stack": {"contains": ["rwsem_down_read_slowpath"]}, "seen": "asleep"}
    prof = profile([("a;b", 4000)], what=what, has_weights=what != "bare")
    assert [found.state for found in ask(test, prof)] == states


def test_a_population_can_be_the_threads_of_one_name():
    prof = profile([("a;f", 150, "kworker/1:2+x", 7), ("a;b", 50, "kworker/0:1", 8), ("a;f", 800, "app", 9)])
    text = "{stack: {contains: [f], comm: 'kworker/*'}, share: {at_least: 0.5}}"
    (found,) = ask(text, prof)
    assert found.observed == pytest.approx(0.75)
