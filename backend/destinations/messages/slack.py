"""Messages of Slack, built by the models of its own library, within their limits.

Source: https://docs.slack.dev/reference/block-kit/blocks/
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from backend.destinations.messages import texts

if TYPE_CHECKING:
    from backend.destinations.schemas import Message

MAX_HEADER, MAX_TEXT, MAX_BLOCKS, MAX_BUTTON_URL = 150, 3000, 50, 3000


def content_of(message: Message, template: str) -> dict[str, Any]:
    """Return `text` for notifications, and `blocks`: header, text, chips, link."""
    from slack_sdk.models import blocks  # noqa: PLC0415 - an extra

    values = texts.values_of(message)
    rows: list[blocks.Block] = [blocks.HeaderBlock(text=texts.cut(texts.title_of(message), MAX_HEADER))]
    text = texts.body_of(message, template) if template else values["event"]
    rows.extend(blocks.SectionBlock(text=blocks.MarkdownTextObject(text=part)) for part in _parts(text))
    about = " · ".join(filter(None, (texts.chips_of(message), values["actor"])))
    if about:
        rows.append(blocks.ContextBlock(elements=[blocks.PlainTextObject(text=texts.cut(about, MAX_TEXT))]))
    if values["url"].startswith("http") and len(values["url"]) <= MAX_BUTTON_URL:
        button = blocks.ButtonElement(text=texts.link_words(message), url=values["url"], action_id="open")
        rows.append(blocks.ActionsBlock(elements=[button]))
    return {
        "text": _escaped(texts.cut(texts.title_of(message), MAX_HEADER)),
        "blocks": [row.to_dict() for row in rows],
    }


def _parts(text: str) -> list[str]:
    """Return a text as sections, escaped; what does not fit into a message is cut."""
    parts = [""]
    for character in map(_escaped, text or "–"):
        if len(parts[-1]) + len(character) >= MAX_TEXT:
            if len(parts) == MAX_BLOCKS - 3:
                parts[-1] += "…"
                break
            parts.append("")
        parts[-1] += character
    return parts


def _escaped(text: str) -> str:
    """Return text in which no `<!channel>` of a title calls people."""
    return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")
