"""An id of something in one case opens nothing in the URL of another, whoever asks."""

from __future__ import annotations

import re
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING, Any

import pytest

from backend.access.actions import Scope
from backend.accounts import service, tokens
from backend.models import Case, CaseLink, Handoff, HandoffState, Label, Share, SignatureDraft, TokenKind
from backend.models.label import Opinion
from tests.backend.access.case_requests import all_endpoints

if TYPE_CHECKING:
    from uuid import UUID

    from sqlalchemy.orm import Session

    from backend.access.permission_matrix import Endpoint

SHARED_BY_ALL = {"account_id", "filename", "other", "series_id"}
"""Parameters of URLs beside a case that name nothing of that case."""

CONTENTS = ("/bundle", "/case.html", "/folder.zip", "/changes/{item}")
"""Operations that need stored content, which these cases have none of."""

BODIES: dict[str, dict[str, Any]] = {
    "/messages": {"text": "x"},
    "/offer": {"days": 1},
    "/replacements": {"tokens": []},
}


def nested() -> list[Endpoint]:
    """Return the operations whose URL names a case and something in it."""
    found = []
    for endpoint in all_endpoints():
        names = set(re.findall(r"\{(\w+)", endpoint.path)) - SHARED_BY_ALL
        if "case_id" in names and len(names) > 1:
            found.append(endpoint)
    return found


def furnished(session: Session, title: str) -> dict[str, UUID]:
    """Make a case with one of everything that has an id in its URLs; return the ids."""
    owner = service.owner(session)
    case = Case(title=title, owner_id=owner.id)
    session.add(case)
    session.flush()
    handoff = Handoff(
        case_id=case.id,
        recipient="x",
        author="x",
        state=HandoffState.OFFERED,
        bundle_sha256="0" * 64,
        shared={"page": "0" * 64},
        report={"pieces": []},
    )
    draft = SignatureDraft(case_id=case.id, signature_id="mm/x", author="x", zip_sha256="0" * 64)
    label = Label(
        case_id=case.id,
        signature="mm/x",
        host="",
        phase="",
        account_id=owner.id,
        author=owner.name,
        opinion=Opinion.RIGHT,
        version=1,
        verdict="match",
    )
    link = CaseLink(case_id=case.id, hash=f"hash of {case.id}")
    session.add_all([handoff, draft, label, link])
    session.flush()
    ends = datetime.now(UTC) + timedelta(days=1)
    share = Share(handoff_id=handoff.id, hash=f"share of {case.id}", created_by="x", expires_at=ends)
    session.add(share)
    token, _ = tokens.make(
        session,
        owner.id,
        kind=TokenKind.CASE,
        name="x",
        scopes=[Scope.DROP],
        lifetime=timedelta(days=1),
        case_id=case.id,
    )
    session.flush()
    return {
        "case_id": case.id,
        "handoff_id": handoff.id,
        "draft_id": draft.id,
        "label_id": label.id,
        "link_id": link.id,
        "share_id": share.id,
        "token_id": token.id,
    }


@pytest.fixture
def places(sessions) -> tuple[dict[str, UUID], dict[str, UUID]]:
    with sessions.begin() as session:
        return furnished(session, "ours"), furnished(session, "theirs")


def ask(web, endpoint: Endpoint, ids: dict[str, Any]) -> int:
    path = re.sub(r"\{(\w+)\}", lambda found: str(ids.get(found[1], 0)), endpoint.path)
    body = next((body for end, body in BODIES.items() if path.endswith(end)), None)
    status: int = web.request(endpoint.method, path.removeprefix("/api/v1"), json=body).status_code
    return status


def test_the_id_of_another_case_is_answered_404(web, places):
    ours, theirs = places
    wrong = []
    for endpoint in nested():
        for name in set(re.findall(r"\{(\w+)", endpoint.path)) & theirs.keys() - {"case_id"}:
            status = ask(web, endpoint, {**ours, name: theirs[name]})
            if status != 404:
                wrong.append((endpoint.method, endpoint.path, name, status))
    assert wrong == []


def test_every_id_opens_something_in_its_own_case(web, sessions):
    """What answers 404 to every id would pass the test above."""
    for endpoint in nested():
        with sessions.begin() as session:
            ids = furnished(session, "theirs")
        if not endpoint.path.endswith(CONTENTS):
            assert ask(web, endpoint, ids) != 404, endpoint


def test_every_kind_of_id_beside_a_case_is_asked_with():
    named = {name for endpoint in nested() for name in re.findall(r"\{(\w+)", endpoint.path)}
    assert named == {
        "case_id",
        "draft_id",
        "handoff_id",
        "item",
        "label_id",
        "link_id",
        "share_id",
        "token_id",
    }
