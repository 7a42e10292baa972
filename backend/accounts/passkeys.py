"""Passkeys (WebAuthn): registration, sign-in without a password, confirmation of a sign-in.

The authenticator verifies its user (fingerprint, PIN), so a passkey counts as two factors and needs no
code. It is bound to the host name of the service: an IP address has none, so a passkey is made at `http://localhost:PORT`
or the public URL. Challenges are random, valid once and for five minutes.

Source: https://www.w3.org/TR/webauthn-3/
"""

from __future__ import annotations

import ipaddress
import json
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING, Any, NamedTuple
from urllib.parse import urlsplit

import webauthn
from sqlalchemy import delete, func, select, update
from webauthn.helpers import base64url_to_bytes, parse_client_data_json
from webauthn.helpers.exceptions import WebAuthnException
from webauthn.helpers.structs import (
    AuthenticatorSelectionCriteria,
    AuthenticatorTransport,
    PublicKeyCredentialDescriptor,
    ResidentKeyRequirement,
    UserVerificationRequirement,
)

from backend.access.secrets import digest
from backend.core.errors import ConflictError, InvalidRequestError, NotFoundError, NotSignedInError
from backend.core.http.pagination import WHOLE
from backend.models.account import Account
from backend.models.passkey import Passkey, PasskeyChallenge

if TYPE_CHECKING:
    from uuid import UUID

    from fastapi import Request
    from sqlalchemy.orm import Session

    from backend.core.http.pagination import Page
    from backend.core.settings import Settings

RP_NAME = "Casebook"
LIFETIME = timedelta(minutes=5)
MAX_PASSKEYS = 20
WRONG = "the passkey is unknown here, or its signature is not valid; sign in another way"


class RelyingParty(NamedTuple):
    """What a passkey is bound to.

    Attributes:
        host: The relying party id: the host name of the service.
        origin: Origin of its pages, `https://casebook.example.com`.
    """

    host: str
    origin: str


def relying_party(request: Request, settings: Settings) -> RelyingParty:
    """Return the host name and origin of the page that sends a request; those of the public URL for its host.

    Raises:
        ConflictError: The page was opened by an IP address, which no passkey can be bound to.
    """
    host = request.url.hostname or ""
    public = urlsplit(settings.public_url)
    if public.hostname == host:
        return RelyingParty(host, f"{public.scheme}://{public.netloc}")
    try:
        ipaddress.ip_address(host)
    except ValueError:
        return RelyingParty(host, f"{request.url.scheme}://{request.url.netloc}")
    raise ConflictError(
        f"a passkey is bound to a host name, not to the address {host}: open http://localhost instead"
    )


def registration_options(session: Session, party: RelyingParty, account: Account) -> dict[str, Any]:
    """Return what the browser needs to create a passkey of the account.

    Raises:
        ConflictError: The account has as many passkeys as it may have.
    """
    existing = of_account(session, account.id)
    if len(existing) >= MAX_PASSKEYS:
        raise ConflictError(f"an account has at most {MAX_PASSKEYS} passkeys; remove one first")
    options = webauthn.generate_registration_options(
        rp_id=party.host,
        rp_name=RP_NAME,
        user_id=account.id.bytes,
        user_name=account.name,
        authenticator_selection=AuthenticatorSelectionCriteria(
            resident_key=ResidentKeyRequirement.REQUIRED,
            user_verification=UserVerificationRequirement.REQUIRED,
        ),
        exclude_credentials=[_descriptor(one) for one in existing],
    )
    _remember(session, options.challenge, account.id)
    return dict(json.loads(webauthn.options_to_json(options)))


def register(
    session: Session, party: RelyingParty, account: Account, *, name: str, credential: dict[str, Any]
) -> Passkey:
    """Store a passkey that the browser created for the account.

    Raises:
        InvalidRequestError: The response does not fit a current challenge of the account.
        ConflictError: The passkey is registered already.
    """
    try:
        challenge = _redeem(session, credential, account.id)
        verified = webauthn.verify_registration_response(
            credential=credential,
            expected_challenge=challenge,
            expected_rp_id=party.host,
            expected_origin=party.origin,
            require_user_verification=True,
        )
    except (WebAuthnException, NotSignedInError) as error:
        raise InvalidRequestError(
            "the passkey was not created for this page, or too late; try again"
        ) from error
    if session.scalar(select(Passkey.id).where(Passkey.credential_id == verified.credential_id)) is not None:
        raise ConflictError("this passkey is registered already")
    transports = credential.get("response", {}).get("transports", [])
    known = {one.value for one in AuthenticatorTransport}
    passkey = Passkey(
        account_id=account.id,
        name=name,
        credential_id=verified.credential_id,
        public_key=verified.credential_public_key,
        sign_count=verified.sign_count,
        transports=[one for one in transports if isinstance(one, str) and one in known]
        if isinstance(transports, list)
        else [],
    )
    session.add(passkey)
    session.flush()
    return passkey


