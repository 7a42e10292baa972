"""`sequence`: runs, lanes and times."""

from __future__ import annotations

import pytest

from ingest.model.reading import Reading
from signatures.document import condition_parser
from signatures.judging.observation import State
from signatures.judging.observe import observe_reading
from signatures.judging.profile_index import Trees
from tests.signatures.build import ask, profile

SEQUENCE = {
    "sequence": {
        "first": {"contains": ["show"], "run": 3},
        "then": {"comm": ["ksoftirqd/*"], "contains": ["rx"]},
    }
}


SHOW, RX, OTHER = ("u_c;show", 1, "cadvisor", 1), ("kthread;rx", 1, "ksoftirqd/11", 2), ("x;y", 1, "other", 3)


@pytest.mark.parametrize(
    ("order", "state"),
    [
        ([SHOW, SHOW, SHOW, RX], State.TRUE),
        ([SHOW, SHOW, RX], State.UNKNOWN),
        ([RX, SHOW, SHOW, SHOW], State.UNKNOWN),
        ([SHOW, SHOW, SHOW, OTHER, RX], State.UNKNOWN),
    ],
)
def test_a_sequence_is_a_run_directly_followed(order, state):
    assert ask(SEQUENCE, profiles=[profile(order)])[0].state is state


def test_samples_of_another_cpu_do_not_interrupt_a_sequence():
    prof = profile([SHOW, OTHER, SHOW, SHOW, RX], cpus=[11, 3, 11, 11, 11])
    assert ask(SEQUENCE, profiles=[prof])[0].state is State.TRUE


def test_samples_without_a_cpu_belong_to_every_lane():
    prof = profile([SHOW, SHOW, SHOW, RX], cpus=[-1, -1, -1, 11])
    assert ask(SEQUENCE, profiles=[prof])[0].state is State.TRUE


def test_unordered_samples_have_no_sequence():
    assert ask(SEQUENCE, profiles=[profile([SHOW, SHOW, SHOW, RX], ordered=False)]) == ()


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


def test_a_sequence_of_some_threads_leaves_the_path_to_others():
    other = {"sequence": {"first": {"contains": ["rx"], "run": 2}, "then": {"contains": ["show"]}}}
    of_ksoftirqd, of_any = (condition_parser.test_of("f", "c", one) for one in (SEQUENCE, other))
    reading = Reading(profiles=(profile([RX, ("u;rx", 1, "other", 3), SHOW], cpus=[1] * 3),))
    trees = Trees()
    observe_reading(of_ksoftirqd, reading, trees)
    assert observe_reading(of_any, reading, trees)[0].state is State.TRUE
