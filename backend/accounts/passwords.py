"""Login by name and password, with a one-time code (TOTP) where an authenticator is set up.

Passwords are stored as Argon2id with the library's parameters (RFC 9106, low memory); a wrong name takes as
long as a wrong password and returns the same error.
"""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

import pyotp
from argon2 import PasswordHasher
from argon2.exceptions import InvalidHashError, VerificationError
from sqlalchemy import select, update

from backend.core.errors import CodeNeededError, ConflictError, InvalidRequestError, NotSignedInError
from backend.models.account import Account

if TYPE_CHECKING:
    from uuid import UUID

    from sqlalchemy.orm import Session

ISSUER = "Casebook"
STEP_SECONDS = 30
WRONG = "the name or the password is wrong"
_hasher = PasswordHasher()
OF_NO_ACCOUNT = (
    "$argon2id$v=19$m=65536,t=3,p=4$jYDDihbmuGPnkZUN40gMJA$cSgkC1t/hTFODPQqK+3DDdOhHhpJRKXPUXMRaWDmllg"
)
"""What the password of an unknown name is compared with, so that it takes as long; made once, by the hasher
above, since hashing costs each process as much CPU as 100 modules."""


def authenticate(session: Session, *, name: str, password: str, code: str) -> UUID:
    """Return the account with this name, password and code.

    Raises:
        NotSignedInError: No account matches.
        CodeNeededError: The password is right; the code of the authenticator is missing.
    """
    account = session.scalar(
        select(Account).where(
            Account.name == name, Account.disabled_at.is_(None), Account.is_service.is_(False)
        )
    )
    stored_hash = account.password_hash if account and account.password_hash else OF_NO_ACCOUNT
    if not _fits(stored_hash, password) or account is None or not account.password_hash:
        raise NotSignedInError(WRONG)
    _require_code(session, account, code)
    if _hasher.check_needs_rehash(account.password_hash):
        account.password_hash = _hasher.hash(password)
    session.flush()
    return account.id


def confirm(session: Session, account: Account, *, password: str, code: str) -> None:
    """Confirm that the person of a browser session knows the password and has the authenticator.

    Raises:
        ConflictError: The account has no password.
        InvalidRequestError: The password or the code is wrong or missing.
    """
    if not account.password_hash:
        raise ConflictError("this account has no password: sign in again")
    if not _fits(account.password_hash, password):
        raise InvalidRequestError("the password is wrong")
    try:
        _require_code(session, account, code)
    except NotSignedInError as error:
        raise InvalidRequestError(str(error)) from None


def _require_code(session: Session, account: Account, code: str) -> None:
    if account.totp_secret and account.totp_is_on:
        if not code:
            raise CodeNeededError("enter the code of your authenticator too")
        use_code(session, account, code)


def use_code(session: Session, account: Account, code: str) -> None:
    """Redeem one code of the authenticator of `account`; the adjacent time steps are accepted too.

    Raises:
        NotSignedInError: It is wrong, or was used already, also by a request that runs at the same time.
    """
    totp = pyotp.TOTP(account.totp_secret or "")
    now = current_step()
    for step in (now - 1, now, now + 1):
        if pyotp.utils.strings_equal(totp.at(step * STEP_SECONDS), code.strip()):
            unused = update(Account).where(Account.id == account.id, Account.totp_step < step)
            if session.scalar(unused.values(totp_step=step).returning(Account.id)) is not None:
                return
    raise NotSignedInError("the code is wrong, or was already used; wait for the next one")


def current_step() -> int:
    """Return the time step of the codes of now: whole steps since 1970."""
    return int(time.time()) // STEP_SECONDS


def set_password(session: Session, account: Account, *, current: str, password: str) -> None:
    """Set the password of `account`.

    Raises:
        InvalidRequestError: `current` is wrong.
    """
    if account.password_hash and not _fits(account.password_hash, current):
        raise InvalidRequestError("the current password is wrong")
    account.password_hash = _hasher.hash(password)
    session.flush()


def hash_of(password: str) -> str:
    """Return the stored hash of a password."""
    return _hasher.hash(password)


def start_totp_setup(session: Session, account: Account) -> tuple[str, str]:
    """Return a new authenticator secret and its `otpauth://` URL; active after confirmation.

    Raises:
        ConflictError: An authenticator is already set up.
    """
    if account.totp_is_on:
        raise ConflictError("an authenticator is already set up; turn it off first")
    account.totp_secret = pyotp.random_base32()
    session.flush()
    uri = pyotp.TOTP(account.totp_secret).provisioning_uri(name=account.name, issuer_name=ISSUER)
    return account.totp_secret, uri


def confirm_totp(session: Session, account: Account, code: str) -> None:
    """Activate the authenticator: every sign-in by password then requires a code.

    Raises:
        ConflictError: The setup was not started.
        InvalidRequestError: The code is wrong.
    """
    if not account.totp_secret or account.totp_is_on:
        raise ConflictError("start the setup with a new secret")
    _use_or_refuse(session, account, code)
    account.totp_is_on = True
    session.flush()


def disable_totp(session: Session, account: Account, code: str) -> None:
    """Turn the authenticator off.

    Raises:
        ConflictError: No authenticator is set up.
        InvalidRequestError: The code is wrong.
    """
    if not account.totp_is_on:
        raise ConflictError("no authenticator is set up")
    _use_or_refuse(session, account, code)
    account.totp_is_on = False
    account.totp_secret = None
    session.flush()


def _use_or_refuse(session: Session, account: Account, code: str) -> None:
    try:
        use_code(session, account, code)
    except NotSignedInError as error:
        raise InvalidRequestError(str(error)) from None


def _fits(stored_hash: str, password: str) -> bool:
    try:
        return _hasher.verify(stored_hash, password)
    except (VerificationError, InvalidHashError):
        return False
