"""Case summaries as lists show them: evidence counts, progress, hosts and headline."""

from __future__ import annotations

import re
from collections import defaultdict
from typing import TYPE_CHECKING, Any

from sqlalchemy import ARRAY, Uuid, and_, any_, bindparam, func, or_, select, true

from backend.access import decisions, principals
from backend.cases.schemas import CaseListed, CaseRead, Resolution
from backend.cases.schemas_access import PersonRead, TeamRead
from backend.core.http import conditional_requests
from backend.models.account import Account
from backend.models.case import Case
from backend.models.case_search import CaseSearch
from backend.models.evidence import Evidence, EvidenceState
from backend.models.host import Host
from backend.models.kernel_fleet import CaseKernel
from backend.models.team import Team
from backend.models.upload import Upload, UploadState
from backend.search import queries_pairs

if TYPE_CHECKING:
    from collections.abc import Sequence
    from uuid import UUID

    from sqlalchemy import Row, Select
    from sqlalchemy.orm import Session, sessionmaker

    from backend.access.principals import Principal
    from signatures.documents.overview import CaseHeadlineDocument


UNTITLED = "Untitled case"
COUNTED = re.compile(r" (?:and \d+ more files?|\(\d+ files?\))\Z")
"""End of the title of a case of several files that nobody named."""
MAX_NAME = 120
"""Characters of a headline that serves as a name; longer ones leave it to their title."""


def describe_one(session: Session, case_id: UUID) -> CaseRead:
    """Return one case."""
    return describe(session, [case_id])[0]


def describe_for(sessions: sessionmaker[Session], principal: Principal, case_id: UUID) -> CaseRead | None:
    """Return the current state of a case; None once `principal` loses access to it."""
    with sessions() as session:
        now = principals.again(session, principal)
        if now is None or not decisions.sees(session, now, case_id):
            return None
        return describe_one(session, case_id)


def describe_listed(session: Session, principal: Principal, ids: Sequence[UUID]) -> list[CaseListed]:
    """Return the summaries of cases for a list that `principal` sees, in the order of `ids`."""
    seen = queries_pairs.seen_counts(session, principal, ids)
    return [
        CaseListed(
            **_fields(row),
            seen_before=seen.get(row.id, 0),
            problems=values["problem"],
            kernels=sorted(row.kernels or ()),
            distros=values["distro"],
            classes=values["class"],
            labels=values["label"],
        )
        for row in _rows(session, _LISTED, ids)
        for values in [_values(row.facets)]
    ]


def describe(session: Session, ids: Sequence[UUID]) -> list[CaseRead]:
    """Return the summaries of cases, in the order of `ids`."""
    return [CaseRead(**_fields(row)) for row in _rows(session, _CASES, ids)]


def version_of(case: Case | Row[Any]) -> str:
    """Return the version of the fields people edit; counters of the workers do not change it."""
    return conditional_requests.version_of(
        case.title,
        case.status,
        case.severity,
        str(case.assignee_id),
        *case.tags,
        case.cause,
        case.cause_signature,
        case.fix,
    )


def resolution_of(case: Case | Row[Any]) -> Resolution | None:
    """Return the resolution of the case; None while it has none."""
    if not (case.cause or case.cause_signature or case.fix):
        return None
    return Resolution(cause=case.cause, signature=case.cause_signature, fix=case.fix)


def _fields(row: Row[Any]) -> dict[str, Any]:
    """Return the fields of `CaseRead` of a row of `_CASES`."""
    return {
        "id": row.id,
        "number": row.number,
        "version": version_of(row),
        "title": row.title,
        "status": row.status,
        "name": _name(row.title, row.headline, is_made=bool(row.is_titled_by_file)),
        "state": row.state,
        "severity": row.severity,
        "assignee": None if row.assignee is None else PersonRead(id=row.assignee_id, name=row.assignee),
        "team": None if row.team is None else TeamRead(id=row.team_id, name=row.team),
        "tags": row.tags,
        "created_at": row.created_at,
        "updated_at": row.updated_at,
        "evidence_count": row.evidence_count,
        "reading_count": row.reading_count,
        "unread_count": row.unread_count,
        "arriving_count": row.sending_count,
        "judged": row.is_judged and row.reading_count + row.sent_count == 0,
        "visibility": row.visibility,
        "closed_at": row.closed_at,
        "expires_at": row.expires_at,
        "resolution": resolution_of(row),
        "hosts": sorted(row.hosts or ()),
        "headline": row.headline,
    }


