"""Which cases and drafts an principal sees, and what they may do: the only place that decides it."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import TYPE_CHECKING

from sqlalchemy import ColumnElement, and_, exists, or_, select, true

from backend.access.actions import RANK, RULES, Action
from backend.core.errors import NotAllowedError, NotFoundError
from backend.models.account import Role
from backend.models.case import Case, Visibility
from backend.models.case_access import CaseLink, CasePerson
from backend.models.story import Story
from backend.models.team import TeamMember

if TYPE_CHECKING:
    from uuid import UUID

    from sqlalchemy.orm import InstrumentedAttribute, Session

    from backend.access.principals import Principal

    AccountId = UUID | InstrumentedAttribute[UUID]


def check(principal: Principal, action: Action) -> None:
    """Let `principal` do `action` somewhere; it is asked before any case is looked up, so it tells of none.

    Raises:
        NotAllowedError: Their role or token is not for this.
    """
    rule = RULES[action]
    if rule.role is not None and RANK[principal.role] < RANK[rule.role]:
        raise NotAllowedError(
            f"to {rule.says} takes the role {rule.role.value} or more; yours is {principal.role.value}"
        )
    if principal.scopes is not None and rule.role is not None and not principal.scopes & rule.scopes:
        needed = " or ".join(sorted(rule.scopes)) or "none: sign in with a browser"
        raise NotAllowedError(f"this token may not {rule.says}; the scope for that is {needed}")


def visible(principal: Principal) -> ColumnElement[bool]:
    """Return the condition on `Case` that holds for those which `principal` sees; put away or not."""
    of_token = Case.id == principal.case_id if principal.case_id else true()
    if principal.role is Role.ADMIN:
        return of_token
    return and_(of_token, visible_to(principal.id))


def visible_to(account_id: AccountId) -> ColumnElement[bool]:
    """Return the condition on `Case` that holds for those which an account sees that is no admin's."""
    return or_(_directly(account_id), _by_link(account_id))


def sees(session: Session, principal: Principal, case_id: UUID) -> bool:
    """Say whether `principal` sees the case."""
    return session.scalar(select(Case.id).where(Case.id == case_id, visible(principal))) is not None


def enter(session: Session, principal: Principal, action: Action, case_id: UUID, *, absent: str) -> None:
    """Let `principal` do `action` with one case.

    Raises:
        NotFoundError: They do not see it; `absent` is what they would hear if there were none.
        NotAllowedError: They see it, but it is not theirs to do this with.
    """
    rule = RULES[action]
    if not sees(session, principal, case_id):
        raise NotFoundError(absent)
    if principal.role is Role.ADMIN:
        return
    if rule.changes_case and not _holds(session, case_id, _directly(principal.id)):
        raise NotAllowedError("a link to a case is for reading it; ask its owner to name you on it")
    is_curator = RANK[principal.role] >= RANK[Role.CURATOR]
    if rule.owners_only and not is_curator and not _holds(session, case_id, Case.owner_id == principal.id):
        raise NotAllowedError(f"to {rule.says} is for its owner, a curator or an admin")


def may(session: Session, principal: Principal, action: Action, case_id: UUID) -> bool:
    """Say whether `principal` may do `action` with a case."""
    try:
        check(principal, action)
        enter(session, principal, action, case_id, absent="")
    except (NotAllowedError, NotFoundError):
        return False
    return True


def sees_draft(principal: Principal) -> ColumnElement[bool]:
    """Return the condition on `Story` that holds for those whose draft `principal` sees and may change.

    It is the author's and the team's; a curator's once somebody asks to publish it, or it is published.
    """
    if principal.role is Role.ADMIN:
        return true()
    in_team = exists().where(TeamMember.team_id == Story.team_id, TeamMember.account_id == principal.id)
    own = or_(Story.author_id == principal.id, in_team)
    if RANK[principal.role] < RANK[Role.CURATOR]:
        return own
    return or_(own, Story.offered_at.is_not(None), Story.published_revision.is_not(None))


def _holds(session: Session, case_id: UUID, condition: ColumnElement[bool]) -> bool:
    return session.scalar(select(Case.id).where(Case.id == case_id, condition)) is not None


def _directly(account_id: AccountId) -> ColumnElement[bool]:
    """Return the condition for seeing a case as its owner, as one named on it, or as its team."""
    is_named = exists().where(
        CasePerson.case_id == Case.id, CasePerson.account_id == account_id, CasePerson.link_id.is_(None)
    )
    in_team = exists().where(TeamMember.team_id == Case.team_id, TeamMember.account_id == account_id)
    for_team = and_(Case.visibility == Visibility.TEAM, or_(Case.team_id.is_(None), in_team))
    return or_(Case.owner_id == account_id, is_named, for_team)


def _by_link(account_id: AccountId) -> ColumnElement[bool]:
    """Return the condition for seeing a case through a link that still holds."""
    opened = exists().where(
        CasePerson.case_id == Case.id,
        CasePerson.account_id == account_id,
        CasePerson.link_id == CaseLink.id,
        link_holds(),
    )
    return and_(Case.visibility == Visibility.LINK, opened)


def link_holds() -> ColumnElement[bool]:
    """Return the condition on `CaseLink` for being neither revoked nor expired."""
    is_young = or_(CaseLink.expires_at.is_(None), CaseLink.expires_at > datetime.now(UTC))
    return and_(CaseLink.revoked_at.is_(None), is_young)