def sign_in_options(
    session: Session, party: RelyingParty, *, account_id: UUID | None = None
) -> dict[str, Any]:
    """Return what the browser needs to sign a challenge with any of its passkeys of this service.

    With `account_id`, which the caller has proved, only with those of this account: nobody has to choose.
    """
    own = of_account(session, account_id) if account_id else []
    options = webauthn.generate_authentication_options(
        rp_id=party.host,
        allow_credentials=[_descriptor(one) for one in own],
        user_verification=UserVerificationRequirement.REQUIRED,
    )
    _remember(session, options.challenge, None)
    return dict(json.loads(webauthn.options_to_json(options)))


def authenticate(
    session: Session, party: RelyingParty, credential: dict[str, Any], *, account_id: UUID | None = None
) -> UUID:
    """Return the account whose passkey signed a current challenge; `account_id` requires this one.

    Raises:
        NotSignedInError: No passkey of an enabled account did.
    """
    try:
        challenge = _redeem(session, credential, None)
        credential_id = base64url_to_bytes(str(credential.get("id", "")))
        row = session.execute(
            select(Passkey, Account)
            .join(Account, Account.id == Passkey.account_id)
            .where(
                Passkey.credential_id == credential_id,
                Account.disabled_at.is_(None),
                Account.is_service.is_(False),
            )
            .with_for_update(of=Passkey)
        ).one_or_none()
        if row is None or (account_id is not None and row.Account.id != account_id):
            raise NotSignedInError(WRONG)
        verified = webauthn.verify_authentication_response(
            credential=credential,
            expected_challenge=challenge,
            expected_rp_id=party.host,
            expected_origin=party.origin,
            credential_public_key=row.Passkey.public_key,
            credential_current_sign_count=row.Passkey.sign_count,
            require_user_verification=True,
        )
    except (WebAuthnException, ValueError) as error:
        raise NotSignedInError(WRONG) from error
    session.execute(
        update(Passkey)
        .where(Passkey.id == row.Passkey.id)
        .values(sign_count=verified.new_sign_count, last_used_at=datetime.now(UTC))
    )
    signed_in: UUID = row.Account.id
    return signed_in


def of_account(session: Session, account_id: UUID, page: Page = WHOLE) -> list[Passkey]:
    """Return the passkeys of an account, the oldest first."""
    query = select(Passkey).where(Passkey.account_id == account_id)
    return [passkey for (passkey,) in page.of(session, query, Passkey.created_at, Passkey.id)]


def has_any(session: Session, account_id: UUID) -> bool:
    """Whether an account has a passkey."""
    return bool(session.scalar(select(func.count()).where(Passkey.account_id == account_id)))


def remove(session: Session, account_id: UUID, passkey_id: UUID) -> None:
    """Remove a passkey of the account.

    Raises:
        NotFoundError: The account has no such passkey.
    """
    removed = delete(Passkey).where(Passkey.id == passkey_id, Passkey.account_id == account_id)
    if session.scalar(removed.returning(Passkey.id)) is None:
        raise NotFoundError("you have no such passkey")


def _descriptor(passkey: Passkey) -> PublicKeyCredentialDescriptor:
    return PublicKeyCredentialDescriptor(
        id=passkey.credential_id, transports=[AuthenticatorTransport(one) for one in passkey.transports]
    )


def _remember(session: Session, challenge: bytes, account_id: UUID | None) -> None:
    """Store a challenge; expired ones are removed."""
    session.execute(
        delete(PasskeyChallenge).where(PasskeyChallenge.created_at < datetime.now(UTC) - LIFETIME)
    )
    session.add(PasskeyChallenge(hash=digest(challenge.hex()), account_id=account_id))
    session.flush()


def _redeem(session: Session, credential: dict[str, Any], account_id: UUID | None) -> bytes:
    """Return the challenge that the response of a browser names, used up by this.

    Raises:
        NotSignedInError: The response names none, or it is unknown, used or too old.
        WebAuthnException: The response is malformed.
    """
    response = credential.get("response")
    raw = response.get("clientDataJSON") if isinstance(response, dict) else None
    if not isinstance(raw, str):
        raise NotSignedInError(WRONG)
    try:
        challenge = parse_client_data_json(base64url_to_bytes(raw)).challenge
    except ValueError as error:
        raise NotSignedInError(WRONG) from error
    used = (
        delete(PasskeyChallenge)
        .where(
            PasskeyChallenge.hash == digest(challenge.hex()),
            PasskeyChallenge.account_id.is_(None)
            if account_id is None
            else PasskeyChallenge.account_id == account_id,
            PasskeyChallenge.created_at > datetime.now(UTC) - LIFETIME,
        )
        .returning(PasskeyChallenge.hash)
    )
    if session.scalar(used) is None:
        raise NotSignedInError("the passkey request was used, or took longer than five minutes; try again")
    return challenge
