"""Case summaries as lists show them: evidence counts, progress, hosts and headline."""

from __future__ import annotations

import re
from functools import cache
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar, cast

from sqlalchemy import ARRAY, Uuid, any_, bindparam, func, or_, select, true

from backend.access import decisions, principals
from backend.cases.schemas import CaseListed, CaseRead, CaseState, Resolution, Severity
from backend.cases.schemas_access import PersonRead, TeamRead
from backend.core.db.base import among
from backend.core.http import conditional_requests
from backend.models.account import Account
from backend.models.case import Case
from backend.models.evidence import Evidence, EvidenceState
from backend.models.host import Host
from backend.models.kernel_fleet import CaseKernel
from backend.models.team import Team
from backend.models.upload import Upload, UploadState
from backend.search import queries_pairs, retrieval

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence
    from uuid import UUID

    from sqlalchemy import Select
    from sqlalchemy.orm import Session, sessionmaker

    from backend.access.principals import Principal
    from signatures.documents.overview import CaseHeadlineDocument

Named = TypeVar("Named", PersonRead, TeamRead)


UNTITLED = "Untitled case"
COUNTED = re.compile(r" (?:and \d+ more files?|\(\d+ files?\))\Z")
"""End of the title of a case of several files that nobody named."""
MAX_NAME = 120
"""Characters of a headline that serves as a name; longer ones leave it to their title."""


def describe_one(session: Session, case: Case) -> CaseRead:
    """Return one case."""
    return describe(session, [case])[0]


def describe_for(sessions: sessionmaker[Session], principal: Principal, case_id: UUID) -> CaseRead | None:
    """Return the current state of a case; None once `principal` loses access to it."""
    with sessions() as session:
        now = principals.again(session, principal)
        if now is None or not decisions.sees(session, now, case_id):
            return None
        return describe_one(session, session.get_one(Case, case_id))


def describe_listed(session: Session, principal: Principal, cases: Sequence[Case]) -> list[CaseListed]:
    """Return the summaries of cases for a list that `principal` sees."""
    ids = [case.id for case in cases]
    seen = queries_pairs.seen_counts(session, principal, ids)
    values = retrieval.values_of(session, ids, ("problem", "distro", "class", "label"))
    kernels = _kernels(session, ids)
    return [
        CaseListed(
            **dict(one),
            seen_before=seen.get(one.id, 0),
            problems=values[one.id, "problem"],
            kernels=kernels.get(one.id, []),
            distros=values[one.id, "distro"],
            classes=values[one.id, "class"],
            labels=values[one.id, "label"],
        )
        for one in describe(session, cases)
    ]


def describe(session: Session, cases: Sequence[Case]) -> list[CaseRead]:
    """Return the summaries of `cases`, in the same order."""
    ids = [case.id for case in cases]
    progress = _progress(session, ids)
    people = _names(session, Account, {case.assignee_id for case in cases})
    teams = _names(session, Team, {case.team_id for case in cases})
    summaries = []
    for case in cases:
        now = progress.get(case.id, _GONE)
        # The case may have been judged since it was loaded; the headline is of when it was found judged.
        headline = now.headline if now.is_judged else case.headline
        summaries.append(
            CaseRead(
                id=case.id,
                number=case.number,
                version=version_of(case),
                title=case.title,
                status=case.status,
                name=_name(case.title, headline, is_made=bool(now.is_titled)),
                state=cast("CaseState", case.state),
                severity=cast("Severity | None", case.severity),
                assignee=_named(PersonRead, people, case.assignee_id),
                team=_named(TeamRead, teams, case.team_id),
                tags=case.tags,
                created_at=case.created_at,
                updated_at=case.updated_at,
                evidence_count=now.evidence,
                reading_count=now.reading,
                unread_count=now.unread,
                arriving_count=now.sending,
                judged=now.reading + now.sent == 0 and now.is_judged,
                visibility=case.visibility,
                closed_at=case.closed_at,
                expires_at=case.expires_at,
                resolution=resolution_of(case),
                hosts=sorted(now.hosts or ()),
                headline=headline,
            )
        )
    return summaries


