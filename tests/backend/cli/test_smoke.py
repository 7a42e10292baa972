"""`casebook smoke` runs the main job with real processes, and fails without a worker."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys

import pytest

from backend.cli.instance import throw_away


@pytest.fixture(scope="module")
def instance():
    with throw_away(say=print) as running:
        yield running


def smoke(instance, *arguments):
    return subprocess.run(
        [sys.executable, "-m", "backend.cli", "smoke", "--url", instance.url, *arguments],
        env={**os.environ, "CASEBOOK_TOKEN": instance.create_token("smoke")},
        capture_output=True,
        text=True,
        check=False,
        timeout=200,
    )


def test_a_worker_that_is_not_the_api_reaches_the_verdict(instance):
    result = smoke(instance)
    assert result.returncode == 0, result.stderr
    pids = instance.pids()
    found = re.search(r"by (\S+:(\d+)(?:, \S+:\d+)*); the API is \S+:(\d+)", result.stdout)
    assert found is not None
    assert int(found[2]) in {pid for name, pid in pids.items() if name.startswith("worker-")}
    assert int(found[3]) in (pids["api"], pids["api-2"])
    assert re.search(r"^match  mm/memcg-limit-reclaim ", result.stdout, re.MULTILINE)
    assert re.search(r"^  memcg_reclaim .*perf\.script\.txt\.gz:\d+", result.stdout, re.MULTILINE)
    assert f"{instance.url}/cases/" in result.stdout


def test_with_the_workers_stopped_it_fails_and_says_so(instance):
    workers = [pid for name, pid in instance.pids().items() if name.startswith("worker-")]
    for pid in workers:
        os.kill(pid, signal.SIGSTOP)
    try:
        result = smoke(instance, "--timeout", "8")
    finally:
        for pid in workers:
            os.kill(pid, signal.SIGCONT)
    assert result.returncode == 1
    assert "was not judged within 8 s; is a worker running?" in result.stderr
    assert "Traceback" not in result.stderr
