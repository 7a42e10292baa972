"""Index coverage of a principal: the audiences they belong to, and single cases beyond those.

`decisions.visible` decides; this names the postings and counts that hold only cases it admits.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from sqlalchemy import select
from sqlalchemy.orm import aliased

from backend.access.decisions import visible
from backend.models.account import Role
from backend.models.case import Case
from backend.models.case_access import CasePerson
from backend.models.case_index import ALL_AUDIENCES, EVERYBODY, RESTRICTED
from backend.models.team import Team, TeamMember

if TYPE_CHECKING:
    from uuid import UUID

    from sqlalchemy.orm import Session

    from backend.access.principals import Principal

MAX_SINGLE_CASES = 300
"""Restricted cases of one principal that are searched, newest first; cases for teams or everyone have no
limit.
"""


class Reach(NamedTuple):
    """Audiences whose cases a principal sees completely, and single cases outside them.

    Attributes:
        counted: Audiences under which their counts are stored: themselves, or `ALL_AUDIENCES`.
    """

    audiences: list[UUID]
    cases: list[UUID]
    counted: list[UUID]


def reach_of(session: Session, principal: Principal) -> Reach:
    """Return the index coverage of `principal`, without deleted cases."""
    if principal.case_id is not None:
        own = select(Case.id).where(
            Case.id == principal.case_id, Case.deleted_at.is_(None), visible(principal)
        )
        return Reach([], list(session.scalars(own)), [])
    if principal.role is Role.ADMIN:
        teams = session.scalars(select(Team.id).order_by(Team.id))
        return Reach([EVERYBODY, RESTRICTED, *teams], [], [ALL_AUDIENCES])
    joined = (
        select(TeamMember.team_id).where(TeamMember.account_id == principal.id).order_by(TeamMember.team_id)
    )
    audiences = [EVERYBODY, *session.scalars(joined)]
    beyond = Case.audience.not_in(audiences)
    own = select(Case.id).where(Case.owner_id == principal.id, beyond)
    # The condition also names people; without the alias the two would be one table.
    person = aliased(CasePerson)
    named = (
        select(Case.id)
        .join(person, person.case_id == Case.id)
        .where(person.account_id == principal.id, beyond, visible(principal))
    )
    newest = (query.order_by(Case.id.desc()).limit(MAX_SINGLE_CASES) for query in (own, named))
    found = {case_id for query in newest for case_id in session.scalars(query)}
    return Reach(audiences, sorted(found, reverse=True)[:MAX_SINGLE_CASES], audiences)
