"""Coming in by name and password, with a code of an authenticator where one is set up.

Passwords are kept as Argon2id with the library's parameters (RFC 9106, low memory); a wrong name takes as
long as a wrong password and is told alike.
"""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

import pyotp
from argon2 import PasswordHasher
from argon2.exceptions import InvalidHashError, VerificationError
from sqlalchemy import select

from backend.accounts import login_throttle
from backend.core.errors import CodeNeededError, ConflictError, InvalidRequestError, NotSignedInError
from backend.models.account import Account

if TYPE_CHECKING:
    from uuid import UUID

    from sqlalchemy.orm import Session

ISSUER = "Casebook"
STEP_SECONDS = 30
WRONG = "the name or the password is wrong"
_hasher = PasswordHasher()
_nobodys = _hasher.hash("the password of nobody")


def enter(session: Session, *, name: str, password: str, code: str) -> UUID:
    """Return whose name, password and code these are.

    Raises:
        NotSignedInError: They are nobody's.
        CodeNeededError: The password is right, and a code is set up and was not given.
    """
    account = session.scalar(
        select(Account).where(
            Account.name == name, Account.disabled_at.is_(None), Account.is_service.is_(False)
        )
    )
    kept = account.password_hash if account and account.password_hash else _nobodys
    if not _fits(kept, password) or account is None or not account.password_hash:
        raise NotSignedInError(WRONG)
    if account.totp_secret and account.totp_is_on:
        if not code:
            raise CodeNeededError("the code of your authenticator is needed too")
        use_code(account, code)
    if _hasher.check_needs_rehash(account.password_hash):
        account.password_hash = _hasher.hash(password)
    login_throttle.succeeded(session, name)
    session.flush()
    return account.id


def use_code(account: Account, code: str) -> None:
    """Use up one code of the authenticator of `account`; one of the steps before or after is accepted too.

    Raises:
        NotSignedInError: It is wrong, or was used already.
    """
    totp = pyotp.TOTP(account.totp_secret or "")
    now = int(time.time()) // STEP_SECONDS
    for step in (now - 1, now, now + 1):
        if step > account.totp_step and pyotp.utils.strings_equal(totp.at(step * STEP_SECONDS), code.strip()):
            account.totp_step = step
            return
    raise NotSignedInError("the code is wrong, or was used already; wait for the next one")


def set_password(session: Session, account: Account, *, current: str, password: str) -> None:
    """Set the password of `account`.

    Raises:
        InvalidRequestError: `current` is not the one it has.
    """
    if account.password_hash and not _fits(account.password_hash, current):
        raise InvalidRequestError("the current password is wrong")
    account.password_hash = _hasher.hash(password)
    session.flush()


def hash_of(password: str) -> str:
    """Return what is kept of a password."""
    return _hasher.hash(password)


def begin_code(session: Session, account: Account) -> tuple[str, str]:
    """Return a new secret for an authenticator, and its address for a QR code; it counts once confirmed.

    Raises:
        ConflictError: One is set up already.
    """
    if account.totp_is_on:
        raise ConflictError("an authenticator is set up already; turn it off first")
    account.totp_secret = pyotp.random_base32()
    session.flush()
    uri = pyotp.TOTP(account.totp_secret).provisioning_uri(name=account.name, issuer_name=ISSUER)
    return account.totp_secret, uri


def confirm_code(session: Session, account: Account, code: str) -> None:
    """Ask for a code at every sign-in by password from now on.

    Raises:
        ConflictError: Nothing was begun.
        InvalidRequestError: The code does not fit the secret.
    """
    if not account.totp_secret or account.totp_is_on:
        raise ConflictError("begin with a new secret")
    _use_or_refuse(account, code)
    account.totp_is_on = True
    session.flush()


def end_code(session: Session, account: Account, code: str) -> None:
    """Ask for codes no more.

    Raises:
        ConflictError: None is asked for.
        InvalidRequestError: The code is wrong.
    """
    if not account.totp_is_on:
        raise ConflictError("no authenticator is set up")
    _use_or_refuse(account, code)
    account.totp_is_on = False
    account.totp_secret = None
    session.flush()


def _use_or_refuse(account: Account, code: str) -> None:
    try:
        use_code(account, code)
    except NotSignedInError as error:
        raise InvalidRequestError(str(error)) from None


def _fits(kept: str, password: str) -> bool:
    try:
        return _hasher.verify(kept, password)
    except (VerificationError, InvalidHashError):
        return False
