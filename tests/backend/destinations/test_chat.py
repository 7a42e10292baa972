"""Messages reach chats, mail and issues; a case keeps one message where it can."""

from __future__ import annotations

import json

import pytest
from aiosmtpd.controller import Controller
from aiosmtpd.handlers import Message
from sqlalchemy import select

from backend.core.settings_environment import load_settings
from backend.destinations import guarded_apprise
from backend.models import Account, Delivery, Destination, Role
from backend.models.destination import Channel
from tests.reserved_port import reserved_port

CHANNEL = "C0123456"


def create(web, **body):
    answer = web.post("/destinations", json={"name": "chat", "kinds": ["case.changed"], **body})
    assert answer.status_code == 201, answer.text
    return answer.json()["destination"]


def states(web, made):
    items = web.get(f"/destinations/{made['id']}/deliveries").json()["items"]
    return [one["error"] or one["state"] for one in items]


def test_a_bot_of_slack_keeps_one_message_for_a_case(web, receiver, send):
    stamped = json.dumps({"ok": True, "channel": CHANNEL, "ts": "1763.42"}).encode()
    receiver.answer = lambda _: (200, {}, stamped)
    base = receiver.url.removesuffix("/hook")
    made = create(web, channel="slack", url=base, token="xoxb-secret", target="#incidents")
    number = web.post("/cases", json={"title": "db7"}).json()["number"]
    for severity in ("low", "high"):
        web.patch(f"/cases/{number}", json={"severity": severity})
        send()
    assert [one.path for one in receiver.requests] == ["/chat.postMessage", "/chat.update"]
    first, second = (json.loads(one.body) for one in receiver.requests)
    assert first["channel"] == "#incidents"
    assert (second["channel"], second["ts"]) == (CHANNEL, "1763.42")
    assert receiver.requests[0].headers["authorization"] == "Bearer xoxb-secret"
    assert "xoxb" not in web.get(f"/destinations/{made['id']}").text
    receiver.answer = lambda _: (200, {}, b'{"ok": false, "error": "channel_not_found"}')
    web.patch(f"/cases/{number}", json={"severity": "medium"})
    send()
    assert "channel_not_found" in states(web, made)[0]


@pytest.mark.parametrize("channel", ["slack", "teams"])
def test_an_incoming_webhook_posts_once_for_each_status(web, receiver, send, channel):
    made = create(web, channel=channel, url=receiver.url, template="{event}: {headline} ({status})")
    number = web.post("/cases", json={"title": "db7"}).json()["number"]
    for change in ({"severity": "low"}, {"severity": "high"}, {"status": "resolved"}):
        web.patch(f"/cases/{number}", json=change)
        send()
    assert len(receiver.requests) == 2
    assert "Severity changed: db7 (investigating)" in receiver.requests[0].body.decode()
    assert states(web, made) == ["delivered"] * 3
    assert receiver.url not in web.get("/destinations").text


def test_a_case_has_one_issue_at_github(web, receiver, send):
    receiver.answer = lambda _: (201, {}, b'{"number": 42, "title": "x"}')
    base = receiver.url.removesuffix("/hook")
    create(web, channel="github", url=base, token="ghp_secret", target="acme/kernel")
    number = web.post("/cases", json={"title": "db7"}).json()["number"]
    for severity in ("low", "high"):
        web.patch(f"/cases/{number}", json={"severity": severity})
        send()
    asked = [(one.method, one.path) for one in receiver.requests]
    path = "/repos/acme/kernel/issues"
    assert asked == [("POST", path), ("PATCH", f"{path}/42")]
    assert json.loads(receiver.requests[1].body)["title"] == f"Case {number}: db7"


class Inbox(Message):
    def __init__(self) -> None:
        super().__init__()
        self.mails = []
        self.port = 0

    def handle_message(self, message) -> None:
        self.mails.append(message)


@pytest.fixture
def mail():
    inbox = Inbox()
    with reserved_port() as inbox.port:
        controller = Controller(inbox, hostname="127.0.0.1", port=inbox.port, ready_timeout=300)
        controller.start()
        yield inbox
        controller.stop()


