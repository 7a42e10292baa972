"""The index row follows every change of its case, loses none, and goes with the case."""

from __future__ import annotations

import threading

import pytest
from sqlalchemy import select, text

from backend.access.principals import Principal
from backend.cases import service
from backend.core import derived_rows
from backend.core.http.pagination import WHOLE
from backend.models import Account, Case, CaseNumber, CaseSearch, Fact, Note, Role
from backend.search.language import parse
from backend.search.retrieval import facets_of, found
from ingest.readers.commands import kernel_version
from ingest.readers.logs import kernel_log
from ingest.readers.profilers import folded
from tests.backend.captures import OOM, UNAME
from tests.backend.stored_evidence import index_profiles, judge_case, new_case, store_evidence


@pytest.fixture
def admin(session):
    account = Account(name="ada", role=Role.ADMIN)
    session.add(account)
    session.flush()
    return account


@pytest.fixture
def finds(session, admin):
    """The titles of the cases that a query finds."""
    principal = Principal(
        id=admin.id,
        name=admin.name,
        role=Role.ADMIN,
        is_owner=False,
        signed_in_by="session",
        scopes=None,
        case_id=None,
        token_id=admin.id,
        expires_at=None,
        last_used_at=None,
    )

    def ask(query: str, sort: str = "relevance") -> list[str]:
        hits = found(session, principal, WHOLE, parse(query), sort)
        titles = dict(session.execute(select(Case.id, Case.title)).all())
        assert facets_of(session, principal, parse(query)).total == len(hits.case_ids) == hits.total
        return [titles[case_id] for case_id in hits.case_ids]

    return ask


@pytest.fixture
def killed(session, store, tmp_path):
    case = new_case(session, "checkout restarts")
    store_evidence(session, store, tmp_path, case, OOM, kernel_log, name="dmesg.txt", host="db7")
    store_evidence(session, store, tmp_path, case, UNAME, kernel_version, name="uname", host="db7")
    session.commit()
    judge_case(session, store, case.id)
    session.commit()
    return case


@pytest.fixture
def profiled(session, store, tmp_path):
    case = new_case(session, "something else")
    stacks = b"main;vfs_read;osq_lock 30\nmain;idle 1\n"
    store_evidence(session, store, tmp_path, case, stacks, folded, name="cpu.folded")
    index_profiles(session, store, case)
    session.commit()
    return case


FOUND = (
    "checkout",
    "restart",
    "oom",
    "db7",
    "dmesg.txt",
    '"out of memory"',
    'line:"invoked oom-killer"',
    "query-heap-03",
    "line:oom*",
    "host:db7",
    "host:d*",
    "kernel:6.1",
    "kernel:6.1.0-18-amd64",
    "distro:debian",
    "finding:memcg-oom",
    "finding:mm",
    "finding:mm/memcg-oom/match",
    "problem:mm/memcg-oom",
    "verdict:match",
    "class:oom_kill",
    "file:dmesg.txt",
    "status:open",
    "severity:none owner:none team:none host:db7",
    "since:1d -osq_lock",
    "checkout OR nothing",
    "(nothing OR oom) -status:closed",
    'fact:kernel.release="6.1.0-18-amd64"',
)
NOT_FOUND = (
    "kernel:6.10",
    "host:db",
    "line:checkout",
    "until:1d",
    '"memory out"',
    "finding:memcg",
    "oom osq_lock",
)


@pytest.mark.usefixtures("profiled")
def test_a_case_is_found_by_what_it_says_alone(finds, killed):
    found = {query: finds(query) for query in (*FOUND, *NOT_FOUND)}
    assert [query for query in FOUND if killed.title not in found[query]] == []
    assert [query for query in NOT_FOUND if killed.title in found[query]] == []


@pytest.mark.usefixtures("killed")
def test_functions_are_found_once_they_are_indexed(finds, profiled):
    assert finds("osq_lock") == finds("frame:osq_lock") == finds("function:osq_lock") == [profiled.title]


