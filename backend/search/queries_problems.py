"""Queries of the problem that a case belongs to, and of the rows that follow when people merge or split."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from sqlalchemy import func, select, text

from backend.core.db.base import among
from backend.models.case_search import CaseSearch
from backend.models.made_problem import MadeProblem, ProblemPart

if TYPE_CHECKING:
    from collections.abc import Collection
    from uuid import UUID

    from sqlalchemy.orm import Session

MADE, OF_CASE = "made:", "case:"
_LOCK = 0x9B0B1E5
"""Advisory lock: shared by who writes the problem of a case, alone for who merges or splits."""

_ROOT = text("""
    with recursive up(part, key, depth) as (
        select part, part, 0 from unnest(cast(:parts as text[])) as part
        union all
        select up.part, 'made:' || made_problem.number, up.depth + 1
        from up join problem_part on problem_part.part = up.key
        join made_problem on made_problem.id = problem_part.problem_id
        where up.depth < 100
    )
    select distinct on (part) part, key from up order by part, depth desc
""")

_MOVE = text("""
    update case_search
    set problem = :new_key,
        facets = array_replace(facets, cast(:old_facet as text), cast(:new_facet as text)),
        terms = ts_delete(terms, cast(:old_term as text)) || array_to_tsvector(array[cast(:new_term as text)])
    where case_id = any(:case_ids) and problem = :old_key
""")


class Spelled(NamedTuple):
    """A problem as an index row spells it: its key, its facet, and its lexeme."""

    key: str
    facet: str
    term: str


def hold_shared(session: Session) -> None:
    """Wait for who merges or splits, and keep others from it until the transaction ends."""
    session.execute(select(func.pg_advisory_xact_lock_shared(_LOCK)))


def hold_alone(session: Session) -> None:
    """Wait for all who write the problem of a case, and keep them from it until the transaction ends."""
    session.execute(select(func.pg_advisory_xact_lock(_LOCK)))


def problem_of(session: Session, case_id: UUID, cluster: str) -> str:
    """Return the problem of a case with this cluster, as people merged and split."""
    own = f"{OF_CASE}{case_id}"
    roots: dict[str, str] = dict(session.execute(_ROOT, {"parts": [own, cluster]}).all())
    return roots[own] if roots[own] != own else roots[cluster]


def move(session: Session, case_ids: Collection[UUID], old: Spelled, new: Spelled) -> None:
    """Have the index rows of cases say another problem."""
    parameters = {f"old_{name}": value for name, value in old._asdict().items()}
    parameters |= {f"new_{name}": value for name, value in new._asdict().items()}
    session.execute(_MOVE, {"case_ids": list(case_ids), **parameters})


def cases_with(session: Session, problems: Collection[str]) -> list[tuple[UUID, str, str]]:
    """Return case, problem and cluster of the rows with one of these problems, visible or not."""
    query = select(CaseSearch.case_id, CaseSearch.problem, CaseSearch.cluster)
    rows = session.execute(query.where(among(CaseSearch.problem, problems)))
    return [(case_id, problem, cluster) for case_id, problem, cluster in rows]


def made(session: Session, keys: Collection[str]) -> dict[str, MadeProblem]:
    """Return the made problems among these keys."""
    numbers = [int(key.removeprefix(MADE)) for key in keys if is_made(key)]
    if not numbers:
        return {}
    rows = session.scalars(select(MadeProblem).where(MadeProblem.number.in_(numbers)))
    return {f"{MADE}{row.number}": row for row in rows}


def is_made(key: str) -> bool:
    """Return whether a key is that of a made problem."""
    number = key.removeprefix(MADE)
    return key.startswith(MADE) and number.isascii() and number.isdecimal() and len(number) < 10


def is_part(session: Session, key: str) -> bool:
    """Return whether something belongs to a made problem."""
    return session.scalar(select(ProblemPart.part).where(ProblemPart.part == key)) is not None
