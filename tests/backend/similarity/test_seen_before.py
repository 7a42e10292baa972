"""Seen before: a twin on another host is found with its fix; what people say of a pair holds."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from sqlalchemy import select

from backend.models import Case, CasePair, Role, Visibility
from backend.search.likeness import WEIGHTS, compare, learned_weights, most_telling, rarity
from backend.search.traits import Shown, traits_of
from ingest.readers.commands import kernel_version
from ingest.readers.logs import kernel_log
from signatures.documents.overview import HeadlineDocument, OverviewDocument, StatementDocument
from tests.backend.captures import UNAME
from tests.backend.people import person, signed_in
from tests.backend.stored_evidence import judge_case, new_case, store_evidence

BLOCK = Path("signatures/library/block")
TIMEOUT = (BLOCK / "command-timeout/evidence/pos-nvme/dmesg.txt").read_text()
DEGRADED = (BLOCK / "array-degraded/evidence/pos-two-of-four/dmesg.txt").read_text()
"""Another alarm of the same subsystem."""


def of_other_host(log: str) -> bytes:
    """Return the log of another host: as the journal prints it, of another device."""
    messages = re.sub(r"^\[ *[\d.]+\] ", "Nov 12 03:14:07 kv3 kernel: ", log, flags=re.MULTILINE)
    return messages.replace("nvme0", "nvme4").encode()


@pytest.fixture
def made(session, store, tmp_path):
    """Make a judged case of a kernel log."""

    def make(title: str, log: bytes, host: str) -> Case:
        case = new_case(session, title)
        folder = tmp_path / title
        folder.mkdir()
        store_evidence(session, store, folder, case, log, kernel_log, name=f"{title}.txt", host=host)
        store_evidence(session, store, folder, case, UNAME, kernel_version, name=f"{title} uname", host=host)
        judge_case(session, store, case.id)
        session.commit()
        return case

    return make


def test_a_twin_of_another_host_is_seen_before_with_its_fix(web, made):
    earlier = made("stalls", TIMEOUT.encode(), "db7")
    made("array", DEGRADED.encode(), "db7")
    web.patch(
        f"/cases/{earlier.number}",
        json={"state": "closed", "resolution": {"cause": "", "signature": "", "fix": "replaced the drive"}},
    )
    later = made("hangs", of_other_host(TIMEOUT), "kv3")
    seen = web.get(f"/cases/{later.number}/seen-before").json()
    [twin] = seen["cases"]
    assert (seen["count"], twin["number"], twin["fix"]) == (1, earlier.number, "replaced the drive")
    assert twin["outcome"] == "resolved"
    assert "signature:block/command-timeout" in twin["common"]
    listed = {one["number"]: one["seen_before"] for one in web.get("/cases").json()["items"]}
    assert (listed[later.number], listed[earlier.number]) == (1, 0)


def test_a_pair_that_somebody_called_different_is_not_seen_again(web, session, store, made):
    earlier, later = made("stalls", TIMEOUT.encode(), "db7"), made("hangs", of_other_host(TIMEOUT), "kv3")
    pair = f"/cases/{later.number}/seen-before"
    assert web.put(f"{pair}/{earlier.number}", json={"opinion": "different"}).json()["opinion"] == "different"
    for again in (False, True):
        if again:
            judge_case(session, store, later.id)
            judge_case(session, store, earlier.id)
            session.commit()
        assert web.get(pair).json() == {"count": 0, "cases": []}
    assert web.delete(f"{pair}/{earlier.number}").status_code == 204
    assert web.get(pair).json()["count"] == 1
    assert web.delete(f"{pair}/{earlier.number}").status_code == 404
    assert web.put(f"{pair}/{later.number}", json={"opinion": "same"}).status_code == 422


def test_a_pair_that_people_call_the_same_is_seen_although_nothing_is_common(web, made):
    earlier, later = made("array", DEGRADED.encode(), "db7"), made("hangs", TIMEOUT.encode(), "kv3")
    assert web.get(f"/cases/{later.number}/seen-before").json()["count"] == 0
    # Of either of the two.
    web.put(f"/cases/{earlier.number}/seen-before/{later.number}", json={"opinion": "same"})
    [twin] = web.get(f"/cases/{later.number}/seen-before").json()["cases"]
    assert (twin["number"], twin["opinion"]) == (earlier.number, "same")


def test_changed_evidence_ends_a_pair_that_the_other_case_found(web, session, store, tmp_path, made):
    earlier, later = made("stalls", TIMEOUT.encode(), "db7"), made("hangs", of_other_host(TIMEOUT), "kv3")
    store_evidence(session, store, tmp_path, earlier, DEGRADED.encode(), kernel_log, name="more.txt")
    judge_case(session, store, earlier.id)
    session.commit()
    found_by_earlier = select(CasePair).where(CasePair.case_id == earlier.id)
    assert session.scalars(found_by_earlier).one_or_none() is None
    assert web.get(f"/cases/{later.number}/seen-before").json()["count"] == 0


def test_common_functions_words_and_titles_tell_nothing():
    stacks = [("do_syscall_64", 0.9), ("entry_SYSCALL_64_after_hwframe", 0.9), ("schedule", 0.5)]
    assert traits_of(Shown([], [], [], None, stacks)) == {}
    assert rarity("statement:kernel") < 0.5 < rarity("function:shrink_lruvec")
    said = OverviewDocument(
        headline=HeadlineDocument(kind="statement", text="x"),
        statements=(
            StatementDocument(question="cpu", kind="fact", level="saturation", text="CPUs of the kernel: 12"),
        ),
    )
    one = traits_of(Shown([], [], [], said, []))
    assert one
    assert not compare(one, one).is_same
    assert most_telling({"statement:kernel": 1.0, "class:nvme_timeout": 1.0}, 1) == pytest.approx(
        {"class:nvme_timeout": rarity("class:nvme_timeout") ** 2}
    )


def test_a_kind_that_people_refute_loses_weight_and_others_keep_theirs():
    learned = learned_weights(
        [("class", False, 10), ("class", True, 0), ("wait", True, 50), ("other", True, 1)]
    )
    assert learned == {**WEIGHTS, "class": WEIGHTS["class"] / 2}
    one, other = {"class:a": 1.0, "function:f": 1.0}, {"class:a": 1.0, "function:g": 1.0}
    assert compare(one, other, learned).share < compare(one, other).share


def test_who_does_not_see_the_other_case_cannot_label_the_pair(address, sessions, session, made):
    hidden, later = made("stalls", TIMEOUT.encode(), "db7"), made("hangs", of_other_host(TIMEOUT), "kv3")
    hidden.visibility = Visibility.RESTRICTED
    session.commit()
    pair = f"/cases/{later.number}/seen-before"
    with signed_in(address, sessions, person(sessions, "ben", Role.RESPONDER)) as ben:
        assert ben.get(pair).json() == {"count": 0, "cases": []}
        assert ben.put(f"{pair}/{hidden.number}", json={"opinion": "same"}).status_code == 404
