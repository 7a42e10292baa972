"""Batches of small files: one job for many; what breaks its sandbox or its worker breaks only itself."""

from __future__ import annotations

import gzip
import os
import signal
import subprocess
import sys
import threading
import time
from collections import Counter
from pathlib import Path
from uuid import uuid4

import pytest
from sqlalchemy import func, select, update

from backend import worker
from backend.access.askers import Asker
from backend.core import jobs
from backend.core.job import Job, JobState
from backend.evidence import batching, receiving, sandbox_fork, service, staging
from backend.findings import intake, judging
from backend.models import Case, Event, Evidence, Finding, Section
from backend.models.account import Role
from backend.operations import reaper
from backend.uploads import service as uploads
from backend.uploads import writer
from backend.uploads.protocol import Announced
from tests.backend.kept import new_case

LOADAVG = "0.10 0.20 0.30 1/200 {}\n"
LOG_LINE = b"kernel: [    1.000000] oom-kill:constraint=CONSTRAINT_MEMCG,nodemask=(null),pid=%d\n"
LONG = gzip.compress(b"".join(LOG_LINE % (number % 7) for number in range(20_000)), 9)
"""Small, and read for a second: long enough to be met while it is read."""

BOMB = gzip.compress(b"".join(LOG_LINE % (number % 7) for number in range(1_000_000)), 9)

assert max(len(LONG), len(BOMB)) <= receiving.SMALL_BYTES, "their names do not tell that they are compressed"


@pytest.fixture(autouse=True)
def _handlers():
    worker.load_handlers()
    yield
    sandbox_fork._close()


class Line:
    """The job table and who works on it, in this process."""

    def __init__(self, sessions, settings, store):
        self.sessions, self.settings, self.store = sessions, settings, store

    def send(self, files, case_id=None):
        """Receive files of content by name into a case, a new one when None; return the case's id."""
        with self.sessions.begin() as session:
            case = new_case(session) if case_id is None else session.get_one(Case, case_id)
            staged = staging.Staging(self.settings.staging_dir, max_bytes=1 << 30)
            for name, content in files.items():
                staged.begin(name)
                staged.write(content)
                staged.end()
            receiving.receive(session, self.store, self.settings, case, staged.staged, actor="test")
            return case.id

    def upload(self, files, case_id=None, *, drop_files=1):
        """Have uploads of content by name whole with the requests that begin them; return the case's id."""
        for name, content in files.items():
            with self.sessions.begin() as session:
                case = new_case(session) if case_id is None else session.get_one(Case, case_id)
                file = Announced("loadavg", name, len(content), drop_files=drop_files)
                uploads.begin(session, self.settings, case, file, someone(case.id), content=content)
                case_id, drop_files = case.id, 1
        return case_id

    def come_due(self):
        with self.sessions.begin() as session:
            session.execute(update(Job).values(run_after=func.now()))

    def queued(self):
        with self.sessions() as session:
            waiting = select(Job).where(Job.state == JobState.QUEUED).order_by(Job.created_at)
            return session.scalars(waiting).all()

    def run(self, job):
        return jobs.run_job(job.id, self.settings, self.sessions, self.store)

    def work(self):
        """Do every job in the order it was queued, until none is left; return what was done."""
        done = []
        while waiting := self.queued():
            self.run(waiting[0])
            done.append(waiting[0])
        return done

    def lose_worker(self, job):
        """Have a worker take the job and die."""
        assert jobs.claim(self.sessions, job.id, self.settings) is not None
        self.take_back()

    def take_back(self):
        jobs.expire_all_leases(self.sessions)
        reaper.take_back_expired(self.sessions, self.settings)
        self.come_due()

    def states(self, case_id):
        with self.sessions() as session:
            path = func.coalesce(func.nullif(Evidence.captured_path, ""), Evidence.filename)
            rows = session.execute(select(path, Evidence.state).where(Evidence.case_id == case_id))
            return {name: state.value for name, state in rows}

    def assert_whole(self, case_id, files):
        """Every file is read once, and the case is judged as of now."""
        with self.sessions() as session:
            case = session.get_one(Case, case_id)
            assert case.judged_rev == case.evidence_rev > 0
            query = select(func.count()).select_from(Section).join(Evidence)
            assert session.scalar(query.where(Evidence.case_id == case_id)) == files
            told = session.scalars(select(Event.kind).where(Event.case_id == case_id)).all()
            assert Counter(told)["evidence.read"] == files


