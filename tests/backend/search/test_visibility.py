"""Every count, facet, value and list of search holds exactly the cases that the caller sees."""

from __future__ import annotations

import zlib
from itertools import product
from typing import TYPE_CHECKING

import pytest
from sqlalchemy import ARRAY, Text, cast, func, literal, select, update

from backend.access.decisions import visible
from backend.access.permission_matrix import Sight
from backend.access.principals import Principal
from backend.core.http.pagination import WHOLE
from backend.models import (
    Account,
    Case,
    CasePair,
    CaseSearch,
    CaseTraits,
    PairLabel,
    PairOpinion,
    Role,
    Visibility,
)
from backend.problems import statistics
from backend.search import completion
from backend.search.language import parse
from backend.search.queries_pairs import earlier_cases, seen_counts
from backend.search.retrieval import facets_of, found
from tests.backend.access.stage import stand

if TYPE_CHECKING:
    from collections.abc import Iterable
    from uuid import UUID

    from sqlalchemy.orm import Session

QUERIES = (
    "hidden words",
    "",
    "-absent",
    "severity:none",
    "status:open since:1d",
    "hidden OR absent",
    "owner:none",
)


def new_twin(session: Session, account: Account, cases: Iterable[Case]) -> UUID:
    """Return a new case that is the same as all of `cases`: found by it, by them, and said by people."""
    case = Case(title="twin", visibility=Visibility.RESTRICTED)
    session.add(case)
    session.flush()
    # That of a case that shows nothing.
    digest = zlib.crc32(b"[]")
    session.add(CaseTraits(case_id=case.id, digest=digest, traits={}))
    for place, one in enumerate(cases):
        session.add(CaseTraits(case_id=one.id, digest=digest, traits={}))
        pairs = (
            CasePair(case_id=case.id, other_id=one.id, other_digest=digest, share=0.9),
            CasePair(case_id=one.id, other_id=case.id, other_digest=digest, share=0.9),
            PairLabel(
                later_id=case.id,
                earlier_id=one.id,
                account_id=account.id,
                author=account.name,
                opinion=PairOpinion.SAME,
                kinds=["class"],
            ),
        )
        session.add(pairs[place % 3])
    session.flush()
    return case.id


PROBLEM = func.array_to_tsvector(cast(literal(["=problem:mm/one"], ARRAY(Text)), ARRAY(Text)))


def principal_of(account: Account, case: Case | None = None) -> Principal:
    return Principal(
        id=account.id,
        name=account.name,
        role=account.role,
        is_owner=False,
        signed_in_by="session",
        scopes=None,
        case_id=case.id if case else None,
        token_id=account.id,
        expires_at=None,
        last_used_at=None,
    )


@pytest.mark.parametrize(("role", "is_case_token"), list(product(Role, (False, True))))
def test_search_sees_what_its_caller_sees(session, role, is_case_token):
    account = Account(name=f"a {role}", role=role)
    session.add(account)
    session.flush()
    cases = {sight: stand(session, account, sight) for sight in Sight}
    cases[Sight.ABSENT].deleted_at = cases[Sight.ABSENT].created_at
    session.commit()
    principal = principal_of(account, cases[Sight.TEAM] if is_case_token else None)
    query = select(Case.id).where(visible(principal), Case.deleted_at.is_(None))
    seen = set(session.scalars(query))
    assert (len(seen) < len(cases) - 1) == (role is not Role.ADMIN or is_case_token)
    for q in QUERIES:
        node = parse(q)
        hits = found(session, principal, WHOLE, node, "relevance")
        assert (set(hits.case_ids), hits.total if seen else 0) == (seen, len(seen)), q
        facets = facets_of(session, principal, node)
        assert facets.total == facets.counted == len(seen), q
        assert sum(count for _, count in facets.values.get("status", ())) == len(seen), q
        assert sum(count for _, count in facets.values.get("team", ())) == len(seen), q
    suggested = completion.complete(session, principal, "status:", 7).items
    assert sum(one.count or 0 for one in suggested) == len(seen)
    session.execute(update(CaseSearch).values(problem="mm/one", terms=PROBLEM))
    newest = new_twin(session, account, cases.values())
    expected = {newest: len(seen)} if seen else {}
    assert seen_counts(session, principal, [newest]) == expected
    assert earlier_cases(session, principal, newest).keys() == seen
    [problem] = statistics.listed(session, principal, "signature", WHOLE)
    assert (problem.key, problem.cases, problem.open) == ("mm/one", len(seen), len(seen))
    read = statistics.read(session, principal, "mm/one")
    assert {one.id for one in read.newest} == seen
    assert (sum(week.cases for week in read.weeks), read.cases) == (len(seen), len(seen))
