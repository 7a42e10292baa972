"""Text of issues: GitHub and GitLab read Markdown, Jira its own markup."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from backend.destinations.messages import texts

if TYPE_CHECKING:
    from backend.destinations.schemas import Message

MAX_TITLE, MAX_BODY = 250, 60_000
_MARKDOWN = re.compile(r"([\\`*_{}\[\]<>#|@])")


def github(message: Message, template: str) -> dict[str, Any]:
    """Return title and body of an issue; a person that a headline mentions is not notified."""
    values = texts.values_of(message)
    if template:
        body = texts.body_of(message, template)
    else:
        rows = [f"**{name}**: {_escaped(values[name])}" for name in ("severity", "status") if values[name]]
        body = "\n\n".join([_escaped(values["headline"]), *rows, values["url"]])
    return {"title": texts.cut(texts.title_of(message), MAX_TITLE), "body": texts.cut(body, MAX_BODY)}


def _escaped(text: str) -> str:
    return _MARKDOWN.sub(lambda found: "&#64;" if found[1] == "@" else f"\\{found[1]}", text)
