"""Rechecks access of event streams: many pairs of token and case decided by one statement.

Access of a request is checked once; an event stream outlives that check and is rechecked.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

from sqlalchemy import ARRAY, Select, Uuid, bindparam, func, or_, select

from backend.access import decisions, principals
from backend.access.actions import RANK, RULES, Action
from backend.models.account import Account, Role, Token, TokenKind
from backend.models.case import Case
from backend.models.case_access import CaseLink

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable
    from uuid import UUID

    Pair = tuple[UUID, UUID]


@dataclass(frozen=True, slots=True)
class Access:
    """Current access of a session or token to a case.

    Attributes:
        account_id: The account of the session or token.
        until: Expiry of the token or of the link; None is never.
    """

    account_id: UUID
    until: datetime | None


def statement(pairs: Collection[Pair]) -> Select[Any]:
    """Return the query for those of `pairs` (session or token, case) with read access."""
    pairs_table = (
        func.unnest(
            bindparam("token_ids", [token_id for token_id, _ in pairs], ARRAY(Uuid)),
            bindparam("case_ids", [case_id for _, case_id in pairs], ARRAY(Uuid)),
        )
        .table_valued("token_id", "case_id", name="pairs_table")
        .render_derived()
    )
    link_ends = (
        select(func.min(CaseLink.expires_at))
        .where(CaseLink.case_id == Case.id, CaseLink.expires_at > datetime.now(UTC))
        .scalar_subquery()
    )
    return (
        select(
            Token.id,
            Case.id,
            Account.id,
            Account.role,
            Token.kind,
            Token.scopes,
            func.least(Token.expires_at, link_ends),
        )
        .select_from(pairs_table)
        .join(Token, Token.id == pairs_table.c.token_id)
        .join(Account, Account.id == Token.account_id)
        .join(Case, Case.id == pairs_table.c.case_id)
        .where(
            *principals.holding(),
            Case.deleted_at.is_(None),
            or_(Token.case_id.is_(None), Token.case_id == Case.id),
            or_(Account.role == Role.ADMIN, decisions.visible_to(Account.id)),
        )
    )


def access_by_pair(rows: Iterable[tuple[Any, ...]]) -> dict[Pair, Access]:
    """Return access by pair, from the rows of `statement`."""
    rule = RULES[Action.CASE_READ]
    least = RANK[rule.role or Role.VIEWER]
    return {
        (token_id, case_id): Access(account_id, until)
        for token_id, case_id, account_id, role, kind, scopes, until in rows
        if RANK[Role(role)] >= least and (kind == TokenKind.SESSION or rule.scopes & set(scopes))
    }
