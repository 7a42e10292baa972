"""The case a URL names, by UUID or by number, once it is decided that it may be seen."""

from __future__ import annotations

from typing import Annotated
from uuid import UUID

from fastapi import Depends, Path

from backend.access.dependencies import AdmissionDep, PrincipalDep, SessionDep
from backend.cases import overview, queries
from backend.core.errors import NotAllowedError
from backend.core.http import conditional_requests
from backend.models.case import Case

CaseName = Annotated[str, Path(description="UUID or number of the case", max_length=36)]


def get_case(session: SessionDep, admission: AdmissionDep, case_id: CaseName) -> Case:
    """Return the case that `case_id` names.

    Raises:
        NotFoundError: There is none, it was deleted, or whoever asks does not see it.
    """
    case = queries.case_named(session, case_id)
    admission.enter(case.id, absent=queries.absent(case_id))
    return case


def get_deleted_case(session: SessionDep, admission: AdmissionDep, case_id: CaseName) -> Case:
    """Return the case that `case_id` names, deleted or not.

    Raises:
        NotFoundError: There is none, or whoever asks does not see it.
    """
    case = queries.case_named(session, case_id, with_deleted=True)
    admission.enter(case.id, absent=queries.absent(case_id))
    return case


def get_case_of_token(session: SessionDep, admission: AdmissionDep, principal: PrincipalDep) -> Case:
    """Return the case that the token is for.

    Raises:
        NotAllowedError: It is for none.
        NotFoundError: The case was deleted, or whoever made the token does not see it any more.
    """
    if principal.case_id is None:
        raise NotAllowedError("send this with a token made for one case: POST /cases/{case}/tokens")
    name = str(principal.case_id)
    case = queries.case_named(session, name)
    admission.enter(case.id, absent=queries.absent(name))
    return case


CaseDep = Annotated[Case, Depends(get_case)]


def get_unchanged_case(
    session: SessionDep, case: CaseDep, if_match: conditional_requests.IfMatch = None
) -> Case:
    """Return the case, held, if it is still as whoever asks has read it.

    Raises:
        PreconditionError: Somebody changed it since.
    """
    if if_match is not None:
        queries.hold(session, case.id)
        conditional_requests.check(
            if_match, overview.describe_one(session, case), version=overview.version_of(case)
        )
    return case


UnchangedCaseDep = Annotated[Case, Depends(get_unchanged_case)]
TokenCaseDep = Annotated[Case, Depends(get_case_of_token)]


def get_case_id(case: CaseDep, session: SessionDep) -> UUID:
    """Return the id of the case that the URL names, for an answer that outlives the session that found it.

    What was noted of the request is committed here, before the answer begins.
    """
    found_id = case.id
    session.commit()
    return found_id


CaseIdDep = Annotated[UUID, Depends(get_case_id)]
DeletedCaseDep = Annotated[Case, Depends(get_deleted_case)]
