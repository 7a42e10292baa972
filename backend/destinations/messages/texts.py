"""A message in words: a title, lines, a template of the destination, and the text of an issue."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from backend.core.outgoing_kinds import OUTGOING, TEST

if TYPE_CHECKING:
    from backend.destinations.schemas import DestinationOfEvent, Message

PLACEHOLDER = re.compile(r"\{(\w+)\}")
PLACEHOLDERS = ("headline", "number", "status", "severity", "url", "event", "actor")
_TESTED = "This is a test message of Casebook."


def values_of(message: Message) -> dict[str, str]:
    """Return the values of the placeholders of a template."""
    case, data = message.data.case, message.data
    notice = data.destination
    event = "Test" if message.type == TEST else OUTGOING.get(message.type, message.type).rstrip(".")
    if data.changed:
        event = f"{', '.join(data.changed).capitalize()} changed"
    return {
        "headline": case.headline if case else _notice(notice) if notice else _TESTED,
        "number": str(case.number) if case else "",
        "status": case.status if case else "",
        "severity": (case.severity or "") if case else "",
        "url": case.url if case else notice.url if notice else "",
        "event": event,
        "actor": data.actor or "",
    }


def _notice(notice: DestinationOfEvent) -> str:
    return f"Destination {notice.name} is disabled: {notice.reason}"


def unknown_in(template: str) -> list[str]:
    """Return the placeholders of a template that are none."""
    return sorted(set(PLACEHOLDER.findall(template)) - set(PLACEHOLDERS))


def body_of(message: Message, template: str) -> str:
    """Return the text of a message: of the template, or event, chips and link."""
    values = values_of(message)
    if template:
        return PLACEHOLDER.sub(lambda found: values.get(found[1], found[0]), template)
    lines = [values["event"] + (f" by {values['actor']}" if values["actor"] else ""), chips_of(message)]
    return "\n".join(line for line in (*lines, values["url"]) if line)


def title_of(message: Message) -> str:
    """Return the title: number and headline of the case."""
    values = values_of(message)
    return f"Case {values['number']}: {values['headline']}" if values["number"] else values["headline"]


def chips_of(message: Message) -> str:
    """Return severity and status, as in `high · mitigated`."""
    values = values_of(message)
    return " · ".join(filter(None, (values["severity"], values["status"])))


def link_words(message: Message) -> str:
    """Return the words of the link."""
    return "Open the settings" if message.data.destination else "Open the case"


def cut(text: str, characters: int) -> str:
    """Return `text` with at most so many characters, the last an ellipsis if it was longer."""
    return text if len(text) <= characters else text[: characters - 1] + "…"
