"""Dependencies for the case in a URL, by UUID or number, with its access check."""

from __future__ import annotations

from typing import Annotated
from uuid import UUID

from fastapi import Depends, Path, Query
from pydantic import Field

from backend.access.dependencies import AdmissionDep, PrincipalDep, SessionDep
from backend.cases import overview, queries
from backend.core.errors import NotAllowedError
from backend.core.http import conditional_requests
from backend.models.case import Case

CaseName = Annotated[str, Path(description="UUID or number of the case", max_length=36)]


def get_case(admission: AdmissionDep, case_id: CaseName) -> Case:
    """Return the case that `case_id` names.

    Raises:
        NotFoundError: It does not exist, was deleted, or is not visible to the principal.
    """
    return admission.find(queries.case_named(case_id), absent=queries.absent(case_id))


def get_deleted_case(admission: AdmissionDep, case_id: CaseName) -> Case:
    """Return the case that `case_id` names, including deleted ones.

    Raises:
        NotFoundError: It does not exist, or is not visible to the principal.
    """
    return admission.find(queries.case_named(case_id, with_deleted=True), absent=queries.absent(case_id))


def get_case_of_token(admission: AdmissionDep, principal: PrincipalDep) -> Case:
    """Return the case of a case token.

    Raises:
        NotAllowedError: The principal is not a case token.
        NotFoundError: The case was deleted, or is no longer visible to the creator of the token.
    """
    if principal.case_id is None:
        raise NotAllowedError("this endpoint requires a case token: POST /cases/{case}/tokens creates one")
    name = str(principal.case_id)
    return admission.find(queries.case_named(name), absent=queries.absent(name))


CaseDep = Annotated[Case, Depends(get_case)]
MAX_CASES = 100
CaseNames = Annotated[
    list[Annotated[str, Field(max_length=36)]],
    Query(alias="case", description="UUIDs or numbers of the cases", min_length=1, max_length=MAX_CASES),
]


def get_cases(admission: AdmissionDep, names: CaseNames) -> list[Case]:
    """Return the cases of the query, each once.

    Raises:
        NotFoundError: One does not exist, was deleted, or is not visible to the principal.
    """
    found = [admission.find(queries.case_named(name), absent=queries.absent(name)) for name in names]
    return list(dict.fromkeys(found))


CasesDep = Annotated[list[Case], Depends(get_cases)]


def get_unchanged_case(
    session: SessionDep, case: CaseDep, if_match: conditional_requests.IfMatch = None
) -> Case:
    """Return the case, locked, if `If-Match` names its current version.

    Raises:
        PreconditionError: It was changed since.
    """
    if if_match is not None:
        queries.hold(session, case.id)
        conditional_requests.check(
            if_match, overview.describe_one(session, case.id), version=overview.version_of(case)
        )
    return case


UnchangedCaseDep = Annotated[Case, Depends(get_unchanged_case)]
TokenCaseDep = Annotated[Case, Depends(get_case_of_token)]


def get_case_id(case: CaseDep, session: SessionDep) -> UUID:
    """Return the id of the case in the URL, for a response that outlives the database session.

    The audit entry of the request is committed here, before the response begins.
    """
    found_id = case.id
    session.commit()
    return found_id


CaseIdDep = Annotated[UUID, Depends(get_case_id)]
DeletedCaseDep = Annotated[Case, Depends(get_deleted_case)]
