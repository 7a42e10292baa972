"""What lists and descriptions of objects say on the first screen: object, state, why, how often."""

from __future__ import annotations

import pytest

from signatures.engines import Engines
from tests.ingest.engines.test_status import (
    DOCKER,
    EVENTS,
    HEADLESS,
    INSPECT,
    MD,
    OSDS,
    POD,
    POOL,
    SHOW,
    STATUS,
)
from tests.ingest.samples import DATA
from tests.signatures.overview.test_first_screen import overview, states


@pytest.mark.parametrize(
    ("text", "words", "line"),
    [
        (POD, ("app", "memory limit", "61 restarts", "exit code 137"), 27),
        (INSPECT, ("db", "memory limit", "3 restarts"), 4),
        (DOCKER, ("cache_1", "SIGKILL", "2 hours ago"), 2),
        (SHOW, ("web.service", "again and again", "88 restarts"), 2),
        (STATUS, ("app.service", "OOM killer", "since Tue 10:11"), 2),
        (POOL, ("tank", "not whole"), 2),
        (MD, ("/dev/md0", "without a member"), 3),
        (OSDS, ("osd.1", "down"), 4),
        (HEADLESS * 3, ("cdi-99b44", "evicted", "DiskPressure"), 1),
        (EVENTS, ("probe", "240 times", "Liveness", "4m56s"), 5),
        ((DATA / "text/kubectl-get.nodes.txt").read_text(), ("kube-worker-1", "not ready"), 3),
        ((DATA / "text/kubectl-get.oom-killed.txt").read_text(), ("memory-demo-2", "memory limit"), 3),
        (
            (DATA / "kubectl-describe/crash-loop.txt").read_text(),
            ("orders", "memory limit", "14 restarts"),
            18,
        ),
        ((DATA / "kubectl-describe/unreachable-node.txt").read_text(), ("kube-worker-1", "not ready"), 27),
    ],
)
def test_the_object_its_state_and_why_lead_with_their_line(text, words, line):
    found = overview(text)
    assert all(one in found.headline.text for one in words), found.headline.text
    lead = found.lead.whole
    assert lead is not None
    assert lead.places[0].first_line == line


HEALTHY = """\
NAME    READY   STATUS      RESTARTS   AGE
web-0   1/1     Running     0          3h
job-1   0/1     Completed   0          3h
"""


@pytest.mark.parametrize("text", [HEALTHY, "  pool: tank\n state: ONLINE\n", OSDS.replace("down", "  up")])
def test_healthy_objects_are_no_trouble_and_no_calm_either(text):
    found = overview(text)
    assert not {"alarm", "notable", "calm"} & set(states(found).values())
    assert {one.statement.level for one in found.statements} <= {"context"}


def test_a_stated_state_is_not_said_again_by_what_follows_from_it():
    found = overview(POOL)
    assert [one.statement.subject for one in found.statements if "DEGRADED" in one.statement.text] == []
    assert any("sdb" in one.statement.text for one in found.statements)


@pytest.mark.parametrize("state", ["off", "shadow"])
def test_states_can_be_switched_off(state, monkeypatch):
    monkeypatch.setattr("signatures.overview.configured", lambda: Engines.parse(f"quantities={state}"))
    assert "memory limit" not in overview(POD).headline.text
