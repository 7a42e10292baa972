"""Files of /proc/PID in a report: blocked tasks have their stack, their name and their process."""

from __future__ import annotations

import io
import tarfile

import pytest

from ingest.evidence import read_bytes, read_paths
from signatures.judging.scope import items_of
from signatures.overview import run
from signatures.waits import graph_of
from tests.ingest.samples import DATA

FROZEN = DATA / "recorded" / "frozen-proc"
BLOCKED = {"postgres": "vfs_write", "python3": "path_openat", "mkdir": "filename_create"}


def report() -> bytes:
    """Return the recorded files as a sosreport packs them."""
    packed = io.BytesIO()
    with tarfile.open(fileobj=packed, mode="w") as archive:
        archive.add(FROZEN / "proc", "sosreport-db7-2026-11-30/proc")
        archive.add(FROZEN / "PROVENANCE.md", "sosreport-db7-2026-11-30/sos_commands/notes")
    return packed.getvalue()


@pytest.fixture(scope="module")
def items():
    return items_of([read_bytes(report(), name="sosreport-db7.tar")])


def test_a_blocked_task_of_a_report_has_its_stack_name_and_process(items):
    graph = graph_of(items)
    blocked = {task.comm: task for task in graph.tasks if task.is_blocked}
    assert blocked.keys() == BLOCKED.keys()
    for name, function in BLOCKED.items():
        task = blocked[name]
        recorded = FROZEN / "proc" / str(task.pid)
        assert (recorded / "comm").read_text().strip() == name
        assert task.state == "D"
        assert task.has_stack
        assert function in task.frames
        assert task.lines.evidence == f"proc/{task.pid}/stack"


def test_a_report_says_of_them_what_their_folder_says(items):
    folder = items_of(read_paths([FROZEN]))
    said = [[task.name for task in graph_of(one).tasks if task.is_blocked] for one in (items, folder)]
    assert sorted(said[0]) == sorted(said[1])
    answers = [{panel.summary for panel in run(one) if panel.name == "waits"} for one in (items, folder)]
    assert answers[0] == answers[1]
    assert any("3 tasks wait for" in answer for answer in answers[0])
