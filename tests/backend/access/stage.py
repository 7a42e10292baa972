"""A principal, and cases with each relation to it, in one application whose changes are rolled back."""

from __future__ import annotations

import asyncio
import re
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import TYPE_CHECKING

from sqlalchemy import event, select

from backend.access.actions import Scope
from backend.access.permission_matrix import Answer, Caller, Endpoint, Sight
from backend.accounts import service, tokens
from backend.models import (
    Account,
    CaptureRun,
    Case,
    CaseLink,
    CasePerson,
    IncidentEvent,
    IncidentEventKind,
    Note,
    Profile,
    Role,
    Team,
    TeamMember,
    TokenKind,
    Upload,
    Visibility,
)
from ingest.readers.bpf import bpftrace_text
from tests.backend.access.case_requests import NOWHERE, Place, outcome_of, query_of, response_of, url_of
from tests.backend.stored_evidence import store_evidence

if TYPE_CHECKING:
    from collections.abc import Collection
    from uuid import UUID

    from fastapi import FastAPI
    from sqlalchemy.orm import Session, sessionmaker

LIFETIME = timedelta(days=1)
"""Of a session: longer than a busy machine takes for all tests that share it."""
SAVEPOINT = re.compile(r"sa_savepoint_\d+")
STACKS = Path("tests/data/bpftrace-text/memcg-reclaim-kstack-comm.txt").read_bytes()


def stand(session: Session, account: Account, sight: Sight) -> Case:
    """Return a case to which `account` stands so."""
    team = Team(name=f"team of {account.name} {sight}")
    session.add(team)
    session.flush()
    visibility = {Sight.TEAM: Visibility.TEAM, Sight.LINK: Visibility.LINK}.get(sight, Visibility.RESTRICTED)
    case = Case(title="hidden words", visibility=visibility, team_id=team.id)
    session.add(case)
    session.flush()
    if sight is Sight.OWN:
        case.owner_id = account.id
    if sight is Sight.TEAM:
        session.add(TeamMember(team_id=team.id, account_id=account.id))
    if sight in {Sight.NAMED, Sight.LINK}:
        link = CaseLink(case_id=case.id, hash=f"x{case.id}") if sight is Sight.LINK else None
        if link:
            session.add(link)
            session.flush()
        session.add(CasePerson(case_id=case.id, account_id=account.id, link_id=link.id if link else None))
    session.flush()
    session.refresh(case)
    return case


class Stage:
    """An application with one principal, and a case for every way to stand to it."""

    def __init__(
        self,
        app: FastAPI,
        sessions: sessionmaker[Session],
        somebody: Caller,
        tmp_path: Path,
        sights: Collection[Sight] = tuple(Sight),
    ) -> None:
        """Sign `somebody` in to `app`; make a case for each of `sights`."""
        self.somebody = somebody
        self.bind = sessions.kw["bind"]
        self.places = {Sight.ABSENT: NOWHERE}
        self.app = app
        self._outcomes: dict[tuple[Endpoint, Sight], tuple[Answer, str]] = {}
        self._statements: dict[tuple[Endpoint, Sight], list[str]] = {}
        # One event loop for all requests keeps the threads that answer them.
        self.loop = asyncio.Runner()
        self._headers: dict[Sight | None, dict[str, str]] = {}
        with sessions.begin() as session:
            account = Account(name=f"principal {somebody.name}", role=somebody.role or Role.VIEWER)
            session.add(account)
            session.flush()
            for sight in sights:
                case = stand(session, account, sight)
                if sight is Sight.ABSENT:
                    case.deleted_at = case.created_at
                else:
                    self.places[sight] = self._place(session, app, case, tmp_path)
                if somebody.is_case_token or somebody.is_guest:
                    self._headers[sight] = self._of_one_case(session, account, case.id)
            if somebody.role and not self._headers:
                self._headers[None] = self._sign_in(session, account)

    def ask(self, endpoint: Endpoint, sight: Sight) -> tuple[Answer, str]:
        """Ask without a body, once, and undo what it did."""
        if (endpoint, sight) not in self._outcomes:
            place = self.places[sight]
            details = {
                "headers": {"Tus-Resumable": "1.0.0", **self.headers(sight)},
                "params": query_of(endpoint, place),
            }
            undo = self.bind.begin_nested()
            statements = self._statements[endpoint, sight] = []

            def note(_connection: object, _cursor: object, statement: str, *_: object) -> None:
                statements.append(SAVEPOINT.sub("savepoint", statement))

            event.listen(self.bind, "before_cursor_execute", note)
            try:
                asking = response_of(self.app, endpoint.method, url_of(endpoint, place), **details)
                outcome = outcome_of(self.loop.run(asking), endpoint, place)
            finally:
                event.remove(self.bind, "before_cursor_execute", note)
                undo.rollback()
            self._outcomes[endpoint, sight] = outcome
        return self._outcomes[endpoint, sight]

    def statements(self, endpoint: Endpoint, sight: Sight) -> list[str]:
        """Return the SQL that answering `ask` took, in order, without values."""
        self.ask(endpoint, sight)
        return self._statements[endpoint, sight]

    def headers(self, sight: Sight) -> dict[str, str]:
        """Return the credentials of a principal; a case token belongs to the case."""
        return self._headers.get(sight) or self._headers.get(None) or {}

    def _sign_in(self, session: Session, account: Account) -> dict[str, str]:
        if self.somebody.scopes is not None:
            return self._bearer(session, account, None)
        # However long a busy machine takes, nobody has to confirm a password again.
        later = datetime.now(UTC) + LIFETIME
        secret = service.open_session(session, account.id, lifetime=LIFETIME, authenticated_at=later)
        return {"Cookie": f"casebook_session={secret}"}

    def _bearer(self, session: Session, account: Account, case_id: UUID | None) -> dict[str, str]:
        scopes = self.somebody.scopes or frozenset()
        kind = TokenKind.CASE if case_id else TokenKind.API
        _, secret = tokens.make(
            session, account.id, kind=kind, name="x", scopes=scopes, lifetime=None, case_id=case_id
        )
        return {"Authorization": f"Bearer {secret}"}

    def _of_one_case(self, session: Session, account: Account, case_id: UUID) -> dict[str, str]:
        if not self.somebody.is_guest:
            return self._bearer(session, account, case_id)
        given = {"kind": TokenKind.GUEST, "name": "", "scopes": [Scope.GUEST], "case_id": case_id}
        _, secret = tokens.make(session, account.id, lifetime=LIFETIME, **given)
        return {"Cookie": f"casebook_guest={secret}"}

    def _place(self, session: Session, app: FastAPI, case: Case, tmp_path: Path) -> Place:
        evidence = store_evidence(
            session, app.state.store, tmp_path, case, STACKS, bpftrace_text, name="stacks.txt"
        )
        profile = session.scalars(select(Profile).where(Profile.case_id == case.id).limit(1)).one()
        # What a token of a case began is seen by tokens of its maker alone.
        actor = f"principal {self.somebody.name} (token)"
        upload = Upload(case_id=case.id, actor=actor, filename="a", size_bytes=1)
        note = Note(case_id=case.id, author="x", editor="x", text="a")
        run = CaptureRun(
            case_id=case.id, capture="a", title="a", command="a", author="x", ran_at=case.created_at
        )
        happened = IncidentEvent(
            case_id=case.id, kind=IncidentEventKind.ACTION, at=case.created_at, author="x", editor="x"
        )
        session.add_all([upload, note, run, happened])
        session.flush()
        rows = (case, evidence, profile, upload, note, run, happened)
        return Place(*(str(row.id) for row in rows))
