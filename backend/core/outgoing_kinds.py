"""Kinds of events that leave the service, and what each means; docs/webhooks.md states the payload.

They are names of the event log (docs/events.md), and a contract: a kind keeps its name and meaning.
"""

from __future__ import annotations

OUTGOING: dict[str, str] = {
    "alert.fired": "An alert opened a case or joined one.",
    "alert.resolved": "An alert of a case was resolved.",
    "case.created": "A case was opened.",
    "case.changed": "Title, status, severity, assignee, tags or resolution of a case changed.",
    "case.deleted": "A case was deleted; it can be restored.",
    "case.restored": "A deleted case was restored.",
    "destination.disabled": "A webhook or other destination was disabled since nothing arrived there.",
    "evidence.failed": "A file could not be read.",
    "evidence.read": "A file was read.",
    "findings.judged": "The findings of a case were computed from all evidence that is read.",
    "handoff.accepted": "The recipient of a handoff accepted it.",
    "handoff.answered": "The recipient of a handoff replied.",
    "handoff.closed": "A handoff was closed.",
    "handoff.offered": "A handoff was shared by a link.",
    "handoff.ready": "A handoff is redacted and can be shared.",
    "hunt.changed": "A retro-hunt changed the findings of a case.",
    "incident.event_added": "An event of the incident was recorded: start, detection, action, mitigation.",
    "note.written": "A note was written.",
    "search.matched": "A saved search, your own or your team's, newly finds a case.",
}

DISABLED = "destination.disabled"
"""Kind of the notice to the owner of a destination and to admins; it is about no case."""

TEST = "test"
"""Kind of the message that the test button sends."""
