"""Signature drafts over the API: a file, or the reason why there is none."""

from __future__ import annotations

from pathlib import Path

import pytest
import yaml

from ingest.readers.bpf import bpftrace_text
from ingest.readers.profilers import folded
from tests.backend.stored_evidence import new_case, store_evidence

STACKS = Path("tests/data/bpftrace-text/memcg-reclaim-kstack-comm.txt").read_bytes()
WEIGHED = b"main;asm_exc_page_fault;charge_memcg;try_charge_memcg 70\nmain;work 30\n"


@pytest.fixture
def profile(web, session, store, tmp_path):
    case = new_case(session)
    store_evidence(session, store, tmp_path, case, WEIGHED, folded, name="x.folded")
    session.commit()
    return web.get(f"/cases/{case.number}/profiles").json()["items"][0]["id"]


def test_a_stack_becomes_a_file_that_asks_for_it(web, profile):
    answer = web.get(f"/profiles/{profile}/nodes/3/signature.yaml")
    assert answer.status_code == 200
    assert 'filename="try-charge-memcg.signature.yaml"' in answer.headers["content-disposition"]
    stack = yaml.safe_load(answer.text)["clauses"]["hot"]["stack"]
    assert stack["contains"] == ["try_charge_memcg"]
    assert stack["under"] == ["charge_memcg"]


def test_a_missing_node_is_reported(web, profile):
    assert web.get(f"/profiles/{profile}/nodes/99/signature.yaml").status_code == 404


def test_stacks_of_an_event_are_refused_with_the_reason(web, session, store, tmp_path):
    case = new_case(session)
    store_evidence(session, store, tmp_path, case, STACKS, bpftrace_text, name="stacks.txt")
    session.commit()
    profile = web.get(f"/cases/{case.number}/profiles").json()["items"][0]["id"]
    answer = web.get(f"/profiles/{profile}/nodes/0/signature.yaml")
    assert answer.status_code == 422
    assert "CPU time" in answer.json()["detail"]
