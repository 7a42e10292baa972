"""A library of a team, a Git server that has it, and an API whose settings allow it."""

from __future__ import annotations

import io
import tarfile
from pathlib import Path

import pytest
from sqlalchemy import select

from backend.core import ssrf_guard
from backend.core.jobs.runner import run_job
from backend.models import Job, JobState
from tests.backend.conftest import PATIENT, settings_below
from tests.backend.libraries.git_server import commit, git, serving

SHIPPED = Path("signatures/library")
OWN = """\
schema: 1
id: net/our-table-full
version: 3
title: Our gateways drop packets of new connections
severity: high
status: draft
symptoms: [new connections time out]
kind: condition
reason: a full table drops packets in every release
clauses:
  dropping:
    title: The kernel log says that packets are dropped
    role: core
    log: {class: conntrack_full, at_least: 1, strong: 1, window: 1 h}
    weight: 4
decide:
  require: {any: [dropping]}
  suspect: {score: 2}
  match: {score: 4, all: [dropping], min_coverage: 0.5}
next:
  dropping: kernel_log
"""
"""A signature of a team, of one condition."""


@pytest.fixture
def app_settings(settings, tmp_path):
    changed = settings_below(tmp_path, settings)
    return changed.model_copy(update={"outgoing_allow": "127.0.0.1/32,::1/128"})


@pytest.fixture
def folder(tmp_path):
    """A working tree with one signature of the team, and one that Casebook ships in another version."""
    root = tmp_path / "payments"
    write(root, "net/our-table-full", OWN)
    shipped = (SHIPPED / "net/conntrack-table-full/signature.yaml").read_text()
    write(root, "net/conntrack-table-full", shipped.replace("version: 2\n", "version: 9\n", 1))
    return root


@pytest.fixture
def repository(folder):
    """The same as a repository with one commit."""
    git(folder, "init", "--quiet", "--initial-branch", "main")
    commit(folder, "Add our signatures")
    return folder


@pytest.fixture
def git_server(tmp_path, monkeypatch):
    """A Git server with the repositories below `tmp_path`, whose authority the service trusts."""
    with serving(tmp_path, tmp_path) as server:
        monkeypatch.setenv("SSL_CERT_FILE", str(server.authority))
        ssrf_guard._authorities.cache_clear()
        yield server
    ssrf_guard._authorities.cache_clear()


@pytest.fixture
def work(app_settings, sessions, store):
    """Runs the jobs of a kind that are queued."""
    patient = app_settings.model_copy(update=PATIENT)

    def run(kind="libraries.read"):
        with sessions() as session:
            waiting = select(Job.id).where(Job.kind == kind, Job.state == JobState.QUEUED)
            jobs = list(session.scalars(waiting))
        for job in jobs:
            run_job(job, patient, sessions, store)
        return len(jobs)

    return run


def write(root, signature_id, text, story="# What happened\n"):
    """Write one signature below the root of a library."""
    place = root / signature_id
    place.mkdir(parents=True, exist_ok=True)
    (place / "signature.yaml").write_text(text)
    (place / "story.md").write_text(story)


def packed(root, prefix=""):
    """Return a folder as a compressed tar archive."""
    stream = io.BytesIO()
    with tarfile.open(fileobj=stream, mode="w:gz") as archive:
        for path in sorted(root.rglob("*")):
            if path.is_file() and ".git" not in path.parts:
                archive.add(path, prefix + path.relative_to(root).as_posix())
    return stream.getvalue()


def of_bytes(files):
    """Return files by path as a compressed tar archive."""
    stream = io.BytesIO()
    with tarfile.open(fileobj=stream, mode="w:gz") as archive:
        for name, content in files.items():
            member = tarfile.TarInfo(name)
            member.size = len(content)
            archive.addfile(member, io.BytesIO(content))
    return stream.getvalue()
