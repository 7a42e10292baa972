"""Case summaries as lists show them: evidence counts, progress, hosts and headline."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, TypeVar, cast

from sqlalchemy import func, or_, select

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
    # In the order of the work: what leaves a stage between two queries is counted in the next one.
    uploads = _uploads(session, ids)
    counts = _counts(session, ids)
    judged = _judged(session, ids)
    hosts = _hosts(session, ids)
    people = _names(session, Account, {case.assignee_id for case in cases})
    teams = _names(session, Team, {case.team_id for case in cases})
    titled = _titled_by_file(session, ids)
    summaries = []
    for case in cases:
        # The case may have been judged since it was loaded; the headline is of when it was found judged.
        headline = judged.get(case.id, case.headline)
        evidence_count, reading_count, unread_count = counts.get(case.id, (0, 0, 0))
        sending_count, sent_count = uploads.get(case.id, (0, 0))
        summaries.append(
            CaseRead(
                id=case.id,
                number=case.number,
                version=version_of(case),
                title=case.title,
                status=case.status,
                name=_name(case.title, headline, is_made=case.id in titled),
                state=cast("CaseState", case.state),
                severity=cast("Severity | None", case.severity),
                assignee=_named(PersonRead, people, case.assignee_id),
                team=_named(TeamRead, teams, case.team_id),
                tags=case.tags,
                created_at=case.created_at,
                updated_at=case.updated_at,
                evidence_count=evidence_count,
                reading_count=reading_count,
                unread_count=unread_count,
                arriving_count=sending_count,
                judged=reading_count + sent_count == 0 and case.id in judged,
                visibility=case.visibility,
                closed_at=case.closed_at,
                expires_at=case.expires_at,
                resolution=resolution_of(case),
                hosts=hosts.get(case.id, []),
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


def _counts(session: Session, ids: Collection[UUID]) -> dict[UUID, tuple[int, int, int]]:
    is_waiting = Evidence.state.in_([EvidenceState.RECEIVED, EvidenceState.READING])
    is_unread = Evidence.state.in_([EvidenceState.REJECTED, EvidenceState.FAILED, EvidenceState.CANCELLED])
    query = (
        select(
            Evidence.case_id,
            func.count(),
            func.count().filter(is_waiting),
            func.count().filter(is_unread),
        )
        .where(among(Evidence.case_id, ids), Evidence.deleted_at.is_(None))
        .group_by(Evidence.case_id)
    )
    return {case_id: (total, waiting, unread) for case_id, total, waiting, unread in session.execute(query)}


def _uploads(session: Session, ids: Collection[UUID]) -> dict[UUID, tuple[int, int]]:
    """Return the number of incomplete uploads, and of complete ones that are not evidence yet."""
    query = (
        select(
            Upload.case_id,
            func.count().filter(Upload.state == UploadState.SENDING),
            func.count().filter(Upload.state == UploadState.SENT),
        )
        .where(among(Upload.case_id, ids))
        .group_by(Upload.case_id)
    )
    return {case_id: (sending, sent) for case_id, sending, sent in session.execute(query)}


def _judged(session: Session, ids: Collection[UUID]) -> dict[UUID, CaseHeadlineDocument | None]:
    """Return the headlines of the cases whose findings cover all evidence that is read."""
    query = select(Case.id, Case.headline).where(among(Case.id, ids), Case.judged_rev >= Case.evidence_rev)
    return dict(session.execute(query).all())


def _name(title: str, headline: CaseHeadlineDocument | None, *, is_made: bool) -> str:
    """Return what a case is called: the title of a person, else the headline."""
    if headline is None or not (is_made or title == UNTITLED or COUNTED.search(title)):
        return title
    return headline.text if len(headline.text) <= MAX_NAME else headline.title


def _titled_by_file(session: Session, ids: Collection[UUID]) -> set[UUID]:
    """Return the cases whose title is the name of one of their files."""
    is_named = or_(Evidence.filename == Case.title, Evidence.captured_path == Case.title)
    query = select(Case.id).join(Evidence, Evidence.case_id == Case.id).where(among(Case.id, ids), is_named)
    return set(session.scalars(query.distinct()))


def _hosts(session: Session, ids: Collection[UUID]) -> dict[UUID, list[str]]:
    query = (
        select(Host.case_id, func.array_agg(Host.name.distinct()))
        .where(
            among(Host.case_id, ids),
            Host.name != "",
            select(Evidence.id).where(Evidence.host_id == Host.id, Evidence.deleted_at.is_(None)).exists(),
        )
        .group_by(Host.case_id)
    )
    return {case_id: sorted(names) for case_id, names in session.execute(query)}


def _kernels(session: Session, ids: Collection[UUID]) -> dict[UUID, list[str]]:
    query = (
        select(CaseKernel.case_id, func.array_agg(CaseKernel.release.distinct()))
        .where(among(CaseKernel.case_id, ids), CaseKernel.release != "")
        .group_by(CaseKernel.case_id)
    )
    return {case_id: sorted(releases) for case_id, releases in session.execute(query)}
