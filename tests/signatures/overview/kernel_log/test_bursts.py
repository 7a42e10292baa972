"""Time-outs of a disk: what counts as one, and what several have in common."""

from __future__ import annotations

import pytest

from cli.evidence.analysis import analyse
from ingest.evidence import read_bytes
from signatures.judging.scope import items_of
from tests.signatures.evidence import judge_text, library
from tests.signatures.overview.test_first_screen import overview, texts

ABORTED = "[  {at:.6f}] nvme nvme3: I/O {tag} QID {queue} timeout, aborting\n"
ANSWER = "[  {at:.6f}] nvme nvme3: Abort status: 0x{status:x}\n"


def log(*queues: int, status: int = 6, step: float = 0.0002) -> str:
    """Return a time-out of each queue, and the answer of the controller to its abort."""
    lines = []
    for number, queue in enumerate(queues):
        at = 812.25 + number * step
        lines += [ABORTED.format(at=at, tag=64 + number, queue=queue), ANSWER.format(at=at, status=status)]
    return "".join(lines)


def test_the_answer_to_an_abort_is_no_timeout():
    (text,) = texts(overview(log(4, 4, 4, 4, 4)))
    assert "(5 times" in text
    assert text.endswith("; then: nvme abort status (5)")


def test_the_answer_has_its_status():
    evidence = read_bytes(log(4, status=0x371).encode(), name="dmesg.txt")
    answer = items_of([evidence])[0].reading.log_records[1]
    assert (answer.kind, answer.fields["status"]) == ("nvme_abort_status", "0x371")


def test_a_burst_of_one_queue_says_so():
    (text,) = texts(overview(log(4, 4, 4)))
    assert text.startswith("NVMe command timeout on nvme3 (3 times, all on queue 4, within one second): ")


def test_timeouts_of_several_queues_name_none():
    (text,) = texts(overview(log(4, 4, 2)))
    assert text.startswith("NVMe command timeout on nvme3 (3 times, within one second): ")


def test_timeouts_over_minutes_are_no_burst():
    (text,) = texts(overview(log(4, 4, 4, step=31.0)))
    assert text.startswith("NVMe command timeout on nvme3 (3 times, all on queue 4): ")


def test_two_timeouts_may_be_of_one_queue_by_chance():
    (text,) = texts(overview(log(4, 4)))
    assert text.startswith("NVMe command timeout on nvme3 (2 times): ")


def test_a_log_without_stamps_has_no_burst():
    bare = "".join(line.partition("] ")[2] for line in log(4, 4, 4).splitlines(keepends=True))
    (text,) = texts(overview(bare))
    assert text.startswith("NVMe command timeout on nvme3 (3 times, all on queue 4): ")


@pytest.mark.parametrize(("timeouts", "verdict"), [(2, "unknown"), (3, "suspect")])
def test_answers_to_aborts_do_not_count_for_the_signature(timeouts, verdict):
    found = judge_text(log(*[4] * timeouts), library())["block/command-timeout"]
    assert found.verdict == verdict


def test_what_is_seen_leads_and_what_is_not_yet_shown_stands_below(tmp_path):
    path = tmp_path / "dmesg.txt"
    path.write_text(log(4, 4, 4))
    shown = analyse([str(path)]).overview
    seen = "NVMe command timeout on nvme3 (3 times, all on queue 4, within one second)"
    assert shown.headline.text.startswith(seen)
    assert seen not in shown.suspicion.text
    assert shown.suspicion.text.startswith("May be: ")
    assert "Decides: `" in shown.suspicion.text
