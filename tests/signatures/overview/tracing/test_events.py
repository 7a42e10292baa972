"""What tracing tools saw one by one is said with its number and what most of it was for."""

from __future__ import annotations

import pytest

from ingest.evidence import read_file
from signatures.judging.scope import items_of
from signatures.overview import run
from tests.ingest.samples import DATA


def panel(name, sample):
    return next(one for one in run(items_of([read_file(DATA / sample)])) if one.name == name)


@pytest.mark.parametrize(
    ("sample", "words"),
    [
        ("bcc-events/oomkill.txt", "2 processes were killed while traced, all of perl"),
        ("bcc-events/tcpdrop.txt", "1 TCP segment was dropped while traced for NETFILTER_DROP"),
        (
            "bcc-events/tcpretrans.txt",
            "3 TCP segments were sent again while traced, all in state ESTABLISHED",
        ),
    ],
)
def test_events_are_counted_and_told_by_what_they_are_of(sample, words):
    found = panel("traced-events", sample)
    assert [one.text for one in found.statements] == [words]
    assert all(one.places for one in found.figures)


def test_idle_cpus_beside_waiting_tasks_are_notable_from_a_share_on():
    calm = panel("traced-events", "bcc-events/cpuunclaimed.txt")
    assert (calm.figures[0].words, calm.figures[0].is_notable, calm.statements) == ("0.38 %", False, ())


def test_the_memory_of_a_process_is_shown_by_node():
    found = panel("numa-nodes", "files/machine/sos_commands/numa/numastat_-p_23524")
    assert [figure.label for figure in found.figures] == ["bash 23524: memory on node 0"]


def test_interrupts_of_each_cpu_are_figures_by_their_rate():
    found = panel("interrupts", "mpstat/mpstat.interrupts.txt")
    rates = [figure.value for figure in found.figures]
    assert found.figures[0].label.startswith("interrupts ")
    assert rates == sorted(rates, reverse=True)
