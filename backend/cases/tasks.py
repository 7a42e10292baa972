"""Subscribers of cases: the links of a disabled account end."""

from __future__ import annotations

from typing import TYPE_CHECKING

from backend.accounts.domain_events import AccountDisabled
from backend.cases import sharing
from backend.core.domain_events import subscribes

if TYPE_CHECKING:
    from sqlalchemy.orm import Session


@subscribes(AccountDisabled)
def end_links(session: Session, event: AccountDisabled) -> None:
    """Revoke the links to cases that the account made."""
    sharing.revoke_links_of(session, event.account_id, maker=event.name, by=event.by)
