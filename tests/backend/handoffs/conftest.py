"""A case with stacks and a log that contains names, and its prepared handoff."""

from __future__ import annotations

from pathlib import Path

import pytest
from sqlalchemy import select

from backend.core.jobs.runner import run_job
from backend.findings import judging
from backend.models import Job
from ingest.readers.bpf import bpftrace_text
from ingest.readers.logs import text
from tests.backend.stored_evidence import new_case, store_evidence

HOLD = Path("tests/data/published/vanishing-cpu/bpftrace-mmap_lock-hold.txt").read_bytes()
STACKS = Path("tests/data/bpftrace-text/memcg-reclaim-kstack-comm.txt").read_bytes()
LOG = b"""\
Nov 21 03:12:09 analytics-db-02 sshd[812]: Accepted publickey for jdoe from 10.20.30.40 port 5022 ssh2
Nov 21 03:12:11 analytics-db-02 sudo:     jdoe : TTY=pts/0 ; PWD=/home/jdoe ; USER=root ; COMMAND=/bin/ls
DB_PASSWORD=hunter2hunter2
"""
SECRETS = ("analytics-db-02", "jdoe", "10.20.30.40", "hunter2hunter2", "jane.roe", "acme-bank")


@pytest.fixture
def case(session, store, tmp_path):
    case = new_case(session, "analytics-db-02 stalls")
    store_evidence(session, store, tmp_path, case, HOLD, bpftrace_text, name="hold.txt")
    store_evidence(session, store, tmp_path, case, STACKS, bpftrace_text, name="stacks.txt")
    store_evidence(session, store, tmp_path, case, LOG, text, name="auth.log")
    judging.keep(session, case.id, judging.decide(store, *judging.load_inputs(session, case.id)))
    session.commit()
    return case


class Maker:
    """Begins handoffs over HTTP and has them made."""

    def __init__(self, web, settings, sessions, store, case):
        # The heartbeat has a connection of its own, which does not see what this test has not committed.
        patient = settings.model_copy(update={"heartbeat_seconds": 600.0, "lease_seconds": 1200.0})
        self._given = (patient, sessions, store)
        self.web = web
        self.url = f"/cases/{case.number}/handoffs"

    def of(self, case):
        return Maker(self.web, *self._given, case)

    def begun(self, **asked):
        fields = {"recipient": "Kernel support", "question": "Why does analytics-db-02 stall?", **asked}
        answer = self.web.post(self.url, json=fields)
        assert answer.status_code == 202, answer.text
        return answer.json()

    def made(self, **asked):
        begun = self.begun(**asked)
        settings, sessions, store = self._given
        with sessions() as session:
            job_id = session.scalar(select(Job.id).where(Job.subject_id == begun["id"]))
        run_job(job_id, settings, sessions, store)
        return self.web.get(f"{self.url}/{begun['id']}").json()

    def offered(self, handoff, **asked):
        classes = [one["name"] for one in handoff["redaction"]["open_classes"]]
        fields = {"is_reviewed": True, "reviewed_classes": classes, **asked}
        answer = self.web.post(f"{self.url}/{handoff['id']}/offer", json=fields)
        assert answer.status_code == 201, answer.text
        return answer.json()["url"].partition("#")[2]


@pytest.fixture
def maker(web, app_settings, sessions, store, case):
    return Maker(web, app_settings, sessions, store, case)


@pytest.fixture
def handoff(maker):
    return maker.made()
