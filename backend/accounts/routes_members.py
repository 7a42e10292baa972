"""Members, invitations and teams."""

from __future__ import annotations

from datetime import timedelta
from uuid import UUID

from fastapi import APIRouter

from backend.access.actions import Action
from backend.access.dependencies import BaseUrlDep, PrincipalDep, SessionDep, needs
from backend.access.idempotency import ClaimedDep
from backend.access.reauthentication import needs_recent_sign_in
from backend.accounts import members
from backend.accounts.schemas_members import (
    InvitationCreate,
    InvitationCreated,
    InvitationRead,
    MemberRead,
    MemberUpdate,
    TeamCreate,
    TeamWithMembers,
)
from backend.core.http.envelope import Listed
from backend.core.http.pagination import PageDep

router = APIRouter(tags=["members"])


@router.get("/members", dependencies=[needs(Action.PEOPLE_READ)])
def list_members(session: SessionDep, page: PageDep) -> Listed[MemberRead]:
    """List members, by name."""
    return page.envelope(
        [MemberRead.model_validate(account) for account in members.list_members(session, page)]
    )


@router.patch("/members/{member_id}", dependencies=[needs(Action.ADMINISTER), needs_recent_sign_in()])
def update_member(
    member_id: UUID, body: MemberUpdate, session: SessionDep, principal: PrincipalDep
) -> MemberRead:
    """Set the role of a member, or disable their account; effective immediately. Their share links end."""
    changed = members.change(
        session, member_id, role=body.role, is_disabled=body.is_disabled, by=principal.name
    )
    return MemberRead.model_validate(changed)


@router.get("/invitations", dependencies=[needs(Action.ADMINISTER)])
def list_invitations(session: SessionDep, page: PageDep) -> Listed[InvitationRead]:
    """List unused invitations, newest first."""
    return page.envelope([InvitationRead.model_validate(one) for one in members.invitations(session, page)])


@router.post("/invitations", status_code=201, dependencies=[needs(Action.ADMINISTER), needs_recent_sign_in()])
def create_invitation(
    body: InvitationCreate, session: SessionDep, principal: PrincipalDep, base_url: BaseUrlDep
) -> InvitationCreated:
    """Invite one person by a single-use link; the link is shown once."""
    made, secret = members.invite(
        session,
        principal.id,
        note=body.note,
        role=body.role,
        team_id=body.team_id,
        lifetime=timedelta(days=body.days),
    )
    return InvitationCreated(invitation=InvitationRead.model_validate(made), url=f"{base_url}/join#{secret}")


@router.delete("/invitations/{invitation_id}", status_code=204, dependencies=[needs(Action.ADMINISTER)])
def revoke_invitation(invitation_id: UUID, session: SessionDep) -> None:
    """Withdraw an invitation."""
    members.withdraw(session, invitation_id)


@router.get("/teams", dependencies=[needs(Action.PEOPLE_READ)])
def list_teams(session: SessionDep, page: PageDep) -> Listed[TeamWithMembers]:
    """List teams with their members, by name."""
    found = members.teams(session, page)
    return page.envelope([TeamWithMembers(id=team.id, name=team.name, member_ids=ids) for team, ids in found])


@router.post("/teams", status_code=201, dependencies=[needs(Action.ADMINISTER)])
def create_team(body: TeamCreate, session: SessionDep, _claimed: ClaimedDep) -> TeamWithMembers:
    """Make a team."""
    team = members.create_team(session, body.name)
    return TeamWithMembers(id=team.id, name=team.name, member_ids=[])


@router.delete("/teams/{team_id}", status_code=204, dependencies=[needs(Action.ADMINISTER)])
def delete_team(team_id: UUID, session: SessionDep) -> None:
    """Delete a team that has no cases."""
    members.remove_team(session, team_id)


@router.put("/teams/{team_id}/members/{member_id}", status_code=204, dependencies=[needs(Action.ADMINISTER)])
def add_team_member(team_id: UUID, member_id: UUID, session: SessionDep) -> None:
    """Add a member to a team."""
    members.add_to_team(session, team_id, member_id)


@router.delete(
    "/teams/{team_id}/members/{member_id}", status_code=204, dependencies=[needs(Action.ADMINISTER)]
)
def remove_team_member(team_id: UUID, member_id: UUID, session: SessionDep) -> None:
    """Remove a member from a team."""
    members.remove_from_team(session, team_id, member_id)
