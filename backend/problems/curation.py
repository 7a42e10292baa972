"""Merge and split of problems by people: each makes a problem, and taking it back restores what was.

A merge gathers clusters, or problems that were made before; a split takes cases out of one. Signatures are
neither merged nor split: a case has those that match.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from sqlalchemy import select

from backend.access.decisions import finds
from backend.core.db.base import among
from backend.core.errors import ConflictError, NotFoundError, UnsupportedQueryError
from backend.models.case_search import CaseSearch
from backend.models.made_problem import MadeProblem, ProblemPart
from backend.search import queries_problems as queries
from backend.search.clusters import is_cluster
from backend.search.words import facet_of, value_of

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence
    from uuid import UUID

    from sqlalchemy.orm import Session

    from backend.access.principals import Principal


def merge(session: Session, principal: Principal, keys: Sequence[str], title: str) -> str:
    """Make one problem of several; return its key.

    Raises:
        UnsupportedQueryError: They are fewer than two, or one is a signature.
        NotFoundError: One has no visible case.
    """
    distinct = sorted(set(keys))
    if len(distinct) < 2 or not all(map(is_cluster, distinct)):
        raise UnsupportedQueryError("name at least two clusters; signatures cannot be merged")
    queries.hold_alone(session)
    for key in distinct:
        if not _visible(session, principal, key):
            raise NotFoundError(f"there is no problem {key}")
    new = _make(session, principal, title, distinct)
    moved: dict[str, list[UUID]] = {}
    for case_id, problem, _ in queries.cases_with(session, distinct):
        moved.setdefault(problem, []).append(case_id)
    for problem, case_ids in moved.items():
        _move(session, case_ids, problem, new)
    return new


def split(session: Session, principal: Principal, key: str, numbers: Collection[int], title: str) -> str:
    """Make a problem of some cases of another one; return its key.

    Raises:
        UnsupportedQueryError: It is a signature.
        NotFoundError: A case is not visible, or is not of this problem.
        ConflictError: A case was split off before.
    """
    if not is_cluster(key):
        raise UnsupportedQueryError("cases of a signature cannot be split off")
    queries.hold_alone(session)
    visible = _visible(session, principal, key)
    for number in numbers:
        if number not in visible:
            raise NotFoundError(f"there is no case {number} of problem {key}")
    case_ids = [visible[number] for number in sorted(set(numbers))]
    parts = [f"{queries.OF_CASE}{case_id}" for case_id in case_ids]
    if any(queries.is_part(session, part) for part in parts):
        raise ConflictError("one of these cases was split off before; take that back first")
    new = _make(session, principal, title, parts)
    _move(session, case_ids, key, new)
    return new


def take_back(session: Session, principal: Principal, key: str) -> None:
    """Delete a made problem: its cases belong again to what they belonged to.

    Raises:
        NotFoundError: No visible case belongs to it.
    """
    queries.hold_alone(session)
    problem = queries.made(session, [key]).get(key)
    # A problem that was merged into another one has no case, like one that nobody made.
    if problem is None or not _visible(session, principal, key):
        raise NotFoundError(f"there is no problem {key}")
    rows = queries.cases_with(session, [key])
    session.delete(problem)
    session.flush()
    moved: dict[str, list[UUID]] = {}
    for case_id, _, cluster in rows:
        moved.setdefault(queries.problem_of(session, case_id, cluster), []).append(case_id)
    for restored, case_ids in moved.items():
        _move(session, case_ids, key, restored)


def _make(session: Session, principal: Principal, title: str, parts: Collection[str]) -> str:
    problem = MadeProblem(title=title, author=principal.name)
    session.add(problem)
    session.flush()
    session.add_all(ProblemPart(part=part, problem_id=problem.id) for part in parts)
    session.flush()
    return f"{queries.MADE}{problem.number}"


def _move(session: Session, case_ids: Collection[UUID], old: str, new: str) -> None:
    queries.move(session, case_ids, _spelled(old), _spelled(new))


def _spelled(key: str) -> queries.Spelled:
    return queries.Spelled(key, facet_of("problem", key), value_of("problem", key))


def _visible(session: Session, principal: Principal, key: str) -> dict[int, UUID]:
    """Return the visible cases of a problem by number."""
    query = select(CaseSearch.number, CaseSearch.case_id)
    return dict(session.execute(query.where(among(CaseSearch.problem, [key]), finds(principal))).all())