def _name(title: str, headline: CaseHeadlineDocument | None, *, is_made: bool) -> str:
    """Return what a case is called: the title of a person, else the headline."""
    if headline is None or not (is_made or title == UNTITLED or COUNTED.search(title)):
        return title
    return headline.text if len(headline.text) <= MAX_NAME else headline.title


def _values(facets: Sequence[str] | None) -> dict[str, list[str]]:
    """Return the values that facets count by field; a case without index row has none."""
    values: dict[str, list[str]] = defaultdict(list)
    for facet in facets or ():
        field, _, value = facet.partition(":")
        values[field].append(value)
    return values


def _rows(session: Session, query: Select[Any], ids: Sequence[UUID]) -> list[Row[Any]]:
    """Return the rows of `query`, in the order of `ids`."""
    rows = {row.id: row for row in session.execute(query, {"ids": list(ids)})} if ids else {}
    return [rows[case_id] for case_id in ids if case_id in rows]


def _cases() -> Select[Any]:
    """Return the query for the summaries of the cases `:ids`.

    One statement: a file on the way, and the headline of a judgement, are seen in one state of the database.
    """
    stands = Evidence.deleted_at.is_(None)
    is_waiting = or_(*(Evidence.state == one for one in (EvidenceState.RECEIVED, EvidenceState.READING)))
    unread = (EvidenceState.REJECTED, EvidenceState.FAILED, EvidenceState.CANCELLED)
    is_unread = or_(*(Evidence.state == one for one in unread))
    evidence = (
        select(
            func.count().filter(stands).label("evidence_count"),
            func.count().filter(stands, is_waiting).label("reading_count"),
            func.count().filter(stands, is_unread).label("unread_count"),
            func.bool_or(or_(Evidence.filename == Case.title, Evidence.captured_path == Case.title)).label(
                "is_titled_by_file"
            ),
        )
        .where(Evidence.case_id == Case.id)
        .lateral("case_evidence")
    )
    uploads = (
        select(
            func.count().filter(Upload.state == UploadState.SENDING).label("sending_count"),
            func.count().filter(Upload.state == UploadState.SENT).label("sent_count"),
        )
        .where(Upload.case_id == Case.id)
        .lateral("case_uploads")
    )
    is_of_evidence = select(Evidence.id).where(Evidence.host_id == Host.id, stands).exists()
    hosts = select(func.array_agg(Host.name.distinct())).where(
        and_(Host.case_id == Case.id, Host.name != "", is_of_evidence)
    )
    own: tuple[Any, ...] = (
        *(Case.id, Case.number, Case.title, Case.status, Case.state, Case.severity, Case.tags),
        *(Case.assignee_id, Case.team_id, Case.created_at, Case.updated_at, Case.closed_at, Case.expires_at),
        *(Case.visibility, Case.cause, Case.cause_signature, Case.fix, Case.headline),
    )
    return (
        select(
            *own,
            (Case.judged_rev >= Case.evidence_rev).label("is_judged"),
            Account.name.label("assignee"),
            Team.name.label("team"),
            *evidence.c,
            *uploads.c,
            hosts.scalar_subquery().label("hosts"),
        )
        .select_from(Case)
        .outerjoin(Account, Account.id == Case.assignee_id)
        .outerjoin(Team, Team.id == Case.team_id)
        .join(evidence, true())
        .join(uploads, true())
        .where(Case.id == any_(bindparam("ids", type_=ARRAY(Uuid))))
    )


def _listed() -> Select[Any]:
    """Return the query for the summaries of cases with what lists show besides."""
    kernels = select(func.array_agg(CaseKernel.release.distinct())).where(
        CaseKernel.case_id == Case.id, CaseKernel.release != ""
    )
    query = _cases().outerjoin(CaseSearch, CaseSearch.case_id == Case.id)
    return query.add_columns(CaseSearch.facets, kernels.scalar_subquery().label("kernels"))


# Made once: to make a query of this size takes longer than to run it.
_CASES, _LISTED = _cases(), _listed()
