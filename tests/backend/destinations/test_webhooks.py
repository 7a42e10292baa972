"""Events reach the webhooks that want them, signed, at least once and by one id each."""

from __future__ import annotations

import json
from datetime import UTC, datetime, timedelta
from uuid import UUID

import pytest
import standardwebhooks
from sqlalchemy import func, select, update

from backend.cases import service as cases
from backend.core import events, outgoing_kinds
from backend.core.audit_entry import AuditEntry
from backend.core.encryption import DecryptionError
from backend.destinations import calls, delivering, signing
from backend.destinations.schemas import KINDS, Message
from backend.models import Account, Delivery, Destination, Job, Outbox, Role, SavedSearch, Team, Visibility
from backend.models.base import uuid7
from tests.backend.people import case, person, signed_in


def bodies(receiver):
    return [json.loads(one.body) for one in receiver.requests]


def log(web, made):
    return web.get(f"/destinations/{made['destination']['id']}/deliveries").json()["items"]


def shown(web, made):
    return web.get(f"/destinations/{made['destination']['id']}").json()


def count(sessions, table):
    with sessions() as session:
        return session.scalar(select(func.count()).select_from(table))


def test_the_kinds_of_the_schema_are_those_that_leave():
    assert set(KINDS) == set(outgoing_kinds.OUTGOING)


def test_a_message_is_verified_by_the_reference_library_and_says_little(web, hook, receiver, send):
    made = hook(kinds=["case.created"])
    number = web.post("/cases", json={"title": "db7 stalls"}).json()["number"]
    send()
    (one,) = receiver.requests
    body = standardwebhooks.Webhook(made["secret"]).verify(one.body, one.headers)
    Message.model_validate(body)
    assert (body["type"], body["data"]["version"], body["data"]["changed"]) == ("case.created", 1, [])
    assert body["data"]["case"]["url"] == f"https://cases.example/cases/{number}"
    assert set(body["data"]["case"]) == {"id", "number", "headline", "status", "severity", "url"}
    (entry,) = log(web, made)
    assert (entry["state"], entry["status"], entry["attempts"]) == ("delivered", 204, 1)
    assert one.headers["webhook-id"] == entry["id"]
    with pytest.raises(standardwebhooks.WebhookVerificationError):
        standardwebhooks.Webhook(made["secret"]).verify(one.body + b" ", one.headers)


def test_a_rotated_secret_signs_beside_the_new_one_for_a_day(web, hook, receiver, send):
    made = hook(kinds=["case.created"])
    rotated = web.post(f"/destinations/{made['destination']['id']}/rotate").json()
    web.post("/cases", json={"title": "db7"})
    send()
    (one,) = receiver.requests
    assert made["secret"] != rotated["secret"]
    for secret in (made["secret"], rotated["secret"]):
        standardwebhooks.Webhook(secret).verify(one.body, one.headers)


def test_secrets_are_stored_encrypted_and_the_old_one_ends(app_settings):
    old, owner = signing.Secrets(signing.mint()), uuid7()
    new = old.rotated()
    sealed = signing.seal(app_settings, owner, new)
    assert new.secret not in sealed
    assert signing.unseal(app_settings, owner, sealed) == new
    now = datetime.now(UTC)
    assert new.at(now) == [new.secret, old.secret]
    assert new.at(now + timedelta(hours=25)) == [new.secret]
    with pytest.raises(DecryptionError):
        signing.unseal(app_settings, uuid7(), sealed)


def test_events_leave_with_their_transaction_or_not_at_all(web, hook, sessions, session):
    web.post("/cases", json={"title": "nobody listens"})
    assert count(sessions, Outbox) == 0
    hook()
    web.post("/cases", json={"title": "somebody listens"})
    assert count(sessions, Outbox) == 1
    cases.create(session, title="taken back", actor="test")
    session.rollback()
    assert count(sessions, Outbox) == 1
    with sessions() as reading:
        keys = reading.scalars(select(Job.key).where(Job.kind == "destinations.send")).all()
    assert len(keys) == 1


