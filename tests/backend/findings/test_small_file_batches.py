"""Batches of small files: one job for many; a crash fails only its own file."""

from __future__ import annotations

import gzip
import os
import resource
import signal
import subprocess
import sys
from collections import Counter

import pytest
from sqlalchemy import select

from backend.core.jobs.job import JobState
from backend.evidence import batching, service
from backend.findings import judging, small_file_batches
from backend.models import CaseFindings, Evidence
from backend.uploads import writer
from backend.uploads.writer import SMALL_BYTES
from tests.backend.findings.batch_line import LOADAVG, Line, meeting, small
from tests.waiting import until

LOG_LINE = b"kernel: [    1.000000] oom-kill:constraint=CONSTRAINT_MEMCG,nodemask=(null),pid=%d\n"
LOG_LINES = b"".join(LOG_LINE % number for number in range(7))
LONG = gzip.compress(LOG_LINES * 4000, 9)
"""Small, and read for more than half a second: long enough to be met while it is read."""

assert len(LONG) <= SMALL_BYTES, "its name does not tell that it is compressed"


@pytest.fixture
def line(own_sessions, settings, store, monkeypatch):
    # A loaded machine fills fewer files into a batch; the bound has a test of its own.
    monkeypatch.setattr(batching, "MAX_SECONDS", 600.0)
    own = settings.model_copy(update={"parse_cpu_seconds": 60, "light_cpu_seconds": 60})
    for directory in (own.staging_dir, own.scratch_dir):
        directory.mkdir(parents=True, exist_ok=True)
    return Line(own_sessions, own, store)


def test_a_paste_is_read_indexed_and_judged_by_one_job(line):
    case_id = line.send({"pasted.txt": LOADAVG.format(1).encode()})
    [job] = line.work()
    assert (job.kind, job.subject_id) == ("evidence.batch", case_id)
    line.assert_whole(case_id, 1)
    with line.sessions() as session:
        assert session.scalar(select(CaseFindings.case_id).where(CaseFindings.case_id == case_id))


def test_a_folder_of_many_files_takes_few_jobs(line):
    count = batching.MAX_FILES + 2
    case_id = line.send(small(count))
    done = Counter(job.kind for job in line.work())
    assert done == {"evidence.batch": 2, "findings.judge": 1}
    line.assert_whole(case_id, count)


def test_uploads_of_a_folder_share_a_batch_and_a_judgement(line, monkeypatch):
    files = small(6)
    for bound in ((writer, "RECENT_SECONDS"), (writer, "BATCH_SECONDS"), (judging, "DELAY_SECONDS")):
        monkeypatch.setattr(*bound, 3600.0)
    case_id = line.upload(dict([*files.items()][:1]), drop_files=6)
    [batch] = line.queued()
    assert line.run(batch) is None, "it waits for the others"
    line.upload(dict([*files.items()][1:]), case_id)
    line.come_due()
    assert line.run(batch) == JobState.DONE
    [judge] = line.queued()
    assert judge.kind == "findings.judge"
    assert line.run(judge) is None, "there may be more"
    line.upload(small(1, first=6), case_id)
    monkeypatch.setattr(writer, "RECENT_SECONDS", 0.0)
    line.come_due()
    [last] = [job for job in line.queued() if job.kind == "evidence.batch"]
    assert line.run(last) == JobState.DONE
    assert [job.id for job in line.queued()] == [judge.id], "it is the one that waited"
    assert line.run(judge) == JobState.DONE
    assert line.queued() == []
    line.assert_whole(case_id, 7)


def test_a_lone_upload_waits_for_nothing(line):
    case_id = line.upload(small(1))
    [batch] = line.queued()
    assert line.run(batch) == JobState.DONE
    assert line.queued() == []
    line.assert_whole(case_id, 1)


def test_two_senders_take_turns(line, monkeypatch):
    monkeypatch.setattr(batching, "MAX_FILES", 4)
    one = line.send(small(10))
    other = line.send(small(1))
    assert [job.subject_id for job in line.work() if job.kind == "evidence.batch"] == [one, other, one, one]
    for case_id, count in ((one, 10), (other, 1)):
        line.assert_whole(case_id, count)


