"""A job table with in-process workers, and inputs that break a sandbox."""

from __future__ import annotations

import threading
from collections import Counter
from pathlib import Path
from uuid import uuid4

from sqlalchemy import func, select, update

from backend.access.principals import Principal
from backend.core.jobs import runner
from backend.core.jobs.job import Job, JobState
from backend.evidence import receiving, staging
from backend.models import Case, Event, Evidence, Section
from backend.models.account import Role
from backend.operations import reaper
from backend.sandbox import fork_server
from backend.uploads import service as uploads
from backend.uploads.protocol import UploadMetadata
from tests.backend.stored_evidence import new_case

LOADAVG = "0.10 0.20 0.30 1/200 {}\n"


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
                file = UploadMetadata("loadavg", name, len(content), drop_files=drop_files)
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
        return runner.run_job(job.id, self.settings, self.sessions, self.store)

    def work(self):
        """Do every job in the order it was queued, until none is left; return what was done."""
        done = []
        while waiting := self.queued():
            self.run(waiting[0])
            done.append(waiting[0])
        return done

    def lose_worker(self, job):
        """Have a worker take the job and die."""
        assert runner.claim(self.sessions, job.id, self.settings) is not None
        self.take_back()

    def take_back(self):
        runner.expire_all_leases(self.sessions)
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
            kinds = session.scalars(select(Event.kind).where(Event.case_id == case_id)).all()
            assert Counter(kinds)["evidence.read"] == files


def someone(case_id):
    return Principal(
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

    def _has_open(self, pid):
        try:
            opened = [one.readlink() for one in Path(f"/proc/{pid}/fd").iterdir()]
            return any(one.read_bytes() == self._content for one in opened if one.name.startswith("content"))
        except OSError:
            return False

    def _watch(self):
        seen = set()
        while not self._is_over.wait(0.002):
            for forker in list(fork_server._forkers.values()):
                pid = forker._process.pid
                try:
                    children = Path(f"/proc/{pid}/task/{pid}/children").read_text().split()
                except OSError:
                    continue
                for child in set(map(int, children)) - seen:
                    if self._has_open(child):
                        seen.add(child)
                        self.met += 1
                        self._act(child)
