"""The case a URL names: by UUID or by number."""

from __future__ import annotations

from typing import Annotated

from fastapi import Depends, Path

from backend.accounts.access import AccountDep, SessionDep
from backend.cases import queries
from backend.models.case import Case


def get_case(
    session: SessionDep,
    _: AccountDep,
    case_id: Annotated[str, Path(description="UUID or number of the case", max_length=36)],
) -> Case:
    """Return the case that `case_id` names.

    Raises:
        NotFoundError: There is none, or it was deleted.
    """
    return queries.case_named(session, case_id)


CaseDep = Annotated[Case, Depends(get_case)]