def test_files_of_a_batch_are_bounded_by_bytes_and_by_time(line, monkeypatch):
    case_id = line.send(small(3))
    for bound in ("MAX_SECONDS", "MAX_BYTES"):
        with monkeypatch.context() as patch:
            patch.setattr(batching, bound, 0)
            assert line.run(line.queued()[0]) == JobState.DONE
    assert sorted(line.states(case_id).items()) == [
        ("p0/loadavg", "read"),
        ("p1/loadavg", "read"),
        ("p2/loadavg", "received"),
    ]
    line.work()
    line.assert_whole(case_id, 3)


def segfault(pid):
    os.kill(pid, signal.SIGSEGV)


def raise_on_open(pid):
    """Have the process open no more files, so that writing what it read raises."""
    resource.prlimit(pid, resource.RLIMIT_NOFILE, (0, 0))


@pytest.mark.parametrize("poison", [segfault, raise_on_open])
def test_a_file_that_crashes_its_sandbox_leaves_the_other_9_alone(line, poison):
    case_id = line.send(small(4) | {"poison.log": LONG} | small(5, first=4))
    with meeting(LONG, poison) as met:
        while batches := [job for job in line.queued() if job.kind == "evidence.batch"]:
            line.run(batches[0])
        assert line.states(case_id)["poison.log"] == "received", "it is read alone"
        for _ in range(line.settings.max_attempts):
            [alone] = [job for job in line.queued() if job.kind == "evidence.read"]
            line.run(alone)
            line.take_back()
    assert met.met == 2 + line.settings.max_attempts, "with the others, after them, and in a job of its own"
    line.work()
    states = line.states(case_id)
    assert states.pop("poison.log") == "failed"
    assert Counter(states.values()) == {"read": 9}
    line.assert_whole(case_id, 9)


@pytest.mark.parametrize(
    ("limit", "sentence"),
    [
        ({"parse_cpu_seconds": 1}, "reading took more than 1 s of processor time"),
        ({"parse_memory_bytes": 96 << 20}, "reading needs more than 96 MiB of memory"),
    ],
    ids=["time", "memory"],
)
def test_a_file_that_hits_a_limit_is_rejected_with_its_sentence_and_no_other(line, limit, sentence):
    line.settings = line.settings.model_copy(update=limit)
    bomb = gzip.compress(LOG_LINES * 142_858, 9)
    assert len(bomb) <= SMALL_BYTES
    case_id = line.send(small(3) | {"bomb.log": bomb})
    line.work()
    with line.sessions() as session:
        rejected = session.scalars(select(Evidence).where(Evidence.state == "rejected")).all()
        assert [(one.filename, one.reason) for one in rejected] == [("bomb.log", sentence)]
    line.assert_whole(case_id, 3)


def test_a_worker_killed_in_the_middle_of_a_batch_loses_nothing_and_doubles_nothing(line, tmp_path):
    case_id = line.send(small(5) | {"long.log": LONG} | small(5, first=5))
    [job] = line.queued()
    program = (
        "import sys; from uuid import UUID; from pathlib import Path\n"
        "from backend.core.jobs import runner; from backend.core.jobs.task_modules import load_task_modules\n"
        "from backend.core.sessions import create_sessions; from backend.core.settings import Settings\n"
        "from backend.core.storage.object_store import Store\n"
        "settings = Settings.model_validate_json(sys.argv[1]); load_task_modules()\n"
        "from backend.evidence import batching; batching.MAX_SECONDS = 600.0\n"
        "store = Store.open(Settings(data_dir=Path(sys.argv[3])))\n"
        "runner.run_job(UUID(sys.argv[2]), settings, create_sessions(settings), store)\n"
    )
    words = [line.settings.model_dump_json(), str(job.id), str(tmp_path / "data")]
    process = subprocess.Popen([sys.executable, "-c", program, *words])
    try:
        sixth = "batch-*/together/output/5"
        until(
            lambda: any(line.settings.scratch_dir.glob(sixth)) or process.poll() is not None,
            seconds=300,
            every=0.01,
        )
        assert process.poll() is None, "it ended before the sixth file"
    finally:
        process.kill()
        process.wait()
    assert set(line.states(case_id).values()) <= {"received", "reading"}, "nothing is half kept"
    line.take_back()
    line.work()
    line.assert_whole(case_id, 11)