def test_filters_narrow_by_kind_severity_search_and_team(web, hook, receiver, send, sessions):
    with sessions.begin() as session:
        storage, other = Team(name="storage"), Team(name="other")
        session.add_all([storage, other])
        session.flush()
        teams = {"storage": str(storage.id), "other": str(other.id)}
    search = web.post("/search/saved", json={"name": "tagged", "query": "tag:postgres"}).json()["id"]
    names = {
        hook(name="kind", kinds=["case.changed"])["destination"]["id"]: "kind",
        hook(name="high", severity="high")["destination"]["id"]: "high",
        hook(name="search", search_id=search)["destination"]["id"]: "search",
        hook(name="team", team_id=teams["storage"])["destination"]["id"]: "team",
        hook(name="other team", team_id=teams["other"])["destination"]["id"]: "other team",
    }
    number = web.post("/cases", json={"title": "db7"}).json()["number"]
    web.put(f"/cases/{number}/access", json={"visibility": "team", "team_id": teams["storage"]})
    web.patch(f"/cases/{number}", json={"severity": "medium"})
    web.patch(f"/cases/{number}", json={"severity": "critical", "tags": ["postgres"]})
    send()
    with sessions() as session:
        rows = session.execute(select(Delivery.destination_id, Delivery.kind).order_by(Delivery.id)).all()
    got = {name: [kind for where, kind in rows if names[str(where)] == name] for name in names.values()}
    assert got["kind"] == ["case.changed", "case.changed"]
    # The filters on the case are decided by its state when the message is made.
    every = ["case.created", "case.changed", "case.changed", "search.matched"]
    assert got["high"] == got["search"] == every
    assert (got["team"], got["other team"]) == (every[1:], [])
    changed = [one["data"]["changed"] for one in bodies(receiver) if one["type"] == "case.changed"]
    assert changed[-1] == ["severity", "tags"]


def test_a_match_of_a_saved_search_goes_to_who_sees_the_search(web, hook, receiver, send, sessions):
    hook(kinds=["search.matched"])
    saved = web.post("/search/saved", json={"name": "stalls", "query": "stalls"}).json()
    foreign = person(sessions, "eve", Role.RESPONDER)
    with sessions.begin() as session:
        session.add(SavedSearch(owner_id=foreign.id, name="hers", query="stalls"))
    number = web.post("/cases", json={"title": "db7 stalls"}).json()["number"]
    web.post("/cases", json={"title": "billing"})
    send()
    (body,) = bodies(receiver)
    assert (body["type"], body["data"]["case"]["number"]) == ("search.matched", number)
    assert body["data"]["search"] == {"id": saved["id"], "name": "stalls", "query": "stalls"}


def test_a_filter_whose_search_is_gone_admits_nothing(web, hook, receiver, send):
    search = web.post("/search/saved", json={"name": "all", "query": "db7"}).json()["id"]
    made = hook(search_id=search)
    web.delete(f"/search/saved/{search}")
    web.post("/cases", json={"title": "db7"})
    send()
    assert receiver.requests == []
    assert (shown(web, made)["search_id"], shown(web, made)["search"]) == (search, None)


def test_nobody_receives_what_they_do_not_see(address, sessions, receiver, send):
    ada = person(sessions, "ada", Role.RESPONDER)
    with signed_in(address, sessions, ada) as browser:
        made = browser.post("/destinations", json={"name": "bot", "url": receiver.url})
        assert made.status_code == 201, made.text
        hidden = case(sessions, "secret", visibility=Visibility.RESTRICTED)
        own = browser.post("/cases", json={"title": "open"}).json()
        with sessions.begin() as session:
            events.record(session, "case.changed", case_id=hidden.id, payload={"title": "x"})
        send()
        assert [one["data"]["case"]["number"] for one in bodies(receiver)] == [own["number"]]
        with sessions.begin() as session:
            session.execute(update(Account).where(Account.id == ada.id).values(disabled_at=func.now()))
        case(sessions, "later")
        with sessions.begin() as session:
            events.record(session, "case.changed", case_id=UUID(own["id"]), payload={"title": "x"})
        send()
        assert len(receiver.requests) == 1


