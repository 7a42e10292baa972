"""The permission matrix: every endpoint, as every principal, for every relation to a case."""

from __future__ import annotations

import asyncio
import re
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import httpx
import pytest
from sqlalchemy import select

from backend.access.actions import RULES, Action, Scope
from backend.access.permission_matrix import (
    EVERYBODY,
    Answer,
    Caller,
    Endpoint,
    Sight,
    endpoints,
    expected,
    page,
)
from backend.accounts import service, tokens
from backend.core.storage.object_store import Store
from backend.models import (
    Account,
    CaptureRun,
    Case,
    CaseLink,
    CasePerson,
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
from tests.backend.applications import api_schema, create_app
from tests.backend.conftest import settings_below
from tests.backend.stored_evidence import store_evidence
from tests.conftest import Sent, rolled_back

if TYPE_CHECKING:
    from collections.abc import Iterator
    from uuid import UUID

    from fastapi import FastAPI
    from sqlalchemy.orm import Session, sessionmaker

ABSENT_ID = "01900000-0000-7000-8000-00000000dead"
OTHER_ID = "01900000-0000-7000-8000-00000000beef"
SCHEMA = api_schema()
ENDPOINTS = list(endpoints(SCHEMA))
STACKS = Path("tests/data/bpftrace-text/memcg-reclaim-kstack-comm.txt").read_bytes()
NOT_THERE = re.compile(r"there is no (capture|case|evidence|note|profile|upload) [0-9a-f-]{36}")
OTHERS = {
    "account_id": OTHER_ID,
    "baseline_id": OTHER_ID,
    "point_id": OTHER_ID,
    "handoff_id": OTHER_ID,
    "label_id": OTHER_ID,
    "link_id": OTHER_ID,
    "token_id": OTHER_ID,
    "session_id": OTHER_ID,
    "team_id": OTHER_ID,
    "member_id": OTHER_ID,
    "invitation_id": OTHER_ID,
    "share_id": OTHER_ID,
    "item": "0",
    "series_id": "rows:vmstat",
    "story_id": OTHER_ID,
    "number": "1",
    "node": "0",
    "area": "mm",
    "name": "none",
    "filename": "a.txt",
    "proof": "none",
    "export": "probe",
}


class Place(NamedTuple):
    """The ids that URLs about one case are made of."""

    case_id: str
    evidence_id: str
    profile_id: str
    upload_id: str
    note_id: str
    run_id: str


NOWHERE = Place(*(ABSENT_ID for _ in Place._fields))


def test_the_permissions_page_is_current():
    assert Path("docs/permissions.md").read_text() == page(SCHEMA), (
        "run `make generate-api` and look at the difference"
    )


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


def url_of(endpoint: Endpoint, place: Place) -> str:
    values = {**OTHERS, **place._asdict()}
    return re.sub(r"\{(\w+)(:path)?\}", lambda found: values[found[1]], endpoint.path)


def query_of(endpoint: Endpoint, place: Place) -> dict[str, str]:
    """Return the query parameters that the operation requires, and may take."""
    operation = SCHEMA["paths"][endpoint.path][endpoint.method.lower()]
    taken = {one["name"] for one in operation.get("parameters", ()) if one["in"] == "query"}
    values = {"base": place.profile_id, "name": "f"}
    return {name: value for name, value in values.items() if name in taken}


async def response_of(app: FastAPI, method: str, url: str, **details: Any) -> httpx.Response:
    """Ask the application without a socket or a client: thousands of requests take seconds."""
    request = httpx.Request(method, f"http://casebook{url}", **details)
    response = await httpx.ASGITransport(app=app).handle_async_request(request)
    await response.aread()
    return response


def outcome_of(answer: httpx.Response, endpoint: Endpoint, place: Place) -> tuple[Answer, str]:
    """Return what was decided, and the whole answer without the ids of the request."""
    text = answer.text
    for name in place:
        text = text.replace(name, "ID")
    if answer.status_code == 401:
        return Answer.UNKNOWN, text
    if answer.status_code == 403:
        return Answer.REFUSED, text
    # The answer to HEAD has no body that could say what is not there.
    if answer.status_code == 404 and (endpoint.method == "HEAD" or NOT_THERE.search(answer.json()["detail"])):
        return Answer.NOT_FOUND, text
    return Answer.ALLOWED, text


class Stage:
    """An application with one principal, and a case for every way to stand to it."""

    def __init__(
        self, app: FastAPI, sessions: sessionmaker[Session], somebody: Caller, tmp_path: Path
    ) -> None:
        self.somebody = somebody
        self.bind = sessions.kw["bind"]
        self.places = {Sight.ABSENT: NOWHERE}
        self.app = app
        self._outcomes: dict[tuple[Endpoint, Sight], tuple[Answer, str]] = {}
        # One event loop for all requests keeps the threads that answer them.
        self.loop = asyncio.Runner()
        self._headers: dict[Sight | None, dict[str, str]] = {}
        with sessions.begin() as session:
            account = Account(name=f"principal {somebody.name}", role=somebody.role or Role.VIEWER)
            session.add(account)
            session.flush()
            for sight in Sight:
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
            try:
                asking = response_of(self.app, endpoint.method, url_of(endpoint, place), **details)
                outcome = outcome_of(self.loop.run(asking), endpoint, place)
            finally:
                undo.rollback()
            self._outcomes[endpoint, sight] = outcome
        return self._outcomes[endpoint, sight]

    def headers(self, sight: Sight) -> dict[str, str]:
        """Return the credentials of a principal; a case token belongs to the case."""
        return self._headers.get(sight) or self._headers.get(None) or {}

    def _sign_in(self, session: Session, account: Account) -> dict[str, str]:
        if self.somebody.scopes is not None:
            return self._bearer(session, account, None)
        secret = service.open_session(session, account.id, lifetime=service.SIGN_IN_LIFETIME)
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
        lifetime = service.SIGN_IN_LIFETIME
        given = {"kind": TokenKind.GUEST, "name": "", "scopes": [Scope.GUEST], "case_id": case_id}
        _, secret = tokens.make(session, account.id, lifetime=lifetime, **given)
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
        session.add_all([upload, note, run])
        session.flush()
        rows = (case, evidence, profile, upload, note, run)
        return Place(*(str(row.id) for row in rows))


@pytest.fixture(scope="module", params=EVERYBODY, ids=lambda somebody: somebody.name.replace(" ", "-"))
def stage(request, engine, settings, tmp_path_factory) -> Iterator[Stage]:
    folder = tmp_path_factory.mktemp("stage")
    own = settings_below(folder, settings)
    with rolled_back(engine, Sent(), settings) as sessions:
        stage = Stage(
            create_app(own, sessions=sessions, store=Store.open(own)), sessions, request.param, folder
        )
        with stage.loop:
            yield stage


def asked(somebody: Caller, endpoint: Endpoint) -> list[Sight]:
    """Return how to stand to the case; where that makes no difference, once is enough."""
    if not RULES[endpoint.action].on_case or somebody.role is None:
        return [Sight.HIDDEN]
    if somebody.scopes is not None and not somebody.is_case_token and not somebody.is_guest:
        return [Sight.TEAM, Sight.HIDDEN, Sight.ABSENT]
    return list(Sight)


def is_endless(endpoint: Endpoint) -> bool:
    """Say whether the answer is a stream; that one is let in is shown in test_visibility.py."""
    return endpoint.path.endswith("/events")


def test_every_endpoint_answers_as_the_matrix_says(stage):
    wrong = []
    for endpoint in ENDPOINTS:
        for sight in asked(stage.somebody, endpoint):
            due = expected(stage.somebody, endpoint.action, sight)
            if due is Answer.ALLOWED and is_endless(endpoint):
                continue
            got, text = stage.ask(endpoint, sight)
            if got is not due:
                wrong.append((endpoint.method, endpoint.path, sight.value, due.value, got.value, text[:200]))
    assert wrong == []


def test_hidden_and_absent_cases_answer_identically(stage):
    for endpoint in ENDPOINTS:
        is_hidden = expected(stage.somebody, endpoint.action, Sight.HIDDEN) is Answer.NOT_FOUND
        if is_hidden and endpoint.action is not Action.CASE_DROP:
            hidden, absent = stage.ask(endpoint, Sight.HIDDEN), stage.ask(endpoint, Sight.ABSENT)
            assert hidden == absent, endpoint
            assert "hidden words" not in hidden[1]


def test_a_list_holds_visible_cases_only(stage):
    listing = next(one for one in ENDPOINTS if one.path == "/api/v1/cases" and one.method == "GET")
    got, text = stage.ask(listing, Sight.ABSENT)
    if got is not Answer.ALLOWED:
        return
    seen = {sight for sight, place in stage.places.items() if place.case_id in text}
    every = set(Sight) - {Sight.ABSENT}
    assert seen == (every if stage.somebody.role is Role.ADMIN else every - {Sight.HIDDEN})
