"""Hits of problems: asked of the search index, visibility included."""

from __future__ import annotations

from collections import Counter
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING, NamedTuple

from sqlalchemy import func, select

from backend.access.decisions import finds, visible
from backend.cases import overview
from backend.core.errors import NotFoundError
from backend.findings import fix_outcomes
from backend.models.case import Case
from backend.models.case_search import CaseSearch
from backend.models.label import Label, Opinion
from backend.problems.precision import interval
from backend.problems.schemas import (
    MadeBy,
    Precision,
    ProblemRead,
    ProblemSummary,
    ProblemValue,
    ProblemWeek,
)
from backend.search import queries_problems
from backend.search.clusters import is_cluster
from backend.search.conditions import lexeme, matches
from backend.search.language import quoted
from backend.search.words import value_of
from signatures.document.catalog import load_catalog

if TYPE_CHECKING:
    from collections.abc import Sequence
    from uuid import UUID

    from sqlalchemy.orm import Session

    from backend.access.principals import Principal
    from backend.cases.schemas import CaseListed
    from backend.core.http.pagination import Page
    from backend.models.made_problem import MadeProblem
    from backend.problems.schemas import Kind

WEEKS = 26
SAMPLED = 5000
NEWEST = 20
MAX_VALUES = 12
RESOLVED = "status:resolved"
KINDS = {"wait": "Tasks wait in {}", "class": "Kernel log: {}", "frames": "Time is spent in {}"}
"""Titles of clusters by what their cases share."""


class Hit(NamedTuple):
    """A case of a problem."""

    case_id: UUID
    created_at: datetime
    facets: list[str]
    cluster: str


def listed(session: Session, principal: Principal, kind: Kind, page: Page) -> list[ProblemSummary]:
    """Return a page of the problems of a kind, the one with most visible cases first."""
    is_signature = ~CaseSearch.problem.contains(":")
    query = (
        select(
            CaseSearch.problem,
            func.count(),
            func.count().filter(func.array_position(CaseSearch.facets, RESOLVED).is_(None)),
            func.min(CaseSearch.created_at),
            func.max(CaseSearch.created_at),
        )
        .where(
            CaseSearch.problem != "",
            is_signature if kind == "signature" else ~is_signature,
            finds(principal),
        )
        .group_by(CaseSearch.problem)
    )
    counted = session.execute(query).all()
    made = queries_problems.made(session, [row[0] for row in counted])
    rows = [
        _summary(key, cases, unresolved, first, last, made.get(key))
        for key, cases, unresolved, first, last in counted
    ]
    ranked = sorted(rows, key=lambda one: (-one.cases, one.key))
    return page.cut(ranked, lambda one: (-one.cases, one.key))


def read(session: Session, principal: Principal, key: str) -> ProblemRead:
    """Return a problem with its visible cases.

    Raises:
        NotFoundError: No visible case has it, and no signature has this id.
    """
    hits = _hits(session, principal, key)
    signature = next((one for one in load_catalog().signatures if one.id == key), None)
    if not hits and signature is None:
        raise NotFoundError(f"there is no problem {key}")
    now = datetime.now(UTC)
    resolved = sum(RESOLVED in hit.facets for hit in hits)
    first = hits[-1].created_at if hits else now
    last = hits[0].created_at if hits else now
    values = Counter(facet for hit in hits[:SAMPLED] for facet in hit.facets)
    made = queries_problems.made(session, [key]).get(key)
    summary = _summary(key, len(hits), len(hits) - resolved, first, last, made)
    return ProblemRead(
        **summary.model_dump(),
        resolved=resolved,
        made=_made_by(made, hits) if made else None,
        weeks=_weeks(hits, now),
        hosts=_values(values, "host"),
        kernels=_values(values, "kernel"),
        distros=_values(values, "distro"),
        precision=precision_of(session, principal, key) if signature else None,
        fixes=fix_outcomes.of_signature(session, principal, key)
        if signature
        else fix_outcomes.of_cases(session, [hit.case_id for hit in hits]),
        newest=_newest(session, principal, hits),
    )


def title_of(key: str) -> str:
    """Return the title of a problem: of its signature, else what its cases share."""
    kind, colon, shared = key.partition(":")
    if colon:
        return KINDS.get(kind, "{}").format(shared.replace("+", ", ").replace("/", " of "))
    return next((one.title for one in load_catalog().signatures if one.id == key), key)


def precision_of(session: Session, principal: Principal, signature: str) -> Precision:
    """Return how often people who look at visible cases said that findings of a signature are right."""
    query = (
        select(Label.opinion, func.count())
        .join(Case, Case.id == Label.case_id)
        .where(Label.signature == signature, Case.deleted_at.is_(None), visible(principal))
        .group_by(Label.opinion)
    )
    counts = dict(session.execute(query).all())
    right, wrong = counts.get(Opinion.RIGHT, 0), counts.get(Opinion.WRONG, 0)
    low, high = interval(right, right + wrong)
    return Precision(right=right, wrong=wrong, unsure=counts.get(Opinion.UNSURE, 0), low=low, high=high)


def _hits(session: Session, principal: Principal, key: str) -> list[Hit]:
    has_it = matches(lexeme(value_of("problem", key)))
    columns = (CaseSearch.case_id, CaseSearch.created_at, CaseSearch.facets, CaseSearch.cluster)
    query = select(*columns).where(has_it, finds(principal))
    rows = session.execute(query).all()
    return sorted((Hit(*row) for row in rows), key=lambda hit: (hit.created_at, hit.case_id), reverse=True)


def _weeks(hits: Sequence[Hit], now: datetime) -> list[ProblemWeek]:
    since = _monday(now) - timedelta(weeks=WEEKS - 1)
    counts = Counter(_monday(hit.created_at) for hit in hits if hit.created_at >= since)
    return [ProblemWeek(start=start, cases=count) for start, count in sorted(counts.items())]


def _monday(at: datetime) -> datetime:
    day = at.astimezone(UTC).replace(hour=0, minute=0, second=0, microsecond=0)
    return day - timedelta(days=day.weekday())


def _values(counts: Counter[str], field: str) -> list[ProblemValue]:
    beginning = f"{field}:"
    some = [(facet, count) for facet, count in counts.items() if facet.startswith(beginning)]
    ranked = sorted(some, key=lambda one: (-one[1], one[0]))[:MAX_VALUES]
    return [ProblemValue(value=facet.removeprefix(beginning), count=count) for facet, count in ranked]


def _newest(session: Session, principal: Principal, hits: Sequence[Hit]) -> list[CaseListed]:
    return overview.describe_listed(session, principal, [hit.case_id for hit in hits[:NEWEST]])


def _made_by(made: MadeProblem, hits: Sequence[Hit]) -> MadeBy:
    counts = Counter(hit.cluster for hit in hits if hit.cluster)
    clusters = [ProblemValue(value=cluster, count=count) for cluster, count in counts.most_common(MAX_VALUES)]
    return MadeBy(author=made.author, created_at=made.created_at, clusters=clusters)


def _summary(  # noqa: PLR0917 - a row of the list
    key: str, cases: int, unresolved: int, first: datetime, last: datetime, made: MadeProblem | None
) -> ProblemSummary:
    return ProblemSummary(
        key=key,
        kind="cluster" if is_cluster(key) else "signature",
        title=made.title if made else title_of(key),
        cases=cases,
        open=unresolved,
        first_seen=first,
        last_seen=last,
        term=f"problem:{quoted(key)}",
    )