@pytest.fixture
def line(own_sessions, settings, store, monkeypatch):
    # A loaded machine fills fewer files into a batch; the bound has a test of its own.
    monkeypatch.setattr(batching, "MAX_SECONDS", 600.0)
    own = settings.model_copy(update={"parse_cpu_seconds": 60, "light_cpu_seconds": 60})
    for directory in (own.staging_dir, own.scratch_dir):
        directory.mkdir(parents=True, exist_ok=True)
    return Line(own_sessions, own, store)


def someone(case_id):
    return Asker(
        id=uuid4(),
        name="test",
        role=Role.RESPONDER,
        is_owner=False,
        signed_in_by="guest",
        scopes=None,
        case_id=case_id,
        token_id=uuid4(),
        expires_at=None,
        last_used_at=None,
    )


def small(count, first=0):
    return {f"p{number}/loadavg": LOADAVG.format(number).encode() for number in range(first, first + count)}


class meeting:  # noqa: N801 - reads as a statement
    """Does something to the sandbox that reads the file whose bytes are `content`, when it is there."""

    def __init__(self, content, act):
        self._content, self._act = content, act
        self._is_over = threading.Event()
        self._thread = threading.Thread(target=self._watch, daemon=True)
        self.met = 0

    def __enter__(self):
        self._thread.start()
        return self

    def __exit__(self, *_):
        self._is_over.set()
        self._thread.join(30)
        assert self.met, "the file was never read"

    def _watch(self):
        seen = set()
        while not self._is_over.wait(0.002):
            for forker in list(sandbox_fork._forkers.values()):
                pid = forker._process.pid
                try:
                    children = Path(f"/proc/{pid}/task/{pid}/children").read_text().split()
                except OSError:
                    continue
                for child in set(map(int, children)) - seen:
                    try:
                        place = Path(f"/proc/{child}/cwd").readlink()
                        is_it = (place.parent / "content").read_bytes() == self._content
                    except OSError:
                        continue
                    if is_it:
                        seen.add(child)
                        self.met += 1
                        self._act(child)


def test_a_paste_is_read_indexed_and_judged_by_one_job(line):
    case_id = line.send({"pasted.txt": LOADAVG.format(1).encode()})
    [job] = line.work()
    assert (job.kind, job.subject_id) == ("evidence.batch", case_id)
    line.assert_whole(case_id, 1)
    with line.sessions() as session:
        assert session.scalar(select(func.count()).select_from(Finding).where(Finding.case_id == case_id))


def test_a_folder_of_123_files_takes_few_jobs(line):
    case_id = line.send(small(123))
    done = Counter(job.kind for job in line.work())
    assert done == {"evidence.batch": 4, "findings.judge": 1}
    line.assert_whole(case_id, 123)


def test_uploads_of_a_folder_share_a_batch_and_a_judgement(line, monkeypatch):
    files = small(20)
    for bound in ((writer, "RECENT_SECONDS"), (writer, "BATCH_SECONDS"), (judging, "DELAY_SECONDS")):
        monkeypatch.setattr(*bound, 3600.0)
    case_id = line.upload(dict([*files.items()][:1]), drop_files=20)
    [batch] = line.queued()
    assert line.run(batch) is None, "it waits for the others"
    line.upload(dict([*files.items()][1:]), case_id)
    line.come_due()
    assert line.run(batch) == JobState.DONE
    [judge] = line.queued()
    assert judge.kind == "findings.judge"
    assert line.run(judge) is None, "there may be more"
    line.upload(small(1, first=20), case_id)
    monkeypatch.setattr(writer, "RECENT_SECONDS", 0.0)
    line.come_due()
    [last] = [job for job in line.queued() if job.kind == "evidence.batch"]
    assert line.run(last) == JobState.DONE
    assert [job.id for job in line.queued()] == [judge.id], "it is the one that waited"
    assert line.run(judge) == JobState.DONE
    assert line.queued() == []
    line.assert_whole(case_id, 21)