def test_facts_are_compared(finds, session, killed):
    reading_id = session.scalars(select(Fact.reading_id).where(Fact.case_id == killed.id)).first()
    place = {"case_id": killed.id, "reading_id": reading_id, "ordinal": 99, "first_line": 1, "last_line": 1}
    for number in (96.4, float("nan"), float("inf")):
        session.add(Fact(name="loadavg.1m", number=number, **place))
    derived_rows.mark(session, killed.id)
    session.commit()
    for query in ("fact:loadavg.1m>96", "fact:loadavg.1m=96.4", "fact:loadavg.1m", "fact:loadavg.1m<=96.4"):
        assert finds(query) == [killed.title]
    assert finds("fact:loadavg.1m>97") == finds("fact:loadavg.1m<5") == []


def test_words_of_the_title_come_first(finds, session, killed):
    newer = new_case(session, "billing")
    session.add(Note(case_id=newer.id, author="a", editor="a", text="Not the checkout of last week"))
    session.commit()
    assert finds("checkout") == [killed.title, "billing"]
    assert finds("checkout", "-created_at") == ["billing", killed.title]


def test_notes_titles_and_states_are_found_as_they_change(finds, session, killed):
    note = Note(case_id=killed.id, author="a", editor="a", text="limit of db.slice raised by the sidecar")
    session.add(note)
    session.commit()
    assert finds("sidecar") == finds("db.slice") == [killed.title]
    note.text = "nothing"
    service.update(session, killed, {"title": "renamed", "severity": "high", "state": "closed"}, actor="a")
    session.commit()
    assert finds("sidecar") == finds("checkout") == []
    assert finds("renamed severity:high status:closed") == ["renamed"]


def test_a_deleted_case_is_not_found_and_a_restored_one_is(finds, session, killed):
    service.delete(session, killed, actor="a")
    session.commit()
    assert finds("checkout") == []
    service.restore(session, killed, actor="a")
    session.commit()
    assert finds("checkout") == [killed.title]
    session.delete(killed)
    session.commit()
    assert session.scalars(select(CaseSearch)).all() == session.scalars(select(CaseNumber)).all() == []


def test_a_statement_that_bypasses_the_session_cannot_show_a_case_to_others(session, killed):
    session.execute(text("update \"case\" set visibility = 'restricted' where id = :id"), {"id": killed.id})
    row = session.get_one(CaseSearch, killed.id, populate_existing=True)
    assert row.audience == session.scalar(select(Case.audience).where(Case.id == killed.id))


def test_two_changes_at_once_are_both_found(own_sessions):
    with own_sessions.begin() as session:
        case_id = service.create(session, title="both", actor="a").id
    ready = threading.Barrier(2)

    def write(word: str) -> None:
        with own_sessions.begin() as session:
            session.add(Note(case_id=case_id, author="a", editor="a", text=word))
            session.flush()
            ready.wait(300)

    threads = [threading.Thread(target=write, args=(word,)) for word in ("larch", "walnut")]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    with own_sessions() as session:
        terms = session.scalar(select(CaseSearch.terms).where(CaseSearch.case_id == case_id))
    assert "'larch'" in terms
    assert "'walnut'" in terms


def test_a_case_of_before_the_index_gets_its_row(session, finds, killed):
    session.execute(text("delete from case_search"))
    assert finds("checkout") == []
    derived_rows.mark(session, killed.id)
    session.commit()
    assert finds("checkout") == [killed.title]


def test_a_case_with_endless_words_is_indexed(session, finds):
    case = new_case(session, "long")
    words = "word " * 10 + " ".join(f"w{number}" for number in range(60_000))
    session.add(Note(case_id=case.id, author="a", editor="a", text=words))
    session.add(Note(case_id=case.id, author="a", editor="a", text="x" * 30_000 + " '\\ \x01 end'quote"))
    session.commit()
    assert finds("word") == finds("end'quote") == ["long"]
