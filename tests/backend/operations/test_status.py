"""Service status: responding process, queue lengths, jobs of a case."""

from __future__ import annotations

import os
import socket

import httpx


def test_health_needs_no_sign_in_and_status_does(web, address):
    assert web.get("/health").json()["status"] == "ok"
    assert httpx.get(f"{address}/api/v1/status").status_code == 401
    status = web.get("/status").json()
    assert status["process"] == f"{socket.gethostname()}:{os.getpid()}"
    assert status["version"] == web.get("/health").json()["version"]


def test_the_jobs_of_a_case_are_listed_with_their_state(web):
    case = web.post("/paste", json={"text": "main;read_file;copy_to_user 42\n"}).json()["case"]
    [job] = web.get(f"/cases/{case['id']}/jobs").json()
    assert (job["kind"], job["state"], job["attempt"], job["worker"]) == ("evidence.batch", "queued", 0, "")
    waiting = {queue["name"]: queue["queued"] for queue in web.get("/status").json()["queues"]}
    assert waiting[job["queue"]] >= 1
    other = web.post("/cases", json={"title": "another"}).json()
    assert web.get(f"/cases/{other['id']}/jobs").json() == []
    assert web.get("/cases/99999/jobs").status_code == 404
