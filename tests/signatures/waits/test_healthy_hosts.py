"""Healthy hosts have no root blocker that deserves attention."""

from __future__ import annotations

from pathlib import Path

import pytest

from ingest.evidence import read_paths
from signatures.judging.scope import items_of
from signatures.waits import graph_of
from signatures.waits.sentences import is_notable, summary

HEALTHY = Path(__file__).parents[2] / "data" / "recorded" / "healthy"


@pytest.mark.parametrize(("name", "tasks"), [("idle", 57), ("busy", 71), ("idle-7.2", 65)])
def test_a_healthy_host_has_no_root_blocker(name, tasks):
    found = graph_of(items_of(read_paths([HEALTHY / f"{name}.dmesg.txt"])))
    assert summary(found) == f"no blocked task among {tasks} tasks"
    assert not any(is_notable(found, root) for root in found.roots)
    assert found.cycles == ()


def test_a_busy_host_has_a_waiting_worker_and_no_root_that_deserves_attention():
    found = graph_of(items_of(read_paths([HEALTHY / "busy-7.2.dmesg.txt"])))
    assert found.blocked == 1
    assert not any(is_notable(found, root) for root in found.roots)
