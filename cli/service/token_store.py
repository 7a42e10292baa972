"""Bearer tokens in the database of an instance: created, listed as a table, revoked by prefix."""

from __future__ import annotations

from typing import TYPE_CHECKING

from backend.access.actions import Scope
from backend.accounts import service, tokens
from backend.models.account import Role
from signatures.rendering.lines import bare

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator
    from datetime import datetime, timedelta

    from sqlalchemy.orm import Session

    from backend.models.account import Token

HEADER = ("PREFIX", "NAME", "SCOPES", "ENDS", "LAST USED")


class PrefixChoiceError(Exception):
    """No active token, or more than one, begins with the prefix."""


def create(
    session: Session, *, name: str, lifetime: timedelta, scopes: Collection[str], role: str | None
) -> str:
    """Return the secret of a new token: of a service with the role `role`, or of the owner without one."""
    wanted = [Scope(scope) for scope in scopes]
    if role is None:
        return service.create_api_token(session, name=name, lifetime=lifetime, scopes=wanted)
    _, secret = tokens.make_service(session, name=name, role=Role(role), scopes=wanted, lifetime=lifetime)
    return secret


def active_rows(session: Session) -> list[tuple[str, ...]]:
    """Return a row as `HEADER` names it for each active token of all accounts."""
    return [
        (
            token.prefix,
            bare(token.name),
            ",".join(token.scopes),
            _day(token.expires_at),
            _minute(token.last_used_at),
        )
        for token in tokens.of_all(session)
    ]


def table_lines(rows: Collection[tuple[str, ...]]) -> Iterator[str]:
    """Yield the header and the rows in columns."""
    table = [HEADER, *rows]
    widths = [max(len(row[column]) for row in table) for column in range(len(HEADER))]
    for row in table:
        yield "  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip()


def revoke(session: Session, prefix: str) -> Token:
    """Revoke the active token that begins with `prefix`, and return it.

    Raises:
        PrefixChoiceError: There is not exactly one.
    """
    found = [token for token in tokens.of_all(session) if token.prefix and token.prefix.startswith(prefix)]
    if len(found) != 1:
        raise PrefixChoiceError(
            f"{len(found)} tokens begin with {prefix!r}; `casebook token list` shows active tokens"
        )
    tokens.revoke(session, found[0])
    return found[0]


def _day(at: datetime | None) -> str:
    return "never" if at is None else f"{at:%Y-%m-%d}"


def _minute(at: datetime | None) -> str:
    return "never" if at is None else f"{at:%Y-%m-%d %H:%M}"
