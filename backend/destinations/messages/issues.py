"""Issues that a destination opens on GitHub."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from backend.destinations.messages import texts
from signatures.rendering.issue_markup import MARKDOWN
from signatures.rendering.issue_text import MAX_TITLE

if TYPE_CHECKING:
    from backend.destinations.schemas import Message

MAX_BODY = 60_000


def github(message: Message, template: str) -> dict[str, Any]:
    """Return title and body of an issue; a person that a headline mentions is not notified."""
    values = texts.values_of(message)
    if template:
        body = texts.body_of(message, template)
    else:
        named = [name for name in ("severity", "status") if values[name]]
        rows = [f"{MARKDOWN.strong(name)}: {MARKDOWN.text(values[name])}" for name in named]
        body = "\n\n".join([MARKDOWN.text(values["headline"]), *rows, values["url"]])
    return {"title": texts.cut(texts.title_of(message), MAX_TITLE), "body": texts.cut(body, MAX_BODY)}
