"""Guests and members at the same time, over connections of their own."""

from __future__ import annotations

import uuid
from functools import partial
from typing import TYPE_CHECKING

import pytest
from sqlalchemy import delete, select

from backend.access.principals import by_cookie
from backend.accounts import service as accounts
from backend.core.errors import NoSpaceError, NotFoundError
from backend.evidence import staging
from backend.guests import service
from backend.models import Account, Case, Role
from tests.backend.open_transactions import at_the_same_time

if TYPE_CHECKING:
    from collections.abc import Iterator

    from sqlalchemy.orm import Session, sessionmaker

    from backend.core.settings import Settings
    from backend.core.storage.object_store import Store

KEEPER = "keeper of a guest case"


@pytest.fixture
def guests(own_sessions, app_settings, store) -> Iterator[Guests]:
    yield Guests(own_sessions, app_settings.model_copy(update={"guest_max_cases": 1}), store)
    with own_sessions.begin() as session:
        session.execute(delete(Case))
        session.execute(delete(Account).where(Account.is_guest | Account.name.startswith(KEEPER)))


class Guests:
    def __init__(self, sessions: sessionmaker[Session], settings: Settings, store: Store) -> None:
        self.sessions = sessions
        self.settings = settings
        self.store = store

    def paste(self, session: Session) -> str | None:
        """Paste as a new guest; return the secret, None when there are too many."""
        staged = staging.keep_text(self.settings, uuid.uuid4().bytes.hex().encode(), captured_path="")
        given = {"secret": "", "base_url": "http://casebook"}
        try:
            return service.receive(session, self.store, self.settings, staged, **given)[1]
        except NoSpaceError:
            return None

    def keep(self, session: Session, *, secret: str) -> str | None:
        """Keep a case as a new member; return their name, None when it is not there."""
        account = Account(name=f"{KEEPER} {uuid.uuid4()}", role=Role.RESPONDER)
        session.add(account)
        session.flush()
        cookie = accounts.open_session(session, account.id, lifetime=accounts.SIGN_IN_LIFETIME)
        try:
            service.keep(session, by_cookie(session, cookie), secret)
        except NotFoundError:
            return None
        return account.name


def test_guests_at_the_same_time_respect_the_limit_of_cases(guests):
    with guests.sessions.begin() as session:
        # The first guest of all makes the account of guests, which others wait for.
        guests.paste(session)
    with guests.sessions.begin() as session:
        session.execute(delete(Case))
    first, second = at_the_same_time(guests.sessions, guests.paste, guests.paste)
    assert (first is not None, second) == (True, None)


def test_a_case_is_kept_by_one_account_and_no_second(guests):
    with guests.sessions.begin() as session:
        secret = guests.paste(session)
    keep = partial(guests.keep, secret=secret)
    first, second = at_the_same_time(guests.sessions, keep, keep)
    assert (first is not None, second) == (True, None)
    with guests.sessions() as session:
        assert session.scalars(select(Account.name).join(Case, Case.owner_id == Account.id)).all() == [first]
