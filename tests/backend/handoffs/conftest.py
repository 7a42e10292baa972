"""A case with stacks and a log that contains names, and its prepared handoff, made once per file."""

from __future__ import annotations

import copy
import shutil
from contextlib import contextmanager
from pathlib import Path

import httpx
import pytest
from sqlalchemy import select

from backend.accounts import service as accounts
from backend.core.jobs.runner import run_job
from backend.core.storage.object_store import Store
from backend.models import Case, Job
from ingest.readers.bpf import bpftrace_text
from ingest.readers.logs import text
from tests.backend.applications import create_app
from tests.backend.conftest import PATIENT, serving, settings_below
from tests.backend.stored_evidence import judge_case, new_case, store_evidence
from tests.transactions import Sent, rolled_back, rolled_back_within

HOLD = Path("tests/data/published/vanishing-cpu/bpftrace-mmap_lock-hold.txt").read_bytes()
STACKS = Path("tests/data/bpftrace-text/memcg-reclaim-kstack-comm.txt").read_bytes()
LOG = b"""\
Nov 21 03:12:09 analytics-db-02 sshd[812]: Accepted publickey for jdoe from 10.20.30.40 port 5022 ssh2
Nov 21 03:12:11 analytics-db-02 sudo:     jdoe : TTY=pts/0 ; PWD=/home/jdoe ; USER=root ; COMMAND=/bin/ls
DB_PASSWORD=hunter2hunter2
"""
SECRETS = ("analytics-db-02", "jdoe", "10.20.30.40", "hunter2hunter2", "jane.roe", "acme-bank")


def stored_case(session, store, folder):
    case = new_case(session, "analytics-db-02 stalls")
    store_evidence(session, store, folder, case, HOLD, bpftrace_text, name="hold.txt")
    store_evidence(session, store, folder, case, STACKS, bpftrace_text, name="stacks.txt")
    store_evidence(session, store, folder, case, LOG, text, name="auth.log")
    judge_case(session, store, case.id)
    return case


class Maker:
    """Begins handoffs over HTTP and has them made."""

    def __init__(self, web, settings, sessions, store, number):
        # The heartbeat has a connection of its own, which does not see what this test has not committed.
        # A busy machine takes more CPU time for the same work; test_limits.py moves jobs to the heavy queue.
        patient = settings.model_copy(update={**PATIENT, "light_cpu_seconds": 600})
        self._given = (patient, sessions, store)
        self.web = web
        self.url = f"/cases/{number}/handoffs"

    def of(self, case):
        """Return a maker of handoffs of another case."""
        other = copy.copy(self)
        other.url = f"/cases/{case.number}/handoffs"
        return other

    def limited_to(self, settings):
        """Return a maker whose workers have other limits."""
        other = copy.copy(self)
        patient, *rest = self._given
        fields = ("light_cpu_seconds", "parse_heavy_cpu_seconds")
        other._given = (patient.model_copy(update={one: getattr(settings, one) for one in fields}), *rest)
        return other

    def begun(self, **asked):
        fields = {"recipient": "Kernel support", "question": "Why does analytics-db-02 stall?", **asked}
        answer = self.web.post(self.url, json=fields)
        assert answer.status_code == 202, answer.text
        return answer.json()

    def made(self, **asked):
        return self.prepared(self.begun(**asked)["id"])

    def prepared(self, handoff_id):
        """Run the last job of a handoff and return the handoff."""
        settings, sessions, store = self._given
        with sessions() as session:
            job_id = session.scalar(
                select(Job.id).where(Job.subject_id == handoff_id).order_by(Job.id.desc())
            )
        run_job(job_id, settings, sessions, store)
        return self.web.get(f"{self.url}/{handoff_id}").json()

    def offered(self, handoff, **asked):
        classes = [one["name"] for one in handoff["redaction"]["open_classes"]]
        fields = {"is_reviewed": True, "reviewed_classes": classes, **asked}
        answer = self.web.post(f"{self.url}/{handoff['id']}/offer", json=fields)
        assert answer.status_code == 201, answer.text
        return answer.json()["url"].partition("#")[2]


class Prepared:
    """The transaction and the data directory of a file of tests; its tests work on copies of both."""

    def __init__(self, sessions, settings, folder):
        self.sessions, self.settings, self.folder = sessions, settings, folder
        self.store = Store.open(settings)

    @contextmanager
    def maker(self, case_id):
        """Yield a maker of handoffs that the tests find."""
        with self.sessions.begin() as session:
            number = session.get_one(Case, case_id).number
            token = accounts.create_api_token(session, name="preparation")
        app = create_app(self.settings, sessions=self.sessions, store=self.store)
        headers = {"Authorization": f"Bearer {token}"}
        with (
            serving(app) as url,
            httpx.Client(base_url=f"{url}/api/v1", headers=headers) as web,
        ):
            yield Maker(web, self.settings, self.sessions, self.store, number)


@pytest.fixture(scope="module")
def prepared(engine, settings, tmp_path_factory):
    folder = tmp_path_factory.mktemp("prepared")
    with rolled_back(engine, Sent(), settings) as sessions:
        yield Prepared(sessions, settings_below(folder, settings), folder)


@pytest.fixture(scope="module")
def prepared_handoff(prepared):
    with prepared.sessions.begin() as session:
        case_id = stored_case(session, prepared.store, prepared.folder).id
    with prepared.maker(case_id) as maker:
        return case_id, maker.made()


@pytest.fixture
def sessions(prepared, prepared_handoff, sent, settings):  # noqa: ARG001 - what a savepoint would undo
    with rolled_back_within(prepared.sessions, sent, settings) as sessions:
        yield sessions


@pytest.fixture
def store(prepared, prepared_handoff, tmp_path):  # noqa: ARG001 - its files are copied
    copied = prepared.settings.model_copy(update={"data_dir": tmp_path / "data"})
    shutil.copytree(prepared.settings.data_dir, copied.data_dir)
    return Store.open(copied)


@pytest.fixture
def case(session, prepared_handoff):
    return session.get_one(Case, prepared_handoff[0])


@pytest.fixture
def maker(web, app_settings, sessions, store, case):
    return Maker(web, app_settings, sessions, store, case.number)


@pytest.fixture
def handoff(prepared_handoff):
    return copy.deepcopy(prepared_handoff[1])
