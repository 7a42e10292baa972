"""Messages to Slack, Teams, GitHub, and to mail and other services by Apprise.

Slack with a bot and GitHub keep one message, or issue, for each case, which later events change. What cannot
be changed is posted once for each status of the case.
"""

from __future__ import annotations

import json
from dataclasses import replace
from typing import TYPE_CHECKING, Any, NamedTuple

from backend.destinations import calls, guarded_apprise
from backend.destinations.calls import Answer
from backend.destinations.messages import issues, slack, teams, texts
from backend.models.destination import Channel

if TYPE_CHECKING:
    from backend.core.settings import Settings
    from backend.destinations.channels import Entered
    from backend.destinations.schemas import Message

UNCHANGED = "not posted: the status of the case is the one that was posted last"


class Last(NamedTuple):
    """The message of the case that is there: its name, and the status when it was posted; "" for none."""

    reference: str
    status: str


def post(
    settings: Settings, channel: Channel, entered: Entered, message: Message, *, template: str, last: Last
) -> Answer:
    """Post a message, or change the one of its case."""
    case = message.data.case
    if channel is Channel.GITHUB:
        return _write_issue(settings, entered, message, template, last)
    if channel is Channel.SLACK and entered.token:
        return _post_by_bot(settings, entered, message, template, last)
    if case is not None and case.status == last.status:
        return Answer(None, UNCHANGED, "")
    if channel is Channel.APPRISE:
        title, body = texts.title_of(message), texts.body_of(message, template)
        return guarded_apprise.notify(settings, entered.url, title, body)
    make = slack.content_of if channel is Channel.SLACK else teams.content_of
    return calls.call(settings, entered.url, _json(make(message, template)), {})


def _post_by_bot(settings: Settings, entered: Entered, message: Message, template: str, last: Last) -> Answer:
    content = {"channel": entered.target, **slack.content_of(message, template)}
    method = "chat.postMessage"
    if last.reference:
        channel, _, stamp = last.reference.rpartition(" ")
        method, content = "chat.update", {**content, "channel": channel, "ts": stamp}
    headers = {"Authorization": f"Bearer {entered.token}", "Content-Type": "application/json; charset=utf-8"}
    answer = calls.call(settings, f"{entered.url}/{method}", _json(content), headers)
    if answer.error:
        return answer
    # Slack answers 200 also when it refuses.
    said = _object(answer.head)
    if said.get("ok") is not True:
        return replace(answer, error=f"Slack refused: {said.get('error', 'no reason')}")
    return replace(answer, reference=f"{said.get('channel', entered.target)} {said.get('ts', '')}")


def _write_issue(settings: Settings, entered: Entered, message: Message, template: str, last: Last) -> Answer:
    if message.data.case is None:
        # A test makes no issue: it reads the repository.
        url, method, body = f"{entered.url}/repos/{entered.target}", "GET", b""
    else:
        path = f"{entered.url}/repos/{entered.target}/issues"
        url, method = (f"{path}/{last.reference}", "PATCH") if last.reference else (path, "POST")
        body = _json(issues.github(message, template))
    headers = {
        "Authorization": f"Bearer {entered.token}",
        "Accept": "application/vnd.github+json",
        "X-GitHub-Api-Version": "2022-11-28",
    }
    answer = calls.call(settings, url, body, headers, method=method)
    if answer.error or message.data.case is None:
        return answer
    number = _object(answer.head).get("number") or calls.number_in(answer.head)
    return replace(answer, reference=str(number or last.reference))


def _json(content: dict[str, Any]) -> bytes:
    return json.dumps(content, ensure_ascii=False).encode()


def _object(text: str) -> dict[str, Any]:
    try:
        found = json.loads(text)
    except ValueError:
        return {}
    return found if isinstance(found, dict) else {}
