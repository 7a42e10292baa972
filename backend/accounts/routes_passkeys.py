"""Passkeys of the current account, sign-in and confirmation by passkey."""

from __future__ import annotations

from typing import Annotated
from uuid import UUID

from fastapi import APIRouter, Depends, Request, Response

from backend.access import principals
from backend.access.actions import Action
from backend.access.audit_trail import address_of
from backend.access.dependencies import PrincipalDep, SessionDep, SettingsDep, needs, require_own_page
from backend.access.reauthentication import needs_recent_sign_in
from backend.accounts import login, login_throttle, passkeys, service
from backend.accounts.current_session import CurrentSessionDep
from backend.accounts.passkeys import RelyingParty
from backend.accounts.routes_passwords import AccountDep
from backend.accounts.schemas import AccountRead
from backend.accounts.schemas_passkeys import PasskeyCreate, PasskeyOptions, PasskeyRead, PasskeySignIn
from backend.core.errors import InvalidRequestError, NotSignedInError
from backend.core.http.envelope import Listed
from backend.core.http.pagination import PageDep
from backend.core.http.rate_limit_keys import SESSION_COOKIE

router = APIRouter(tags=["account"])


def get_party(request: Request, settings: SettingsDep) -> RelyingParty:
    """Return the relying party of the page that sends a request."""
    return passkeys.relying_party(request, settings)


PartyDep = Annotated[RelyingParty, Depends(get_party)]


@router.post("/session/passkey/options", dependencies=[needs(Action.ENTER), Depends(require_own_page)])
def start_passkey_sign_in(request: Request, session: SessionDep, party: PartyDep) -> PasskeyOptions:
    """Return a challenge for a sign-in or confirmation by passkey, valid once and for five minutes.

    Within a session it names the passkeys of the account, so that the browser asks for no choice.
    """
    try:
        account_id = principals.by_cookie(session, request.cookies.get(SESSION_COOKIE, "")).id
    except NotSignedInError:
        account_id = None
    return PasskeyOptions(options=passkeys.sign_in_options(session, party, account_id=account_id))


@router.post("/session/passkey", dependencies=[needs(Action.ENTER), Depends(require_own_page)])
def sign_in_by_passkey(
    body: PasskeySignIn,
    request: Request,
    response: Response,
    session: SessionDep,
    settings: SettingsDep,
    party: PartyDep,
) -> AccountRead:
    """Exchange the signature of a passkey for a browser session (a cookie); no password or code is needed."""
    limits = login_throttle.of_client("passkey", address_of(request))
    with (
        login.audit_refusals(request, session, "passkey"),
        login_throttle.attempt(session, limits),
    ):
        account_id = passkeys.authenticate(session, party, body.credential)
    return login.start_session(request, response, session, settings, account_id, how="passkey")


@router.post("/session/confirm/passkey", status_code=204, dependencies=[needs(Action.ACCOUNT)])
def confirm_sign_in_by_passkey(
    body: PasskeySignIn,
    session: SessionDep,
    principal: PrincipalDep,
    party: PartyDep,
    current: CurrentSessionDep,
) -> None:
    """Confirm by a passkey of yours, for changes of credentials within 15 minutes; renews the cookie."""
    with current.proof():
        try:
            passkeys.authenticate(session, party, body.credential, account_id=principal.id)
        except NotSignedInError as error:
            # The session stays: only its confirmation failed.
            raise InvalidRequestError(str(error)) from None
    service.confirm_session(session, principal.token_id)
    current.renew()


@router.get("/me/passkeys", dependencies=[needs(Action.ACCOUNT)])
def list_passkeys(session: SessionDep, principal: PrincipalDep, page: PageDep) -> Listed[PasskeyRead]:
    """List your passkeys, the oldest first."""
    own = passkeys.of_account(session, principal.id, page)
    return page.envelope([PasskeyRead.model_validate(one, from_attributes=True) for one in own])


@router.post("/me/passkeys/options", dependencies=[needs(Action.ACCOUNT), needs_recent_sign_in()])
def start_passkey_registration(session: SessionDep, account: AccountDep, party: PartyDep) -> PasskeyOptions:
    """Return the options to create a passkey, valid once and for five minutes."""
    return PasskeyOptions(options=passkeys.registration_options(session, party, account))


@router.post("/me/passkeys", status_code=201, dependencies=[needs(Action.ACCOUNT), needs_recent_sign_in()])
def add_passkey(
    body: PasskeyCreate, session: SessionDep, account: AccountDep, party: PartyDep
) -> PasskeyRead:
    """Add a passkey that the browser created."""
    made = passkeys.register(session, party, account, name=body.name, credential=body.credential)
    session.refresh(made)
    return PasskeyRead.model_validate(made, from_attributes=True)


@router.delete(
    "/me/passkeys/{passkey_id}",
    status_code=204,
    dependencies=[needs(Action.ACCOUNT), needs_recent_sign_in()],
)
def remove_passkey(
    passkey_id: UUID, session: SessionDep, principal: PrincipalDep, current: CurrentSessionDep
) -> None:
    """Remove a passkey of yours; ends your other browser sessions."""
    passkeys.remove(session, principal.id, passkey_id)
    current.end_others()
