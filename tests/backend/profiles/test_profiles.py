"""Profiles over the API: summary in every view, node ids as in citations, cacheable responses."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from ingest.readers.bpf import bpftrace_text
from ingest.readers.perf import perf_script
from tests.backend.stored_evidence import new_case, store_evidence

SCRIPT = Path("tests/data/perf-script/memcg-reclaim.pid_tid.txt").read_bytes()
STACKS = Path("tests/data/bpftrace-text/memcg-reclaim-kstack-comm.txt").read_bytes()


@pytest.fixture
def case(session, store, tmp_path):
    case = new_case(session)
    store_evidence(session, store, tmp_path, case, STACKS, bpftrace_text, name="profile.txt")
    session.commit()
    return case


@pytest.fixture
def profile(case, web):
    return web.get(f"/cases/{case.number}/profiles").json()["items"][0]


def graph_of(web, profile, **view):
    answer = web.get(f"/profiles/{profile['id']}/graph", params=view)
    assert answer.status_code == 200
    return answer.json()


def test_a_case_lists_its_profiles_with_the_evidence_they_came_from(profile, web):
    assert profile["evidence_name"] == "profile.txt"
    assert profile["samples"] > 0
    assert web.get(f"/profiles/{profile['id']}").json() == profile


def without_callers(script):
    """Return a perf script with the innermost frame of every sample alone."""
    kept = re.sub(rb"(?m)(^[^\s].*\n\s+\S.*\n)(?:[ \t]+\S.*\n)*", rb"\1", script)
    assert len(kept) < len(script)
    return kept


@pytest.mark.parametrize("names", [("whole", "cut"), ("cut", "whole")])
def test_of_prints_of_one_recording_that_with_the_callers_is_first(session, store, tmp_path, web, names):
    case = new_case(session)
    prints = {"whole": SCRIPT, "cut": without_callers(SCRIPT)}
    for name in names:
        store_evidence(session, store, tmp_path, case, prints[name], perf_script, name=name)
    session.commit()
    first, second = web.get(f"/cases/{case.number}/profiles").json()["items"]
    assert first["samples"] == second["samples"]
    assert (first["evidence_name"], second["evidence_name"]) == ("whole", "cut")


def test_the_graph_holds_all_weight_and_columns_of_one_length(profile, web):
    graph = graph_of(web, profile, min_share=0)
    columns = [graph[name] for name in ("depth", "frame", "self", "node", "total")]
    assert {len(column) for column in columns} == {len(graph["node"])}
    assert len(graph["names"]) == len(graph["kinds"])
    assert sum(graph["self"]) == pytest.approx(profile["weight"])
    assert graph["total_weight"] == pytest.approx(profile["weight"])
    assert graph["pruned_nodes"] == 0


def test_pruning_leaves_out_nodes_and_keeps_every_total(profile, web):
    whole, pruned = graph_of(web, profile, min_share=0), graph_of(web, profile, min_share=0.05)
    assert len(pruned["node"]) + pruned["pruned_nodes"] == len(whole["node"])
    assert pruned["pruned_nodes"] > 0
    totals = dict(zip(whole["node"], whole["total"], strict=True))
    assert all(totals[node] == total for node, total in zip(pruned["node"], pruned["total"], strict=True))


def test_kept_nodes_survive_pruning(profile, web):
    whole = graph_of(web, profile, min_share=0)
    lightest = min(zip(whole["total"], whole["node"], strict=True))[1]
    assert lightest not in graph_of(web, profile, min_share=0.5)["node"]
    assert lightest in graph_of(web, profile, min_share=0.5, keep=str(lightest))["node"]


def test_a_subtree_is_what_stands_below_its_node(profile, web):
    whole = graph_of(web, profile, min_share=0)
    heaviest = whole["node"][1]
    below = web.get(f"/profiles/{profile['id']}/subtree", params={"node": heaviest}).json()
    assert below["node"][0] == heaviest
    assert set(below["node"]) <= set(whole["node"])
    assert below["total"][0] == whole["total"][1]


def test_inverting_keeps_the_weight(profile, web):
    inverted = graph_of(web, profile, min_share=0, inverted=True)
    assert inverted["total_weight"] == pytest.approx(profile["weight"])


def test_an_unchanged_graph_is_answered_304(profile, web):
    path = f"/profiles/{profile['id']}/graph"
    first = web.get(path)
    again = web.get(path, headers={"If-None-Match": first.headers["etag"]})
    assert (again.status_code, again.content) == (304, b"")
    other = web.get(path, params={"min_share": 0.5})
    assert other.headers["etag"] != first.headers["etag"]


def test_exports_hold_the_same_total(profile, web):
    folded = web.get(f"/profiles/{profile['id']}/folded")
    assert folded.headers["content-type"].startswith("text/plain")
    assert sum(float(line.rpartition(" ")[2]) for line in folded.text.splitlines()) == profile["samples"]
    speedscope = web.get(f"/profiles/{profile['id']}.speedscope.json").json()
    assert speedscope["$schema"] == "https://www.speedscope.app/file-format-schema.json"
    assert sum(speedscope["profiles"][0]["weights"]) == pytest.approx(profile["weight"])


def test_a_node_leads_to_lines_of_the_evidence(profile, web):
    node = graph_of(web, profile, min_share=0)["node"][-1]
    body = web.get(f"/profiles/{profile['id']}/nodes/{node}/lines").json()
    assert body["evidence_id"] == profile["evidence_id"]
    assert body["lines"]
    shown = web.get(
        f"/evidence/{body['evidence_id']}/lines",
        params={"first": body["first_line"], "last": body["first_line"]},
    )
    assert shown.status_code == 200


def test_a_missing_node_or_profile_is_reported(profile, web):
    for path in (
        f"/profiles/{profile['id']}/nodes/99999999/lines",
        f"/profiles/{profile['id']}/subtree?node=99999999",
        f"/profiles/{profile['evidence_id']}",
    ):
        answer = web.get(path)
        assert (answer.status_code, answer.json()["code"]) == (404, "NotFound")
    assert web.get(f"/profiles/{profile['id']}/graph", params={"keep": "1;2"}).status_code == 400
