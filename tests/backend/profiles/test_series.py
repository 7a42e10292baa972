"""Time series and histograms of a case over the API."""

from __future__ import annotations

from pathlib import Path

import pytest

from ingest.readers.bpf import bpftrace_text
from ingest.readers.proc import pressure, proc_vmstat
from ingest.readers.sysstat import pidstat
from tests.backend.stored_evidence import new_case, store_evidence

SAMPLE = Path("backend/evidence/sample_cases/reclaim-at-the-limit")


@pytest.fixture
def case(session, store, tmp_path):
    case = new_case(session)

    def add(path, reader, **known):
        store_evidence(
            session, store, tmp_path, case, Path(path).read_bytes(), reader, name=Path(path).name, **known
        )

    add("tests/data/pidstat/pidstat.processes.txt", pidstat)
    add("tests/data/published/vanishing-cpu/bpftrace-mmap_lock-hold.txt", bpftrace_text)
    for look in ("t5", "t0"):
        add(SAMPLE / look / "proc/vmstat", proc_vmstat, captured_path=f"{look}/proc/vmstat")
    add(SAMPLE / "proc/pressure/memory", pressure, captured_path="proc/pressure/memory")
    session.commit()
    return case


@pytest.fixture
def listed(case, web):
    return {one["name"]: one for one in web.get(f"/cases/{case.number}/series").json()["items"]}


def test_chartable_series_are_listed_with_units_and_labels(listed):
    rows = listed["pidstat"]
    assert rows["axis"] == "seconds"
    assert {"name": "user_share", "unit": "share"} in rows["values"]
    assert {"pid", "comm"} <= set(rows["labels"])
    assert listed["pressure of memory"]["axis"] == "window_seconds"
    assert listed["vmstat.pgfault"]["points"] == 2
    assert "pressure.memory.some.avg10_share" not in listed


def test_rows_become_lines_grouped_by_the_chosen_columns(case, web, listed):
    rows = listed["pidstat"]
    body = web.get(
        f"/cases/{case.number}/series/{rows['id']}",
        params={"value": "cpu_share", "by": ["pid", "comm"], "limit": 2},
    ).json()
    assert (body["unit"], body["axis"], len(body["lines"])) == ("share", "seconds", 2)
    first = body["lines"][0]
    assert first["label"].keys() == {"pid", "comm"}
    shown = web.get(
        f"/evidence/{first['evidence_id']}/lines",
        params={"first": first["line"][0], "last": first["line"][0]},
    ).json()
    assert first["label"]["comm"] in shown["lines"][0]


def test_repeated_facts_form_a_series_in_sampling_order(case, web):
    body = web.get(f"/cases/{case.number}/series/fact:vmstat.pgfault").json()
    before, after = body["lines"][0]["value"]
    assert before < after
    assert (body["axis"], body["lines"][0]["time"]) == ("order", [0, 1])


def test_psi_averages_form_a_series_from_300_s_to_10_s(case, web):
    body = web.get(f"/cases/{case.number}/series/pressure:memory", params={"value": "some"}).json()
    assert [line["time"] for line in body["lines"]] == [[300, 60, 10]]
    assert all(0 <= value <= 1 for value in body["lines"][0]["value"])


def test_histograms_come_with_percentiles_and_where_the_time_went(case, web):
    body = web.get(f"/cases/{case.number}/histograms").json()["items"]
    assert body
    for histogram in body:
        assert histogram["evidence_name"] == "bpftrace-mmap_lock-hold.txt"
        assert histogram["cumulative"][-1] == 1
        assert [one["share"] for one in histogram["percentiles"]] == [0.5, 0.9, 0.99, 0.999]


@pytest.mark.parametrize(
    ("series", "query", "status", "word"),
    [
        ("rows:7", {}, 404, "UUID"),
        ("rows:00000000-0000-0000-0000-000000000000", {}, 404, "no row set"),
        ("fact:nobody.measured", {}, 404, "no values"),
        ("moon:full", {}, 404, "begins with rows:"),
    ],
)
def test_a_missing_series_is_reported(case, web, series, query, status, word):  # noqa: PLR0917 - a case
    answer = web.get(f"/cases/{case.number}/series/{series}", params=query)
    assert (answer.status_code, word in answer.json()["detail"]) == (status, True)


def test_an_unknown_column_is_reported_with_the_known_ones(case, web, listed):
    address = f"/cases/{case.number}/series/{listed['pidstat']['id']}"
    for query in ({"value": "moon_share"}, {"by": "moon"}):
        answer = web.get(address, params=query)
        assert (answer.status_code, answer.json()["code"]) == (422, "UnsupportedQuery")
        assert "moon" in answer.json()["detail"]
