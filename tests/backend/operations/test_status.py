"""Service status: responding process, queue lengths, jobs of a case."""

from __future__ import annotations

import os
import socket
from dataclasses import replace

import httpx
import pytest
from sqlalchemy import text

from backend.models import SandboxHost
from backend.operations import sandbox_reports
from backend.sandbox.layers import Layers


def test_health_needs_no_sign_in_and_status_does(web, address):
    assert web.get("/health").json()["status"] == "ok"
    assert httpx.get(f"{address}/api/v1/status").status_code == 401
    status = web.get("/status").json()
    assert status["process"] == f"{socket.gethostname()}:{os.getpid()}"
    assert status["version"] == web.get("/health").json()["version"]


def test_the_jobs_of_a_case_are_listed_with_their_state(web):
    case = web.post("/paste", json={"text": "main;read_file;copy_to_user 42\n"}).json()["case"]
    [job] = web.get(f"/cases/{case['id']}/jobs").json()["items"]
    assert (job["kind"], job["state"], job["attempt"], job["worker"]) == ("evidence.batch", "queued", 0, "")
    waiting = {queue["name"]: queue["queued"] for queue in web.get("/status").json()["queues"]}
    assert waiting[job["queue"]] >= 1
    other = web.post("/cases", json={"title": "another"}).json()
    assert web.get(f"/cases/{other['id']}/jobs").json()["items"] == []
    assert web.get("/cases/99999/jobs").status_code == 404


FULL = Layers(landlock=7, mounts=False, network=True, calls=True)


@pytest.mark.parametrize(
    ("layers", "files", "missing"),
    [
        (FULL, "landlock", []),
        (replace(FULL, network=False), "landlock", ["user and network namespaces"]),
        (replace(FULL, landlock=0, mounts=True), "mount namespace", ["Landlock"]),
    ],
)
def test_the_sandbox_of_each_machine_is_part_of_the_status(web, sessions, layers, files, missing):
    with sessions.begin() as session:
        sandbox_reports.report(session, layers, policy="best")
    [sandbox] = web.get("/status").json()["sandboxes"]
    assert (sandbox["host"], sandbox["kernel"]) == (socket.gethostname(), os.uname().release)
    assert (sandbox["files"], sandbox["missing"], sandbox["is_complete"]) == (files, missing, not missing)


def test_a_machine_that_no_longer_reports_is_not_shown(web, sessions):
    with sessions.begin() as session:
        sandbox_reports.report(session, FULL, policy="best")
        session.execute(
            text("update sandbox_host set reported_at = now() - :age"), {"age": sandbox_reports.FORGET_AFTER}
        )
    assert web.get("/status").json()["sandboxes"] == []
    with sessions.begin() as session:
        session.execute(text("update sandbox_host set name = 'gone'"))
        sandbox_reports.report(session, FULL, policy="required")
        names = [host.name for host in session.query(SandboxHost)]
    assert names == [socket.gethostname()]