def test_a_file_that_kills_the_worker_is_set_aside_alone(line):
    case_id = line.send(small(6))
    [job] = line.queued()
    line.lose_worker(job)
    assert line.run(line.queued()[0]) == JobState.DONE
    alone = line.queued()
    assert Counter(job.kind for job in alone) == {"evidence.read": 6}
    for _ in range(line.settings.max_attempts):
        line.lose_worker(alone[2])
    line.work()
    with line.sessions() as session:
        states = dict(session.execute(select(Evidence.id, Evidence.state)).all())
    assert states.pop(alone[2].subject_id) == "failed"
    assert set(states.values()) == {"read"}
    line.assert_whole(case_id, 5)


def test_a_batch_that_is_set_aside_leaves_its_files_to_jobs_of_their_own(line):
    case_id = line.send(small(3))
    [job] = line.queued()
    for _ in range(line.settings.max_attempts):
        line.lose_worker(job)
    assert {(job.kind, job.attempt) for job in line.queued()} == {("evidence.read", 0)}
    line.work()
    line.assert_whole(case_id, 3)


def test_evidence_removed_during_parsing_counts_after_restoring(line):
    case_id = line.send(small(1) | {"long.log": LONG} | small(1, first=1))
    long = select(Evidence).where(Evidence.filename == "long.log")

    def take_out(pid):
        os.kill(pid, signal.SIGSTOP)
        with line.sessions.begin() as session:
            service.delete(session, session.scalars(long).one(), actor="test")
        os.kill(pid, signal.SIGCONT)

    with meeting(LONG, take_out):
        line.work()
    states = line.states(case_id)
    assert states.pop("long.log") in {"received", "read"}, "it was read by then, or left the batch"
    assert set(states.values()) == {"read"}
    with line.sessions.begin() as session:
        service.restore(session, line.settings, session.scalars(long).one(), actor="test")
    line.work()
    assert set(line.states(case_id).values()) == {"read"}
    line.assert_whole(case_id, 3)


def test_a_rejected_file_is_read_again_alone_while_a_batch_of_its_case_waits(line):
    case_id = line.send({"empty.txt": b""})
    line.work()
    with line.sessions.begin() as session:
        [evidence] = session.scalars(select(Evidence)).all()
        service.retry(session, line.settings, evidence, actor="test")
    line.send(small(1), case_id)
    waiting = line.queued()
    assert Counter(job.kind for job in waiting) == {"evidence.read": 1, "evidence.batch": 1}
    [batch] = [job for job in waiting if job.kind == "evidence.batch"]
    line.run(batch)
    assert line.states(case_id) == {"empty.txt": "received", "p0/loadavg": "read"}
    line.work()
    assert line.states(case_id) == {"empty.txt": "rejected", "p0/loadavg": "read"}


def test_files_arriving_during_a_batch_join_the_next(line):
    case_id = line.send({"long.log": LONG})
    with meeting(LONG, lambda _: line.send(small(1), case_id)):
        assert line.run(line.queued()[0]) == JobState.DONE
    # On a busy machine what was read so far may be judged first.
    assert [job.kind for job in line.queued() if job.kind != "findings.judge"] == ["evidence.batch"]
    line.work()
    line.assert_whole(case_id, 2)


def test_a_growing_case_is_judged_before_its_uploads_end(line, monkeypatch):
    monkeypatch.setattr(batching, "MAX_FILES", 1)
    monkeypatch.setattr(small_file_batches, "UNJUDGED_BATCHES", 3)
    line.send(small(5))
    kinds = [job.kind for job in line.work()]
    assert "findings.judge" in kinds[: kinds.index("evidence.batch") + 5]
