"""`waits`: tasks behind one blocker."""

from __future__ import annotations

from pathlib import Path

import pytest

from ingest.evidence import read_file
from signatures.document.condition_parser import test_of as condition_of
from signatures.judging.observation import State
from signatures.judging.observe import observe_waits
from signatures.judging.scope import items_of, scopes_of
from signatures.language.errors import SignatureError
from signatures.waits import graph_of

HANGS = Path(__file__).parents[3] / "data" / "recorded" / "hangs"


def of(name, **waits):
    (scope,) = scopes_of(items_of([read_file(HANGS / name)]))
    condition = condition_of("f", "c", {"waits": waits})
    (found,) = observe_waits(condition, graph_of(scope.items))
    return found


def of_log(name, **waits):
    return of(name, **waits).match_result


def test_the_tasks_behind_a_named_blocker_are_counted_and_cited():
    found = of_log("fuse-server-stops/dmesg.txt", tasks={"at_least": 3}, blocked_by=["mkdir"])
    assert (found.state, found.observed) == (State.TRUE, 4.0)
    assert found.note == "4 tasks wait behind mkdir:14954, which waits for reply of a FUSE server"
    lines = (HANGS / "fuse-server-stops/dmesg.txt").read_text().splitlines()
    places = of("fuse-server-stops/dmesg.txt", tasks={"at_least": 3}, blocked_by=["mkdir"]).citations
    cited = [lines[one.first_line - 1] for _, _, one in places]
    assert "task:mkdir" in cited[0]
    assert any("likely owned by task mkdir:14954" in line for line in cited)


def test_a_resource_is_one_that_the_blocker_holds_or_waits_for():
    log = "fuse-server-stops/dmesg.txt"
    assert of_log(log, tasks={"at_least": 3}, on=["fuse_request"]).state is State.TRUE
    assert of_log(log, tasks={"at_least": 3}, on=["inode_lock"]).state is State.TRUE
    assert of_log(log, tasks={"at_least": 3}, on=["rtnl_mutex"]).state is not State.TRUE


def test_a_blocker_that_no_evidence_names_has_no_name():
    log = "frozen-file-system/dmesg.txt"
    assert of_log(log, tasks={"at_least": 3}, on=["sb_freeze"]).state is State.TRUE
    assert of_log(log, tasks={"at_least": 3}, on=["sb_freeze"], blocked_by=["*"]).state is not State.TRUE


def test_evidence_of_blocked_tasks_only_never_refutes():
    found = of_log("frozen-file-system/dmesg.txt", tasks={"at_least": 300})
    assert found.state is State.UNKNOWN
    assert "blocked tasks only" in found.reason


def test_stacks_of_threads_in_many_sections_are_one_graph():
    found = of("frozen-file-system/stacks.txt", tasks={"at_least": 3}, on=["sb_freeze"])
    assert (found.match_result.state, found.match_result.observed) == (State.TRUE, 9.0)
    assert len({section for _, section, _ in found.citations}) > 1


def test_a_kind_that_is_not_in_the_table_is_an_error():
    with pytest.raises(SignatureError, match="'jbd3' is no kind of resource"):
        condition_of("f", "c", {"waits": {"on": ["jbd3"], "tasks": {"at_least": 1}}})
