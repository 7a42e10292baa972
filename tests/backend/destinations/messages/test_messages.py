"""Messages keep the limits of the services, are valid by their schemas, and call nobody."""

from __future__ import annotations

import json
import re
from datetime import UTC, datetime
from importlib.resources import files

import pytest
from jsonschema import Draft6Validator
from slack_sdk.models import blocks

from backend.destinations.messages import issues, slack, teams
from backend.destinations.schemas import CaseOfEvent, EventData, Message
from backend.models.base import uuid7

LONG = "<!channel> & " * 40_000


def message(headline="db7 stalls", **fields) -> Message:
    url = "https://cases.example/cases/7"
    case = CaseOfEvent(id=uuid7(), number=7, headline=headline, status="mitigated", severity="high", url=url)
    data = EventData(event=8, actor="ada", changed=["status"], case=case)
    return Message(type="case.changed", timestamp=datetime.now(UTC), data=data.model_copy(update=fields))


TEST = message(case=None, event=None, actor=None, changed=[]).model_copy(update={"type": "test"})


@pytest.mark.parametrize("template", ["", LONG, "{headline} {headline}"])
@pytest.mark.parametrize("text", ["db7", LONG, ""])
def test_a_slack_message_keeps_the_limits_and_calls_nobody(text, template):
    content = slack.content_of(message(text), template)
    assert 0 < len(content["blocks"]) <= 50
    for row in blocks.Block.parse_all(content["blocks"]):
        row.validate_json()
    sections = [row["text"]["text"] for row in content["blocks"] if row["type"] == "section"]
    assert all(0 < len(section) <= 3000 for section in sections)
    assert len(content["blocks"][0]["text"]["text"]) <= 150
    assert "<!" not in content["text"] + "".join(sections)


@pytest.mark.parametrize("one", [message(), message(LONG), message(""), TEST])
def test_a_teams_card_is_valid_by_the_published_schema(one):
    schema = json.loads((files("adaptive_cards") / "schemas/schema-1.5.json").read_text("utf-8-sig"))
    Draft6Validator(schema).validate(teams.card_of(one, ""))
    assert list(Draft6Validator(schema).iter_errors(teams.card_of(one, "") | {"body": [{"type": "Text"}]}))


def test_an_issue_mentions_nobody():
    made = issues.github(message("@org/admins *db7* <script>"), "")
    # GitHub reads no mention in an @ that a zero-width character follows.
    assert re.search(r"@(?!&#8203;)", made["body"]) is None
    assert len(issues.github(message(LONG), "")["title"]) <= 250