def test_a_receiver_that_was_down_gets_everything_once_it_is_up(web, hook, receiver, send, sessions):
    made = hook(kinds=["case.created"])
    receiver.answer = lambda _: (500, {}, b"out of memory")
    for at in range(3):
        web.post("/cases", json={"title": f"case {at}"})
    send()
    for _ in range(3):
        send.later()
    assert len(set(receiver.ids)) < len(receiver.ids)
    waiting = shown(web, made)
    assert (waiting["pending"], waiting["failed"], waiting["is_enabled"]) == (3, 0, True)
    assert waiting["failing_since"] is not None
    receiver.answer = lambda _: (200, {}, b"ok")
    # Only the pause of the destination has passed: the first success sends all others.
    with sessions.begin() as session:
        session.execute(update(Destination).values(resume_at=None))
    send()
    assert {one["state"] for one in log(web, made)} == {"delivered"}
    assert len(set(receiver.ids)) == 3
    assert shown(web, made)["failing_since"] is None


def test_attempts_span_more_than_a_day_and_the_service_disables_after_all_of_them():
    least = sum(delivering.RETRY_SECONDS) * (1 - delivering.JITTER)
    most = sum(delivering.RETRY_SECONDS) * (1 + delivering.JITTER)
    assert 24 * 3600 < least < most < delivering.DISABLED_AFTER.total_seconds()


def test_a_failing_destination_is_disabled_and_its_owner_sees_why(web, hook, receiver, send, sessions):
    made = hook(kinds=["case.created"])
    receiver.answer = lambda _: (503, {"Retry-After": "7200"}, b"")
    web.post("/cases", json={"title": "one"})
    send()
    with sessions() as session:
        row = session.scalars(select(Destination)).one()
        assert row.resume_at - datetime.now(UTC) > timedelta(minutes=50)
    long_ago = datetime.now(UTC) - delivering.DISABLED_AFTER
    with sessions.begin() as session:
        session.execute(update(Destination).values(failing_since=long_ago))
    send.later()
    disabled = shown(web, made)
    assert not disabled["is_enabled"]
    assert "503" in disabled["disabled_reason"]
    with sessions() as session:
        query = select(AuditEntry.subject).where(AuditEntry.action == "destination.disable")
        assert "503" in session.scalars(query).one()
    web.post("/cases", json={"title": "two"})
    assert web.post(f"/destinations/{made['destination']['id']}/test").status_code == 409
    receiver.answer = lambda _: (204, {}, b"")
    send.later()
    assert len(receiver.requests) == 2
    resumed = web.patch(f"/destinations/{made['destination']['id']}", json={"is_enabled": True}).json()
    assert (resumed["is_enabled"], resumed["disabled_reason"]) == (True, "")
    send()
    assert [one["state"] for one in log(web, made)] == ["delivered"]


def test_a_receiver_that_wants_no_more_is_disabled_at_once(web, hook, receiver, send):
    made = hook()
    receiver.answer = lambda _: (410, {}, b"")
    web.post("/cases", json={"title": "one"})
    send()
    assert not shown(web, made)["is_enabled"]


