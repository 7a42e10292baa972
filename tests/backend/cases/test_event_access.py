"""An event stream ends when its listener loses access, and later events are not sent."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING, Any, NamedTuple

import psycopg
import pytest
from sqlalchemy import delete, text, update

from backend.access.actions import Scope
from backend.accounts import tokens
from backend.core import events
from backend.core.db.notifications import listen_conninfo
from backend.models import (
    Account,
    Case,
    CaseLink,
    CasePerson,
    Role,
    Team,
    TeamMember,
    Token,
    TokenKind,
    Visibility,
)
from tests.backend.applications import create_app
from tests.backend.cases.listening import bearer, happen, listening
from tests.backend.conftest import PATIENCE_SECONDS, serving
from tests.backend.people import case as make_case
from tests.backend.people import person

if TYPE_CHECKING:
    from collections.abc import Iterator
    from uuid import UUID

    from sqlalchemy import Executable
    from sqlalchemy.orm import Session


class Scene(NamedTuple):
    """A listener and what lets them see the case."""

    headers: dict[str, str]
    token_id: UUID
    account_id: UUID
    case_id: UUID


@pytest.fixture
def url(app_settings, own_sessions, store) -> Iterator[str]:
    with serving(create_app(app_settings, sessions=own_sessions, store=store)) as url:
        yield url


@pytest.fixture
def reader(own_sessions) -> Iterator[Account]:
    account = person(own_sessions, "reader of events", Role.VIEWER)
    yield account
    with own_sessions.begin() as session:
        session.execute(delete(Account).where(Account.id == account.id))


def scene(own_sessions, reader: Account, **fields: object) -> Scene:
    made = make_case(own_sessions, **fields)
    with own_sessions.begin() as session:
        token, secret = tokens.make(
            session, reader.id, kind=TokenKind.API, name="t", scopes=[Scope.READ], lifetime=timedelta(days=1)
        )
        return Scene(bearer(secret), token.id, reader.id, made.id)


def by_name(session: Session, at: Scene) -> None:
    session.add(CasePerson(case_id=at.case_id, account_id=at.account_id))


def by_link(session: Session, at: Scene) -> None:
    link = CaseLink(case_id=at.case_id, hash=f"hash of {at.case_id}")
    session.add(link)
    session.flush()
    session.add(CasePerson(case_id=at.case_id, account_id=at.account_id, link_id=link.id))


def by_team(session: Session, at: Scene) -> None:
    team = Team(name=f"team of {at.case_id}")
    session.add(team)
    session.flush()
    session.add(TeamMember(team_id=team.id, account_id=at.account_id))
    session.execute(update(Case).where(Case.id == at.case_id).values(team_id=team.id))


def as_admin(session: Session, at: Scene) -> None:
    session.execute(update(Account).where(Account.id == at.account_id).values(role=Role.ADMIN))


def openly(session: Session, at: Scene) -> None:
    """Nothing: everybody sees a case of no team."""


NOW, SOON = timedelta(0), timedelta(seconds=0.7)


def at_time(after: timedelta) -> datetime:
    return datetime.now(UTC) + after


DISCONNECT = text("""
    select count(pg_terminate_backend(pid)) from pg_stat_activity
    where application_name = 'casebook-events' and datname = current_database()
