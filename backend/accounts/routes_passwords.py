"""Sign-in by password or invitation, and the password and authenticator of the current account."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Depends, Request, Response

from backend.access.actions import Action
from backend.access.audit_trail import address_of
from backend.access.dependencies import PrincipalDep, SessionDep, SettingsDep, needs, require_own_page
from backend.access.reauthentication import needs_recent_sign_in
from backend.accounts import known_devices, login, login_throttle, members, passkeys, passwords, service
from backend.accounts.current_session import CurrentSessionDep
from backend.accounts.schemas import AccountRead
from backend.accounts.schemas_members import (
    InvitationAccept,
    PasswordChange,
    PasswordSignIn,
    Profile,
    SignInConfirmation,
    TotpCode,
    TotpSecret,
)
from backend.models.account import Account

router = APIRouter(tags=["account"])


@router.post("/session/password", dependencies=[needs(Action.ENTER), Depends(require_own_page)])
def sign_in_by_password(
    body: PasswordSignIn, request: Request, response: Response, session: SessionDep, settings: SettingsDep
) -> AccountRead:
    """Exchange name and password, and a code where one is set up, for a browser session (a cookie)."""
    device = known_devices.find(session, request, body.name)
    limits = (
        login_throttle.of_device(device)
        if device
        else login_throttle.of_client(body.name, address_of(request))
    )
    with (
        login.audit_refusals(request, session, "password", name=body.name),
        login_throttle.attempt(session, limits),
    ):
        account_id = passwords.authenticate(session, name=body.name, password=body.password, code=body.code)
    return login.start_session(request, response, session, settings, account_id, how="password")


@router.post("/join", status_code=201, dependencies=[needs(Action.ENTER), Depends(require_own_page)])
def accept_invitation(
    body: InvitationAccept, request: Request, response: Response, session: SessionDep, settings: SettingsDep
) -> AccountRead:
    """Redeem an invitation: create the account and sign it in."""
    with login.audit_refusals(request, session, "invitation", name=body.name):
        account_id = members.join(session, secret=body.secret, name=body.name, password=body.password)
    return login.start_session(request, response, session, settings, account_id, how="invitation")


def get_account(session: SessionDep, principal: PrincipalDep) -> Account:
    """Return the account of the principal."""
    return session.get_one(Account, principal.id)


AccountDep = Annotated[Account, Depends(get_account)]


@router.get("/me/profile", dependencies=[needs(Action.ACCOUNT)])
def read_own_profile(session: SessionDep, account: AccountDep) -> Profile:
    """Return your sign-in methods."""
    return Profile(
        name=account.name,
        role=account.role,
        has_password=account.password_hash is not None,
        has_code=account.totp_is_on,
        has_passkey=passkeys.has_any(session, account.id),
    )


@router.post("/session/confirm", status_code=204, dependencies=[needs(Action.ACCOUNT)])
def confirm_sign_in(
    body: SignInConfirmation,
    session: SessionDep,
    account: AccountDep,
    principal: PrincipalDep,
    current: CurrentSessionDep,
) -> None:
    """Confirm your password, and code, for changes of credentials within 15 minutes; renews the cookie."""
    with current.proof():
        passwords.confirm(session, account, password=body.password, code=body.code)
    service.confirm_session(session, principal.token_id)
    current.renew()


@router.put("/me/password", status_code=204, dependencies=[needs(Action.ACCOUNT), needs_recent_sign_in()])
def change_password(
    body: PasswordChange, session: SessionDep, account: AccountDep, current: CurrentSessionDep
) -> None:
    """Set your password; ends your other browser sessions."""
    with current.proof():
        passwords.set_password(session, account, current=body.current, password=body.password)
    current.end_others(with_tokens=body.revoke_tokens)


@router.post("/me/code", dependencies=[needs(Action.ACCOUNT), needs_recent_sign_in()])
def start_totp_setup(session: SessionDep, account: AccountDep) -> TotpSecret:
    """Start the setup of an authenticator; it is active once a code is confirmed."""
    secret, uri = passwords.start_totp_setup(session, account)
    return TotpSecret(secret=secret, uri=uri)


@router.put("/me/code", status_code=204, dependencies=[needs(Action.ACCOUNT), needs_recent_sign_in()])
def confirm_totp(
    body: TotpCode, session: SessionDep, account: AccountDep, current: CurrentSessionDep
) -> None:
    """Confirm the authenticator: every sign-in by password then requires its code. Ends other sessions."""
    with current.proof():
        passwords.confirm_totp(session, account, body.code)
    current.end_others()


@router.post("/me/code/off", status_code=204, dependencies=[needs(Action.ACCOUNT), needs_recent_sign_in()])
def disable_totp(
    body: TotpCode, session: SessionDep, account: AccountDep, current: CurrentSessionDep
) -> None:
    """Turn the authenticator off; requires one of its codes. Ends other sessions."""
    with current.proof():
        passwords.disable_totp(session, account, body.code)
    current.end_others()