def test_a_lone_upload_waits_for_nothing(line):
    case_id = line.upload(small(1))
    [batch] = line.queued()
    assert line.run(batch) == JobState.DONE
    assert line.queued() == []
    line.assert_whole(case_id, 1)


def test_two_senders_take_turns(line):
    one = line.send(small(80))
    other = line.send(small(1))
    assert [job.subject_id for job in line.work() if job.kind == "evidence.batch"] == [one, other, one, one]
    for case_id, count in ((one, 80), (other, 1)):
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


@pytest.mark.parametrize("poison", [signal.SIGSEGV, signal.SIGINT], ids=["signal", "exception"])
def test_a_file_that_crashes_its_sandbox_leaves_the_other_49_alone(line, poison):
    case_id = line.send(small(20) | {"poison.log": LONG} | small(29, first=20))
    with meeting(LONG, lambda pid: os.kill(pid, poison)) as met:
        while batches := [job for job in line.queued() if job.kind == "evidence.batch"]:
            line.run(batches[0])
        assert line.states(case_id)["poison.log"] == "received", "it is read alone"
        for _ in range(line.settings.max_attempts):
            [alone] = [job for job in line.queued() if job.kind == "evidence.read"]
            line.run(alone)
            line.take_back()
    assert met.met == 1 + line.settings.max_attempts
    line.work()
    states = line.states(case_id)
    assert states.pop("poison.log") == "failed"
    assert Counter(states.values()) == {"read": 49}
    line.assert_whole(case_id, 49)


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
    case_id = line.send(small(3) | {"bomb.log": BOMB})
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
        "from backend import worker; from backend.core import jobs\n"
        "from backend.core.database import create_sessions; from backend.core.settings import Settings\n"
        "from backend.core.storage import Store\n"
        "settings = Settings.model_validate_json(sys.argv[1]); worker.load_handlers()\n"
        "store = Store.open(Settings(data_dir=Path(sys.argv[3])))\n"
        "jobs.run_job(UUID(sys.argv[2]), settings, create_sessions(settings), store)\n"
    )
    words = [line.settings.model_dump_json(), str(job.id), str(tmp_path / "data")]
    process = subprocess.Popen([sys.executable, "-c", program, *words])
    try:
        deadline = time.monotonic() + 60
        while not any(line.settings.scratch_dir.glob("batch-*/5/output/tmp")):
            assert process.poll() is None, "it ended before the sixth file"
            assert time.monotonic() < deadline
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
        told = dict(session.execute(select(Evidence.id, Evidence.state)).all())
    assert told.pop(alone[2].subject_id) == "failed"
    assert set(told.values()) == {"read"}
    line.assert_whole(case_id, 5)


def test_a_batch_that_is_set_aside_leaves_its_files_to_jobs_of_their_own(line):
    case_id = line.send(small(3))
    [job] = line.queued()
    for _ in range(line.settings.max_attempts):
        line.lose_worker(job)
    assert {(job.kind, job.attempt) for job in line.queued()} == {("evidence.read", 0)}
    line.work()
    line.assert_whole(case_id, 3)


def test_what_is_taken_out_while_it_is_read_counts_when_it_comes_back(line):
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


def test_what_comes_while_a_batch_is_read_is_in_the_next_one(line):
    case_id = line.send({"long.log": LONG})
    with meeting(LONG, lambda _: line.send(small(1), case_id)):
        assert line.run(line.queued()[0]) == JobState.DONE
    assert [job.kind for job in line.queued()] == ["evidence.batch"]
    line.work()
    line.assert_whole(case_id, 2)


def test_a_case_that_gets_ever_more_is_judged_before_it_ends(line, monkeypatch):
    monkeypatch.setattr(batching, "MAX_FILES", 1)
    monkeypatch.setattr(intake, "UNJUDGED_BATCHES", 3)
    line.send(small(5))
    kinds = [job.kind for job in line.work()]
    assert "findings.judge" in kinds[: kinds.index("evidence.batch") + 5]