""")
"""Ends the connections that events are heard on; what is committed before the next one is not notified."""

TEAM, LINK, RESTRICTED = Visibility.TEAM, Visibility.LINK, Visibility.RESTRICTED


def of_token(at: Scene, **values: object) -> Executable:
    return update(Token).where(Token.id == at.token_id).values(**values)


def of_account(at: Scene, **values: object) -> Executable:
    return update(Account).where(Account.id == at.account_id).values(**values)


def of_case(at: Scene, **values: object) -> Executable:
    return update(Case).where(Case.id == at.case_id).values(**values)


def of_link(at: Scene, **values: object) -> Executable:
    return update(CaseLink).where(CaseLink.case_id == at.case_id).values(**values)


def without(table: Any, at: Scene) -> Executable:
    theirs = table.id == at.account_id if table is Account else table.account_id == at.account_id
    return delete(table).where(theirs)


ENDS = {
    "the token is revoked": (TEAM, openly, lambda at: of_token(at, revoked_at=at_time(NOW))),
    "the token is removed": (TEAM, openly, lambda at: without(Token, at)),
    "the token expires": (TEAM, openly, lambda at: of_token(at, expires_at=at_time(SOON))),
    "the account is disabled": (TEAM, openly, lambda at: of_account(at, disabled_at=at_time(NOW))),
    "the account is no admin's": (RESTRICTED, as_admin, lambda at: of_account(at, role=Role.CURATOR)),
    "the account is removed": (TEAM, openly, lambda at: without(Account, at)),
    "the case is restricted": (TEAM, openly, lambda at: of_case(at, visibility=RESTRICTED)),
    "the case is put away": (TEAM, openly, lambda at: of_case(at, deleted_at=at_time(NOW))),
    "the person is named no more": (RESTRICTED, by_name, lambda at: without(CasePerson, at)),
    "the person leaves the team": (TEAM, by_team, lambda at: without(TeamMember, at)),
    "the link is revoked": (LINK, by_link, lambda at: of_link(at, revoked_at=at_time(NOW))),
    "the link expires": (LINK, by_link, lambda at: of_link(at, expires_at=at_time(SOON))),
}


@pytest.mark.parametrize("name", ENDS)
def test_a_stream_ends_without_later_events_when(url, own_sessions, reader, name):
    visibility, let_in, end = ENDS[name]
    at = scene(own_sessions, reader, visibility=visibility)
    with own_sessions.begin() as session:
        let_in(session, at)
    happen(own_sessions, at.case_id, "tick", n=0)
    with listening(url, at.case_id, at.headers) as stream:
        assert stream.take(1)[0].data["payload"] == {"n": 0}
        with own_sessions.begin() as session:
            session.execute(end(at))
        if "expires" not in name:
            happen(own_sessions, at.case_id, "tick", n=1)
        assert stream.rest() == []


@pytest.mark.parametrize("name", [name for name in ENDS if "expires" in name])
def test_an_expiry_set_while_nobody_listened_ends_the_stream_in_time(url, own_sessions, reader, name):
    visibility, let_in, end = ENDS[name]
    at = scene(own_sessions, reader, visibility=visibility)
    with own_sessions.begin() as session:
        let_in(session, at)
    happen(own_sessions, at.case_id, "tick")
    with listening(url, at.case_id, at.headers) as stream:
        assert len(stream.take(1)) == 1
        with own_sessions.begin() as session:
            session.execute(end(at))
            assert session.scalar(DISCONNECT) >= 1
        assert stream.rest() == []


def test_a_stream_ends_when_its_case_is_removed(url, own_sessions, reader):
    at = scene(own_sessions, reader)
    happen(own_sessions, at.case_id, "tick")
    with listening(url, at.case_id, at.headers) as stream:
        assert len(stream.take(1)) == 1
        with own_sessions.begin() as session:
            session.execute(delete(Case).where(Case.id == at.case_id))
        assert stream.rest() == []


def test_revoking_access_also_hides_its_own_event(url, own_sessions, reader):
    at = scene(own_sessions, reader)
    happen(own_sessions, at.case_id, "tick")
    with listening(url, at.case_id, at.headers) as stream:
        assert len(stream.take(1)) == 1
        with own_sessions.begin() as session:
            session.execute(update(Case).where(Case.id == at.case_id).values(visibility=RESTRICTED))
            events.record(session, "case.shared", case_id=at.case_id)
        assert stream.rest() == []


def test_other_listeners_keep_receiving_when_one_loses_access(url, own_sessions, reader):
    at, other = scene(own_sessions, reader), person(own_sessions, "another reader", Role.VIEWER)
    with own_sessions.begin() as session:
        _, secret = tokens.make(
            session, other.id, kind=TokenKind.API, name="t", scopes=[Scope.READ], lifetime=timedelta(days=1)
        )
    with (
        listening(url, at.case_id, at.headers) as shut_out,
        listening(url, at.case_id, bearer(secret)) as stream,
    ):
        with own_sessions.begin() as session:
            session.execute(
                update(Account).where(Account.id == at.account_id).values(disabled_at=at_time(NOW))
            )
        happen(own_sessions, at.case_id, "tick")
        assert shut_out.rest() == []
        assert [event.kind for event in stream.take(1)] == ["tick"]
    with own_sessions.begin() as session:
        session.execute(delete(Account).where(Account.id == other.id))


def test_changes_without_effect_on_access_end_no_stream(app_settings, own_sessions, reader):
    at = scene(own_sessions, reader)
    with psycopg.connect(listen_conninfo(app_settings, own_sessions), autocommit=True) as connection:
        connection.execute("listen casebook_access")
        with own_sessions.begin() as session:
            session.execute(update(Token).where(Token.id == at.token_id).values(last_used_at=at_time(NOW)))
            session.execute(update(Case).where(Case.id == at.case_id).values(evidence_rev=5, title="new"))
        with own_sessions.begin() as session:
            session.execute(update(Token).where(Token.id == at.token_id).values(revoked_at=at_time(NOW)))
        payloads = [one.payload for one in connection.notifies(timeout=PATIENCE_SECONDS, stop_after=1)]
    assert payloads == [f"token {at.token_id}"]
