"""Wait graphs of a case over HTTP."""

from __future__ import annotations

from pathlib import Path
from types import SimpleNamespace

import pytest

from backend.core.http.slots import Slots
from ingest.readers.logs import kernel_log
from tests.backend.stored_evidence import judge_case, new_case, store_evidence

LOG = Path("tests/data/recorded/hangs/fuse-server-stops/dmesg.txt").read_bytes()


@pytest.fixture
def case(session, store, tmp_path):
    case = new_case(session)
    store_evidence(session, store, tmp_path, case, LOG, kernel_log, name="dmesg.txt")
    judge_case(session, store, case.id)
    session.commit()
    return case


def test_the_root_blocker_cites_its_lines(web, case):
    (graph,) = web.get(f"/cases/{case.number}/waits").json()["graphs"]
    assert graph["summary"] == "4 tasks wait behind mkdir:14954, which waits for reply of a FUSE server"
    (citation,) = graph["roots"][0]["citations"]
    assert citation["evidence"] == "dmesg.txt"
    assert "task:mkdir" in LOG.decode().splitlines()[citation["first_line"] - 1]
    root = next(node for node in graph["nodes"] if node["is_root"])
    blocked = [node for node in graph["nodes"] if node["layer"] > root["layer"]]
    assert [node["count"] for node in blocked] == [4]
    assert all(node["x"] > root["x"] for node in blocked)
    assert graph["links"][0]["path"].startswith("M")


@pytest.mark.parametrize(
    ("shape", "begins"), [("text", "4 tasks wait behind"), ("mermaid", "flowchart LR"), ("svg", "<svg ")]
)
def test_a_graph_is_exported_as_a_file(web, case, shape, begins):
    answer = web.get(f"/cases/{case.number}/waits/export?format={shape}")
    assert answer.text.startswith(begins)
    assert "mkdir:14954" in answer.text
    assert "attachment" in answer.headers["content-disposition"]


def test_a_host_without_tasks_has_no_graph(web, case, session):
    assert web.get(f"/cases/{case.number}/waits/export?host=db-9").status_code == 404
    empty = new_case(session)
    session.commit()
    assert web.get(f"/cases/{empty.number}/waits").json()["graphs"] == []


def test_an_export_waits_for_the_turn_of_a_computation(web, app, case):
    computing = app.state.computing
    none_free = Slots(1, max_waiting=0, patience_seconds=1.0, stream_seconds=1.0)
    none_free.in_use = 1
    app.state.computing = SimpleNamespace(turns=none_free, threads=computing.threads)
    answer = web.get(f"/cases/{case.number}/waits/export")
    assert (answer.status_code, "views are being computed" in answer.text) == (503, True)
