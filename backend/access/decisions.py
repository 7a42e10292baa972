"""Which cases, drafts and baselines a principal sees, and what they may do: only this module decides it."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import TYPE_CHECKING

from sqlalchemy import ColumnElement, and_, exists, or_, select, true
from sqlalchemy.orm import aliased

from backend.access.actions import RANK, RULES, Action
from backend.core.errors import NotAllowedError
from backend.models.account import Role
from backend.models.baseline import Baseline
from backend.models.case import Case, Visibility
from backend.models.case_access import CaseLink, CasePerson
from backend.models.case_index import EVERYBODY
from backend.models.case_search import CaseSearch
from backend.models.story import Story
from backend.models.team import TeamMember

if TYPE_CHECKING:
    from uuid import UUID

    from sqlalchemy.orm import InstrumentedAttribute, Session

    from backend.access.principals import Principal

    AccountId = UUID | InstrumentedAttribute[UUID]


def check(principal: Principal, action: Action) -> None:
    """Require the role and scope of `action`; no case is looked up yet, so the error reveals none.

    Raises:
        NotAllowedError: The role or the scope of the token is insufficient.
    """
    rule = RULES[action]
    if rule.role is not None and RANK[principal.role] < RANK[rule.role]:
        raise NotAllowedError(
            f"to {rule.says} you need the role {rule.role.value} or higher; yours is {principal.role.value}"
        )
    if principal.scopes is not None and rule.role is not None and not principal.scopes & rule.scopes:
        needed = " or ".join(sorted(rule.scopes)) or "none: sign in with a browser"
        raise NotAllowedError(f"this token may not {rule.says}; required scope: {needed}")


def visible(principal: Principal) -> ColumnElement[bool]:
    """Return the condition on `Case` for the cases `principal` sees, deleted ones included."""
    of_token = Case.id == principal.case_id if principal.case_id else true()
    if principal.role is Role.ADMIN:
        return of_token
    return and_(of_token, visible_to(principal.id))


def visible_to(account_id: AccountId) -> ColumnElement[bool]:
    """Return the condition on `Case` for the cases an account sees that is not an admin's."""
    return or_(_directly(account_id), _by_link(account_id))


def finds(principal: Principal) -> ColumnElement[bool]:
    """Return the condition on `CaseSearch` for the cases `principal` sees, without deleted ones."""
    stands = CaseSearch.audience.is_not(None)
    if principal.case_id is not None:
        own = select(Case.id).where(Case.id == principal.case_id, visible(principal))
        return and_(stands, CaseSearch.case_id.in_(own))
    if principal.role is Role.ADMIN:
        return stands
    joined = select(TeamMember.team_id).where(TeamMember.account_id == principal.id)
    # The condition of `visible_to` names the table of people, too; without the alias the two would be one.
    person = aliased(CasePerson)
    named = (
        select(Case.id)
        .join(person, person.case_id == Case.id)
        .where(person.account_id == principal.id, visible_to(principal.id))
    )
    return and_(
        stands,
        or_(
            CaseSearch.audience == EVERYBODY,
            CaseSearch.audience.in_(joined),
            CaseSearch.owner_id == principal.id,
            CaseSearch.case_id.in_(named),
        ),
    )


def sees(session: Session, principal: Principal, case_id: UUID) -> bool:
    """Return whether `principal` sees the case."""
    return session.scalar(select(Case.id).where(Case.id == case_id, visible(principal))) is not None


def check_on(session: Session, principal: Principal, action: Action, case_id: UUID) -> None:
    """Require that `principal` may do `action` on a case that they see.

    Raises:
        NotAllowedError: The action is not allowed on it.
    """
    rule = RULES[action]
    if principal.role is Role.ADMIN:
        return
    if rule.changes_case and not _holds(session, case_id, _directly(principal.id)):
        raise NotAllowedError("a case link is read-only; ask the owner of the case to add you to it")
    is_curator = RANK[principal.role] >= RANK[Role.CURATOR]
    if rule.owners_only and not is_curator and not _holds(session, case_id, Case.owner_id == principal.id):
        raise NotAllowedError(f"only the owner of the case, a curator or an admin may {rule.says}")


def may(session: Session, principal: Principal, action: Action, case_id: UUID) -> bool:
    """Return whether `principal` may do `action` on a case."""
    try:
        check(principal, action)
        check_on(session, principal, action, case_id)
    except NotAllowedError:
        return False
    return sees(session, principal, case_id)


def sees_draft(principal: Principal) -> ColumnElement[bool]:
    """Return the condition on `Story` for drafts that `principal` sees and may change.

    Those of the author and of the team; for curators also those offered for publication or published.
    """
    if principal.role is Role.ADMIN:
        return true()
    in_team = exists().where(TeamMember.team_id == Story.team_id, TeamMember.account_id == principal.id)
    own = or_(Story.author_id == principal.id, in_team)
    if RANK[principal.role] < RANK[Role.CURATOR]:
        return own
    return or_(own, Story.offered_at.is_not(None), Story.published_revision.is_not(None))


def sees_baseline(principal: Principal) -> ColumnElement[bool]:
    """Return the condition on `Baseline` for those of everybody and of the teams of `principal`."""
    if principal.role is Role.ADMIN:
        return true()
    in_team = exists().where(TeamMember.team_id == Baseline.team_id, TeamMember.account_id == principal.id)
    return or_(Baseline.team_id.is_(None), in_team)


def _holds(session: Session, case_id: UUID, condition: ColumnElement[bool]) -> bool:
    return session.scalar(select(Case.id).where(Case.id == case_id, condition)) is not None


def _directly(account_id: AccountId) -> ColumnElement[bool]:
    """Return the condition for access as owner, as a person added to the case, or by team."""
    is_named = exists().where(
        CasePerson.case_id == Case.id, CasePerson.account_id == account_id, CasePerson.link_id.is_(None)
    )
    in_team = exists().where(TeamMember.team_id == Case.team_id, TeamMember.account_id == account_id)
    for_team = and_(Case.visibility == Visibility.TEAM, or_(Case.team_id.is_(None), in_team))
    return or_(Case.owner_id == account_id, is_named, for_team)


def _by_link(account_id: AccountId) -> ColumnElement[bool]:
    """Return the condition for access by an active link."""
    opened = exists().where(
        CasePerson.case_id == Case.id,
        CasePerson.account_id == account_id,
        CasePerson.link_id == CaseLink.id,
        link_holds(),
    )
    return and_(Case.visibility == Visibility.LINK, opened)


def link_holds() -> ColumnElement[bool]:
    """Return the condition on `CaseLink` for active links: neither revoked nor expired."""
    is_young = or_(CaseLink.expires_at.is_(None), CaseLink.expires_at > datetime.now(UTC))
    return and_(CaseLink.revoked_at.is_(None), is_young)
