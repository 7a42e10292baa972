"""Problems: hits, hosts, fixes and precision of what the caller sees."""

from __future__ import annotations

from datetime import timedelta

import pytest
from sqlalchemy import select

from backend.models import Account, Case, Label, Opinion
from backend.problems.precision import interval
from ingest.readers.commands import kernel_version
from ingest.readers.logs import kernel_log
from tests.backend.captures import OOM, UNAME
from tests.backend.stored_evidence import judge_case, new_case, store_evidence

UNEXPLAINED = b"""\
[  10.000000] nvme nvme0: I/O 12 QID 5 timeout, completion polled
[  12.000000] nvme nvme0: I/O 13 QID 5 timeout, completion polled
"""


@pytest.mark.parametrize(
    ("right", "trials", "low", "high"),
    [(0, 0, 0.0, 1.0), (4, 4, 0.51, 1.0), (0, 4, 0.0, 0.49), (3, 4, 0.301, 0.954), (90, 100, 0.826, 0.945)],
)
def test_the_interval_is_wide_for_few_labels_and_stays_within_0_and_1(right, trials, low, high):
    assert interval(right, trials) == (pytest.approx(low, abs=0.001), pytest.approx(high, abs=0.001))


@pytest.fixture
def killed(session, store, tmp_path):
    """Three cases of one signature on two hosts, one of them resolved and hidden from nobody."""
    numbers = []
    for at, host in enumerate(("db7", "db7", "db8")):
        case = new_case(session, f"restarts {at}")
        folder = tmp_path / str(at)
        folder.mkdir()
        store_evidence(session, store, folder, case, OOM, kernel_log, name=f"dmesg{at}.txt", host=host)
        store_evidence(session, store, folder, case, UNAME, kernel_version, name=f"uname{at}", host=host)
        judge_case(session, store, case.id)
        case.created_at -= timedelta(days=7 * at)
        session.commit()
        numbers.append(case.number)
    return numbers


def test_a_problem_knows_its_cases(web, killed):
    newest, middle, oldest = killed
    web.patch(f"/cases/{oldest}", json={"status": "resolved"})
    [listed] = web.get("/problems").json()["items"]
    assert (listed["key"], listed["cases"], listed["open"]) == ("mm/memcg-oom", 3, 2)
    read = web.get("/problems/mm/memcg-oom").json()
    assert [week["cases"] for week in read["weeks"]] == [1, 1, 1]
    assert [(one["value"], one["count"]) for one in read["hosts"]] == [("db7", 2), ("db8", 1)]
    assert ("6.1", 3) in [(one["value"], one["count"]) for one in read["kernels"]]
    assert [one["number"] for one in read["newest"]] == [newest, middle, oldest]
    # In the order of their numbers, whatever the times.
    assert [one["seen_before"] for one in read["newest"]] == [0, 1, 2]
    found = web.get("/cases", params={"q": f"{read['term']} status:open"}).json()["items"]
    assert {one["number"] for one in found} == {newest, middle}


def test_precision_is_of_labels_with_a_verdict_of_people(web, session, killed):
    account = session.scalars(select(Account)).first()
    for number, opinion in zip(killed, (Opinion.RIGHT, Opinion.WRONG, Opinion.UNSURE), strict=True):
        case = session.scalars(select(Case).where(Case.number == number)).one()
        session.add(
            Label(
                case_id=case.id,
                signature="mm/memcg-oom",
                host="db7",
                phase="during",
                account_id=account.id,
                author="a",
                opinion=opinion,
                version=1,
                verdict="match",
            )
        )
    session.commit()
    precision = web.get("/problems/mm/memcg-oom").json()["precision"]
    assert (precision["right"], precision["wrong"], precision["unsure"]) == (1, 1, 1)
    assert precision["low"] < 0.5 < precision["high"]
    found = web.get("/cases", params={"q": "label:wrong"}).json()["items"]
    assert [one["number"] for one in found] == [killed[1]]


def test_what_no_signature_explains_is_a_cluster_of_equal_class_and_device(web, session, store, tmp_path):
    for at in range(2):
        case = new_case(session, f"slow {at}")
        text = UNEXPLAINED.replace(b"12 QID", str(20 + at).encode() + b" QID")
        folder = tmp_path / str(at)
        folder.mkdir()
        store_evidence(session, store, folder, case, text, kernel_log, name=f"dmesg{at}.txt")
        judge_case(session, store, case.id)
        session.commit()
    clusters = web.get("/problems", params={"kind": "cluster"}).json()["items"]
    explained = web.get("/problems").json()["items"]
    assert [one["cases"] for one in (*clusters, *explained)] == [2]
    for one in clusters:
        assert one["key"].startswith("class:")
        assert one["key"].endswith("/nvme")
        assert web.get(f"/problems/{one['key']}").json()["cases"] == 2


def test_a_signature_without_a_case_is_a_problem_and_an_unknown_key_is_none(web):
    assert web.get("/problems/mm/memcg-oom").json()["cases"] == 0
    assert web.get("/problems/mm/nothing").status_code == 404
    assert web.get("/problems/wait:nothing").status_code == 404
    assert web.get("/problems").json()["items"] == []
