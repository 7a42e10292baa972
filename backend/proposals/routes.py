"""Endpoints of signatures that are written in the browser: check, propose, review."""

from __future__ import annotations

from typing import Annotated
from uuid import UUID

from fastapi import APIRouter, Path, Query, Response
from sqlalchemy import select

from backend.access.actions import Action
from backend.access.dependencies import PrincipalDep, SessionDep, SettingsDep, StoreDep, needs
from backend.access.idempotency import ClaimedDep
from backend.cases.access import CaseDep
from backend.core.http.envelope import Listed
from backend.core.http.locations import locate
from backend.core.http.pagination import PageDep
from backend.libraries import queries as libraries
from backend.libraries.schemas import Name
from backend.models import ProposalState, SignatureProposal
from backend.proposals import checks, service
from backend.proposals.schemas import (
    ProposalCreate,
    ProposalRead,
    ProposalReview,
    ProposalSummary,
    ProposalUpdate,
    SignatureCheck,
    SignatureCheckOnCase,
    SignatureText,
    SignatureTextRead,
    State,
)

router = APIRouter(tags=["libraries"])


@router.post("/signature-check", dependencies=[needs(Action.PROPOSAL_WRITE)])
def check_signature(body: SignatureText, settings: SettingsDep) -> SignatureCheck:
    """Check a signature: problems with their line, its fixtures, look-alikes; nothing is stored."""
    return checks.on_fixtures(settings, body.text)


@router.post("/cases/{case_id}/signature-check", dependencies=[needs(Action.CASE_STORY)])
def check_signature_on_case(
    body: SignatureText, case: CaseDep, session: SessionDep, settings: SettingsDep, store: StoreDep
) -> SignatureCheckOnCase:
    """Judge the case by the text of a signature; nothing is stored."""
    return checks.on_case(settings, session, store, case, body.text)


@router.get("/signatures/{area}/{name}/text", dependencies=[needs(Action.LIBRARY_READ)])
def read_text(
    area: Annotated[str, Path(max_length=50)],
    name: Annotated[str, Path(max_length=100)],
    session: SessionDep,
) -> SignatureTextRead:
    """Return the YAML of a signature: that of an active library of a team, else that of Casebook."""
    signature_id = f"{area}/{name}"
    text, is_original = service.text_in_use(session, signature_id)
    return SignatureTextRead(signature_id=signature_id, text=text, is_original=is_original)


@router.get(
    "/libraries/{name}/versions/{version_id}/signatures/{area}/{signature}",
    dependencies=[needs(Action.LIBRARIES_READ)],
)
def read_signature_text(
    name: Name,
    version_id: UUID,
    area: Annotated[str, Path(max_length=50)],
    signature: Annotated[str, Path(max_length=100)],
    session: SessionDep,
) -> SignatureTextRead:
    """Return the YAML of a signature as a version of a library has it."""
    signature_id = f"{area}/{signature}"
    version = libraries.version(session, libraries.named(session, name), version_id)
    text, is_original = service.text_of(session, version, signature_id)
    return SignatureTextRead(signature_id=signature_id, text=text, is_original=is_original)


@router.get("/signature-proposals", dependencies=[needs(Action.PROPOSALS_READ)])
def list_proposals(
    session: SessionDep,
    page: PageDep,
    state: Annotated[State | None, Query(description="Only those of this state")] = None,
) -> Listed[ProposalSummary]:
    """List the proposed signatures, newest first."""
    query = select(SignatureProposal)
    if state is not None:
        query = query.where(SignatureProposal.state == ProposalState(state))
    found = page.of(session, query, SignatureProposal.id, is_descending=True)
    return page.envelope([ProposalSummary.model_validate(row, from_attributes=True) for (row,) in found])


@router.post("/signature-proposals", status_code=201, dependencies=[needs(Action.PROPOSAL_WRITE)])
def create_proposal(
    body: ProposalCreate, response: Response, session: SessionDep, principal: PrincipalDep, _once: ClaimedDep
) -> ProposalRead:
    """Propose a signature for a library of the team; a curator reviews it."""
    row = service.propose(session, principal, body)
    locate(response, "signature-proposals", row.id)
    return _described(row)


@router.get("/signature-proposals/{proposal_id}", dependencies=[needs(Action.PROPOSALS_READ)])
def read_proposal(proposal_id: UUID, session: SessionDep) -> ProposalRead:
    """Return one proposed signature with its text, and the text that it was changed from."""
    return _described(service.named(session, proposal_id))


@router.put("/signature-proposals/{proposal_id}/text", dependencies=[needs(Action.PROPOSAL_WRITE)])
def change_proposal(
    proposal_id: UUID, body: ProposalUpdate, session: SessionDep, principal: PrincipalDep
) -> ProposalRead:
    """Replace the text of an open proposal."""
    row = service.named(session, proposal_id, is_locked=True)
    return _described(service.change(session, principal, row, body))


@router.post("/signature-proposals/{proposal_id}/withdraw", dependencies=[needs(Action.PROPOSAL_WRITE)])
def withdraw_proposal(proposal_id: UUID, session: SessionDep, principal: PrincipalDep) -> ProposalRead:
    """Withdraw an open proposal."""
    row = service.named(session, proposal_id, is_locked=True)
    return _described(service.withdraw(session, principal, row))


@router.post("/signature-proposals/{proposal_id}/accept", dependencies=[needs(Action.LIBRARIES_CHANGE)])
def accept_proposal(
    proposal_id: UUID, body: ProposalReview, session: SessionDep, principal: PrincipalDep
) -> ProposalRead:
    """Make the signature part of the next version of its library, in shadow once it is linted."""
    row = service.named(session, proposal_id, is_locked=True)
    return _described(service.accept(session, principal, row, body))


@router.post("/signature-proposals/{proposal_id}/reject", dependencies=[needs(Action.LIBRARIES_CHANGE)])
def reject_proposal(
    proposal_id: UUID, body: ProposalReview, session: SessionDep, principal: PrincipalDep
) -> ProposalRead:
    """Reject an open proposal; the comment says why."""
    row = service.named(session, proposal_id, is_locked=True)
    return _described(service.reject(session, principal, row, body))


def _described(row: SignatureProposal) -> ProposalRead:
    return ProposalRead.model_validate(row, from_attributes=True)