def test_mail_arrives_by_smtp_and_only_where_it_is_allowed(web, mail, send, app_settings, sessions):
    url = f"mailto://127.0.0.1:{mail.port}?from=casebook@example.com&to=ada@example.com&format=text"
    made = create(web, channel="apprise", url=url, template="{headline} {url}")
    number = web.post("/cases", json={"title": "db7"}).json()["number"]
    web.patch(f"/cases/{number}", json={"severity": "high"})
    send()
    assert states(web, made) == ["delivered"]
    (one,) = mail.mails
    assert (one["To"], one["Subject"]) == ("ada@example.com", f"Case {number}: db7")
    assert f"db7 https://cases.example/cases/{number}" in one.get_payload(decode=True).decode()
    assert "ada@example" not in web.get("/destinations").text
    web.patch(f"/cases/{number}", json={"status": "resolved"})
    type(send)(app_settings.model_copy(update={"outgoing_allow": ""}), sessions, send._store)()
    assert "internal address" in states(web, made)[0]
    assert len(mail.mails) == 1


def test_apprise_follows_no_redirect_into_the_network(receiver):
    where = receiver.url.removeprefix("http://").removesuffix("/hook")
    place = receiver.url.replace("127.0.0.1", "127.0.0.2")
    receiver.answer = lambda _: (307, {"Location": place}, b"")
    settings = load_settings(outgoing_allow="127.0.0.1/32")
    answer = guarded_apprise.notify(settings, f"json://{where}/", "title", "body")
    assert "127.0.0.2" in answer.error
    assert len(receiver.requests) == 1


@pytest.mark.parametrize(
    ("body", "word"),
    [
        ({"channel": "apprise", "url": "file:///etc/passwd"}, "begin with"),
        ({"channel": "apprise", "url": "syslog://"}, "begin with"),
        ({"channel": "apprise", "url": "msteams://a/b/c/d?template=/etc/passwd"}, "template"),
        ({"channel": "apprise", "url": "mailto://h?to=a&%74emplate=/etc/passwd"}, "template"),
        ({"channel": "apprise", "url": "mailto://h?to=a&pgpkey=/etc/passwd"}, "pgpkey"),
        ({"channel": "apprise", "url": "jsons://h?+X=1"}, "not admitted"),
        ({"channel": "slack", "token": "xoxb"}, "target"),
        ({"channel": "slack", "url": "https://10.0.0.1/hook"}, "internal"),
        ({"channel": "teams", "url": "https://127.0.0.2/hook"}, "internal"),
        ({"channel": "github", "token": "x", "target": "kernel"}, "owner/repository"),
        ({"channel": "github", "url": "https://10.0.0.1", "token": "x", "target": "a/b"}, "internal"),
        ({"channel": "webhook"}, "https"),
        ({"channel": "slack", "url": "http://127.0.0.1/", "template": "{secret}"}, "secret"),
    ],
)
def test_what_may_not_be_called_is_refused_when_it_is_entered(web, body, word):
    answer = web.post("/destinations", json={"name": "x", **body})
    assert (answer.status_code, word in answer.json()["detail"]) == (400, True), answer.text


@pytest.fixture
def gone(hook, receiver):
    """Creates a webhook whose receiver wants no more."""
    receiver.answer = lambda _: (410, {}, b"")
    return hook


def test_its_owner_is_told_once_by_mail_that_a_webhook_is_disabled(web, gone, mail, send, sessions):
    url = f"mailto://127.0.0.1:{mail.port}?from=casebook@example.com&to=ada@example.com&format=text"
    told = create(web, channel="apprise", url=url, kinds=[])
    narrow = create(web, channel="apprise", url=url, kinds=[], severity="high")
    with sessions.begin() as session:
        stranger = Account(name="mallory", role=Role.RESPONDER)
        session.add(stranger)
        session.flush()
        foreign = Destination(owner_id=stranger.id, name="hers", channel=Channel.WEBHOOK, url="")
        foreign.base_url = foreign.sealed = ""
        session.add(foreign)
    gone(kinds=["case.created"])
    web.post("/cases", json={"title": "db7"})
    for _ in range(3):
        send.later()
    notices = [one for one in mail.mails if "is disabled" in one["Subject"]]
    assert [one["To"] for one in notices] == ["ada@example.com"]
    assert "410" in notices[0]["Subject"]
    assert "https://cases.example/settings/webhooks" in notices[0].get_payload(decode=True).decode()
    with sessions() as session:
        sent = select(Destination.name).join(Delivery, Delivery.destination_id == Destination.id)
        to = session.scalars(sent.where(Delivery.kind == "destination.disabled")).all()
    assert to == [told["name"]]
    assert states(web, narrow) == []