def test_what_failed_is_replayed_under_the_same_id(web, hook, receiver, send, sessions):
    made = hook(kinds=["case.created"])
    receiver.answer = lambda _: (400, {}, b"<b>what?</b>" + b"x" * 5000)
    web.post("/cases", json={"title": "one"})
    with sessions.begin() as session:
        session.execute(update(Destination).values(failures=2))
    send()
    with sessions.begin() as session:
        session.execute(update(Delivery).values(attempts=len(delivering.RETRY_SECONDS)))
    send.later()
    (entry,) = log(web, made)
    assert (entry["state"], entry["status"], entry["next_at"]) == ("failed", 400, None)
    assert entry["response"].startswith("<b>what?</b>")
    assert len(entry["response"]) == calls.HEAD_CHARACTERS
    receiver.answer = lambda _: (200, {}, b"")
    where = f"/destinations/{made['destination']['id']}"
    assert web.post(f"{where}/replay").json() == {"count": 1}
    send.later()
    assert web.post(f"/deliveries/{entry['id']}/replay").json()["state"] == "pending"
    send()
    assert set(receiver.ids) == {entry["id"]}
    assert len(receiver.ids) == 4
    assert log(web, made)[0]["state"] == "delivered"


def test_the_test_button_sends_a_message_without_a_case(web, hook, receiver, send):
    made = hook(kinds=["case.created"])
    sent = web.post(f"/destinations/{made['destination']['id']}/test")
    assert sent.status_code == 201
    send()
    (body,) = bodies(receiver)
    assert (body["type"], body["data"]["case"]) == ("test", None)
    assert receiver.ids == [sent.json()["id"]]


def test_a_deleted_destination_receives_nothing_until_it_is_restored(web, hook, receiver, send):
    made = hook(kinds=["case.created"])
    where = f"/destinations/{made['destination']['id']}"
    assert web.delete(where).status_code == 204
    assert (web.get(where).status_code, web.get("/destinations").json()["items"]) == (404, [])
    web.post("/cases", json={"title": "in between"})
    assert web.post(f"{where}/restore").json()["name"] == "bot"
    web.post("/cases", json={"title": "after"})
    send()
    assert [one["data"]["case"]["headline"] for one in bodies(receiver)] == ["after"]


def test_a_redirect_is_a_failure_and_is_not_followed(web, hook, receiver, send):
    made = hook(kinds=["case.created"])
    receiver.answer = lambda _: (307, {"Location": f"{receiver.url}/elsewhere"}, b"")
    web.post("/cases", json={"title": "one"})
    send()
    assert [one.path for one in receiver.requests] == ["/hook"]
    (entry,) = log(web, made)
    assert (entry["state"], entry["status"]) == ("pending", 307)
    assert "redirect" in entry["error"]


def test_a_worker_that_lost_its_lease_stores_no_failure(web, hook, receiver, send, sessions):
    hook(kinds=["case.created"])
    web.post("/cases", json={"title": "one"})

    def taken_over(_: int):
        with sessions.begin() as session:
            session.execute(update(Destination).values(holder=None))
        return 500, {}, b""

    receiver.answer = taken_over
    send()
    with sessions() as session:
        one = session.scalars(select(Delivery)).one()
        assert (one.attempts, one.status, one.state) == (1, None, "pending")


def test_destinations_belong_to_their_owner(web, hook, address, sessions, receiver):
    made = hook()
    where = f"/destinations/{made['destination']['id']}"
    with signed_in(address, sessions, person(sessions, "ben", Role.CURATOR)) as ben:
        assert ben.get("/destinations").json()["items"] == []
        for method, path in (
            ("GET", where),
            ("PATCH", where),
            ("DELETE", where),
            ("POST", f"{where}/restore"),
        ):
            json_body = {"json": {}} if method == "PATCH" else {}
            assert ben.request(method, path, **json_body).status_code == 404
        assert ben.get(f"{where}/deliveries").status_code == 404
        assert ben.post("/destinations", json={"name": "x", "url": receiver.url}).status_code == 201
    assert len(web.get("/destinations").json()["items"]) == 2


def test_the_log_forgets_what_ended_after_a_month(web, hook, send, sessions):
    hook(kinds=["case.created"])
    web.post("/cases", json={"title": "one"})
    send()
    web.post("/cases", json={"title": "two"})
    with sessions.begin() as session:
        session.execute(update(Delivery).values(created_at=func.now() - timedelta(days=31)))
        delivering.clear_old(session)
    assert count(sessions, Delivery) == 0
