"""Messages of Microsoft Teams: an Adaptive Card, as workflows take it.

Source: https://adaptivecards.io/explorer/AdaptiveCard.html
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from backend.destinations.messages import texts

if TYPE_CHECKING:
    from backend.destinations.schemas import Message

MAX_TEXT = 3000
COLORS = {"critical": "attention", "high": "attention", "medium": "warning", "low": "good"}


def card_of(message: Message, template: str) -> dict[str, Any]:
    """Return the card: headline, text, facts, link."""
    values = texts.values_of(message)
    body: list[dict[str, Any]] = [
        {
            "type": "TextBlock",
            "text": texts.cut(texts.title_of(message), MAX_TEXT),
            "weight": "bolder",
            "size": "medium",
            "wrap": True,
            "color": COLORS.get(values["severity"], "default"),
        },
        {
            "type": "TextBlock",
            "text": texts.cut(texts.body_of(message, template) if template else values["event"], MAX_TEXT),
            "wrap": True,
        },
    ]
    facts = [
        {"title": name.capitalize(), "value": values[name]}
        for name in ("severity", "status", "actor")
        if values[name]
    ]
    if facts:
        body.append({"type": "FactSet", "facts": facts})
    card: dict[str, Any] = {
        "$schema": "http://adaptivecards.io/schemas/adaptive-card.json",
        "type": "AdaptiveCard",
        "version": "1.4",
        "body": body,
    }
    if values["url"].startswith("http"):
        card["actions"] = [
            {"type": "Action.OpenUrl", "title": texts.link_words(message), "url": values["url"]}
        ]
    return card


def content_of(message: Message, template: str) -> dict[str, Any]:
    """Return the card as the attachment of a message."""
    attachment = {
        "contentType": "application/vnd.microsoft.card.adaptive",
        "contentUrl": None,
        "content": card_of(message, template),
    }
    return {"type": "message", "attachments": [attachment]}
