"""Plans of searches at 10,000 cases: none reads the cases from end to end."""

from __future__ import annotations

import re

import pytest
from sqlalchemy import event

from backend.core.http.pagination import Page
from backend.models import Account, Role
from backend.problems import statistics
from backend.search.language import parse
from backend.search.queries_pairs import seen_counts
from backend.search.retrieval import facets_of, found
from tests.backend.search.test_visibility import principal_of
from tests.transactions import as_owner

FILL = """
    insert into "case" (id, title, evidence_rev, judged_rev, next_captures, created_at)
    select gen_random_uuid(), 'case ' || n, 1, 1, '[]', now() - n * interval '4 minutes'
    from generate_series(1, 10000) n;
    insert into case_search (case_id, number, audience, created_at, updated_at, problem, facets, terms)
    select id, number, audience, created_at, updated_at, 'mm/problem-' || number %% 40,
        array['host:db' || number %% 97, 'status:investigating'],
        array_to_tsvector(array['=host:db' || number %% 97, '=problem:mm/problem-' || number %% 40, 'common']
            || case when number %% 3 = 0 then array['memory', '^memory', '^common'] else array['nvme'] end
            || case when number %% 1000 = 0 then array['rare'] else array[]::text[] end)
    from "case" where title like 'case %%';
    insert into case_number (case_id, name, least, greatest)
    select case_id, 'loadavg.1m', 0, number %% 100 from case_search;
    analyze "case";
    analyze case_search;
    analyze case_number;
"""
WHOLE = re.compile(r'Seq Scan on (?:"case"|case_search|case_number)(?!\w)')
QUERIES = (
    "memory",
    "common",
    "memory nvme",
    "rare OR memory",
    "-rare",
    "host:db5",
    "fact:loadavg.1m>97",
    "since:1d memory",
)


@pytest.fixture
def plans(session):
    """Plans of the statements that the session sends from now on, as they are sent."""
    connection = session.connection()
    seen: list[str] = []

    def explain(used, _cursor, statement, parameters, *_: object) -> None:
        if statement.lstrip().lower().startswith(("select", "with")):
            with used.connection.cursor() as cursor:
                cursor.execute(f"explain {statement}", parameters)
                seen.append("\n".join(row[0] for row in cursor.fetchall()))

    event.listen(connection, "before_cursor_execute", explain)
    yield seen
    event.remove(connection, "before_cursor_execute", explain)


def first_pages(session, principal):
    """Return the first pages of searches, short ones and longer ones than the strong hits."""
    for query in ("common", "memory", "common -rare", "host:db5", "host:db5 OR nvme"):
        for sort in ("relevance", "-created_at"):
            for limit in (50, 3400):
                page = Page(query, None, limit)
                hits = found(session, principal, page, parse(query), sort)
                yield query, sort, limit, hits, page.next_cursor


@pytest.mark.parametrize("role", [Role.ADMIN, Role.RESPONDER])
def test_no_search_reads_the_cases_from_end_to_end(session, request, monkeypatch, role):
    account = Account(name="ada", role=role)
    session.add(account)
    session.flush()
    as_owner(session)
    for statement in FILL.split(";\n")[:-1]:
        session.connection().exec_driver_sql(statement)
    principal = principal_of(account)
    pages = {}
    for common in (1, 10**9):
        monkeypatch.setattr("backend.search.retrieval.COMMON", common)
        pages[common] = list(first_pages(session, principal))
    assert pages[1] == pages[10**9]
    monkeypatch.setattr("backend.search.retrieval.COMMON", 3000)
    seen = request.getfixturevalue("plans")
    for query in QUERIES:
        node = parse(query)
        hits = found(session, principal, Page(query, None, 50), node, "relevance")
        assert hits.total > 0 or query == "memory nvme"
        facets_of(session, principal, node)
        seen_counts(session, principal, hits.case_ids)
    statistics.read(session, principal, "mm/problem-3")
    assert len(seen) > 3 * len(QUERIES)
    read_whole = [plan for plan in seen if WHOLE.search(plan)]
    assert read_whole == []
    assert any("ix_case_search_terms" in plan for plan in seen)
