"""Hosts of a case: separated, compared, and contrasted."""

from __future__ import annotations

from pathlib import Path

import pytest

from backend.models import Host
from ingest.readers.bpf import bpftrace_text
from ingest.sections.captured_files import reader_of_path
from tests.backend.stored_evidence import judge_case, new_case, store_evidence

HOLD = Path("tests/data/published/vanishing-cpu/bpftrace-mmap_lock-hold.txt").read_bytes()
SAMPLE = Path("backend/evidence/sample_cases/reclaim-at-the-limit")
FILES = ("memory.failcnt", "memory.limit_in_bytes", "memory.usage_in_bytes", "memory.stat")
SIGNATURE = "mm/mmap-lock-held-in-reclaim"


@pytest.fixture
def add(session, store, tmp_path):
    """Keep the files of a recorded group as evidence of one host and boot."""

    def add(case, host, folder, boot="b1"):
        row = Host(case_id=case.id, name=host, machine_id=host, boot_id=boot)
        session.add(row)
        session.flush()
        for name in FILES:
            path = f"sys/fs/cgroup/memory/db/{name}"
            content = (SAMPLE / folder / name).read_bytes()
            evidence = store_evidence(
                session,
                store,
                tmp_path,
                case,
                content,
                reader_of_path(path),
                name=f"{host}-{boot}-{name}",
                captured_path=path,
            )
            evidence.host_id = row.id
        session.flush()
        return row

    return add


@pytest.fixture
def case(session, store, tmp_path, add):
    case = new_case(session)
    bad = add(case, "db7", "cg_during")
    store_evidence(session, store, tmp_path, case, HOLD, bpftrace_text, name="hold.txt").host_id = bad.id
    add(case, "db8", "cg_before")
    add(case, "db9", "cg_before")
    session.flush()
    judge_case(session, store, case.id)
    session.commit()
    return case


def hosts(web, case, path="", **query):
    return web.get(f"/cases/{case.number}/hosts{path}", params=query)


def test_evidence_is_grouped_by_host_and_boot(session, case, web, add):
    add(case, "db7", "cg_before", boot="b2")
    keep_count = len(FILES)
    session.commit()
    body = {host["name"]: host for host in hosts(web, case).json()["hosts"]}
    assert list(body) == ["db7", "db8", "db9"]
    assert [(boot["boot_id"], boot["evidence_count"]) for boot in body["db7"]["boots"]] == [
        ("b1", keep_count + 1),
        ("b2", keep_count),
    ]
    assert body["db7"]["fact_count"] > 0


def test_the_matrix_has_the_verdict_of_every_host_and_never_their_average(case, web):
    row = next(row for row in hosts(web, case).json()["rows"] if row["signature"] == SIGNATURE)
    verdicts = {cell["host"]: cell["verdict"] for cell in row["cells"]}
    assert set(verdicts) == {"db7", "db8", "db9"}
    assert verdicts["db7"] in {"match", "suspect"}
    assert {verdicts["db8"], verdicts["db9"]}.isdisjoint({"match", "suspect"})


def test_a_bad_host_differs_by_what_its_files_say_with_their_lines(case, web):
    body = hosts(web, case, "/contrast", bad="db7", good="db8").json()
    differs = {one["name"]: one for one in body["differences"]}
    failcnt = differs["memcg.failcnt"]
    assert (failcnt["good"], failcnt["because"]) == ([0.0], "none elsewhere")
    assert failcnt["bad_at"]["evidence"].endswith("memory.failcnt")
    lines = web.get(
        f"/evidence/{failcnt['bad_at']['evidence_id']}/lines", params={"first": 1, "last": 1}
    ).json()
    assert float(lines["lines"][0]) == failcnt["bad"]
    assert "memcg.limit_bytes" not in differs
    assert body["total"] == len(body["differences"])


def test_without_a_choice_all_other_hosts_are_the_good_ones(case, web):
    body = hosts(web, case, "/contrast", bad="db7").json()
    assert body["good"] == ["db8", "db9"]
    assert all(len(one["good"]) == 2 for one in body["differences"])


def test_an_unknown_host_is_refused_with_the_known_ones(case, web):
    answer = hosts(web, case, "/contrast", bad="db1")
    assert answer.status_code == 422
    assert "hosts with facts: db7, db8, db9" in answer.json()["detail"]
    assert hosts(web, case, "/contrast", bad="db7", good="db7").status_code == 422


def test_the_one_host_at_its_limit_stands_out(case, web):
    body = hosts(web, case, "/outlier").json()
    assert body["host"] == "db7"
    assert "memcg.usage_bytes" in body["names"] or "memcg.stat.rss" in body["names"]


def test_of_two_hosts_none_stands_out(session, web, add):
    case = new_case(session)
    add(case, "a", "cg_during")
    add(case, "b", "cg_before")
    session.commit()
    assert hosts(web, case, "/outlier").json()["host"] is None