def version_of(case: Case) -> str:
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


def resolution_of(case: Case) -> Resolution | None:
    """Return the resolution of the case; None while it has none."""
    resolution = Resolution(cause=case.cause, signature=case.cause_signature, fix=case.fix)
    return resolution if any(resolution.model_dump().values()) else None


def _names(
    session: Session, of: type[Account | Team], ids: Collection[UUID | None]
) -> dict[UUID | None, str]:
    """Return the names of accounts or teams by id."""
    wanted = set(ids) - {None}
    return dict(session.execute(select(of.id, of.name).where(among(of.id, wanted))).all()) if wanted else {}


def _named(of: type[Named], names: dict[UUID | None, str], named_id: UUID | None) -> Named | None:
    name = names.get(named_id)
    return None if named_id is None or name is None else of(id=named_id, name=name)


class _Progress(NamedTuple):
    """What was received for a case and what became of it, as of one moment.

    Attributes:
        headline: That of the findings, which cover all evidence that is read if it `is_judged`.
        is_titled: Whether the title of the case is the name of one of its files.
    """

    headline: CaseHeadlineDocument | None
    is_judged: bool
    evidence: int
    reading: int
    unread: int
    is_titled: bool | None
    sending: int
    sent: int
    hosts: list[str] | None


_GONE = _Progress(None, False, 0, 0, 0, False, 0, 0, None)
"""Of a case that was deleted since it was loaded."""


def _progress(session: Session, ids: Collection[UUID]) -> dict[UUID, _Progress]:
    rows = session.execute(_progress_query(), {"case_ids": list(ids)})
    return {case_id: _Progress(*row) for case_id, *row in rows}


@cache
def _progress_query() -> Select[*tuple[Any, ...]]:
    """Return the query for cases and their progress, with the parameter `case_ids`."""
    is_there = Evidence.deleted_at.is_(None)
    is_waiting = Evidence.state.in_([EvidenceState.RECEIVED, EvidenceState.READING])
    is_unread = Evidence.state.in_([EvidenceState.REJECTED, EvidenceState.FAILED, EvidenceState.CANCELLED])
    is_named = or_(Evidence.filename == Case.title, Evidence.captured_path == Case.title)
    evidence = select(
        func.count().filter(is_there).label("evidence"),
        func.count().filter(is_there, is_waiting).label("reading"),
        func.count().filter(is_there, is_unread).label("unread"),
        func.bool_or(is_named).label("is_titled"),
    )
    uploads = select(
        func.count().filter(Upload.state == UploadState.SENDING).label("sending"),
        func.count().filter(Upload.state == UploadState.SENT).label("sent"),
    )
    is_used = select(Evidence.id).where(Evidence.host_id == Host.id, Evidence.deleted_at.is_(None)).exists()
    hosts = select(func.array_agg(Host.name.distinct())).where(
        Host.case_id == Case.id, Host.name != "", is_used
    )
    received = evidence.where(Evidence.case_id == Case.id).lateral()
    arriving = uploads.where(Upload.case_id == Case.id).lateral()
    return (
        select(
            Case.id,
            Case.headline,
            Case.judged_rev >= Case.evidence_rev,
            received,
            arriving,
            hosts.scalar_subquery(),
        )
        .select_from(Case)
        .join(received, true())
        .join(arriving, true())
        .where(Case.id == any_(bindparam("case_ids", type_=ARRAY(Uuid()))))
    )


def _name(title: str, headline: CaseHeadlineDocument | None, *, is_made: bool) -> str:
    """Return what a case is called: the title of a person, else the headline."""
    if headline is None or not (is_made or title == UNTITLED or COUNTED.search(title)):
        return title
    return headline.text if len(headline.text) <= MAX_NAME else headline.title


def _kernels(session: Session, ids: Collection[UUID]) -> dict[UUID, list[str]]:
    query = (
        select(CaseKernel.case_id, func.array_agg(CaseKernel.release.distinct()))
        .where(among(CaseKernel.case_id, ids), CaseKernel.release != "")
        .group_by(CaseKernel.case_id)
    )
    return {case_id: sorted(releases) for case_id, releases in session.execute(query)}
