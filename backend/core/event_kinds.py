"""Resources that each kind of event changes: the sub-resources of `/cases/{case}` to fetch again.

A resource is named by the last segment of its path; `case` is `/cases/{case}` itself. An unlisted kind may
have changed all of them.
"""

from __future__ import annotations

from typing import Literal, get_args

Resource = Literal[
    "access",
    "analyses",
    "captures",
    "case",
    "evidence",
    "facts",
    "findings",
    "handoffs",
    "histograms",
    "hosts",
    "incident",
    "labels",
    "origins",
    "phases",
    "profiles",
    "seen-before",
    "series",
    "signature-drafts",
    "similar",
    "stories",
    "timeline",
    "uploads",
    "waits",
]
Resources = tuple[Resource, ...]

EVERYTHING: Resources = get_args(Resource)

_CASE: Resources = ("case", "incident", "timeline")
_INCIDENT: Resources = ("incident", "timeline")
_ACCESS: Resources = ("access", "case", "timeline")
_LISTED: Resources = ("case", "evidence", "timeline", "uploads")
_READ: Resources = (
    "analyses",
    "captures",
    "case",
    "evidence",
    "facts",
    "histograms",
    "hosts",
    "incident",
    "origins",
    "phases",
    "profiles",
    "series",
    "timeline",
    "waits",
)
# Judging also follows changes without an event of their own, such as a deleted preview.
_JUDGED: Resources = (*_READ, "findings", "labels", "seen-before", "similar", "uploads")
_CAPTURES: Resources = ("captures", "timeline")
_LABELS: Resources = ("findings", "labels", "timeline")
_HANDOFFS: Resources = ("handoffs", "timeline")
_DRAFTS: Resources = ("signature-drafts",)
_NOTES: Resources = ("timeline",)
_UPLOADS: Resources = ("case", "uploads")

CHANGES: dict[str, Resources] = {
    "alert.fired": _NOTES,
    "alert.resolved": _NOTES,
    "capture.linked": _CAPTURES,
    "capture.ran": _CAPTURES,
    "capture.restored": _CAPTURES,
    "capture.taken_back": _CAPTURES,
    "case.changed": _CASE,
    "case.created": _ACCESS,
    "case.deleted": EVERYTHING,
    "case.kept": _ACCESS,
    "case.restored": EVERYTHING,
    "case.shared": _ACCESS,
    "evidence.cancelled": _LISTED,
    "evidence.deleted": EVERYTHING,
    "evidence.demoted": _LISTED,
    "evidence.failed": _LISTED,
    "evidence.placed": EVERYTHING,
    "evidence.previewed": (*_READ, "uploads"),
    "evidence.progress": ("evidence",),
    "evidence.read": _READ,
    "evidence.reading": ("case", "evidence"),
    "evidence.received": _LISTED,
    "evidence.rejected": _LISTED,
    "evidence.restored": EVERYTHING,
    "evidence.retried": _LISTED,
    "findings.judged": _JUDGED,
    "handoff.accepted": _HANDOFFS,
    "handoff.answered": _HANDOFFS,
    "handoff.begun": _HANDOFFS,
    "handoff.cancelled": _HANDOFFS,
    "handoff.closed": _HANDOFFS,
    "handoff.failed": _HANDOFFS,
    "handoff.link-ended": _HANDOFFS,
    "handoff.message": _HANDOFFS,
    "handoff.offered": _HANDOFFS,
    "handoff.opened": _HANDOFFS,
    "handoff.ready": _HANDOFFS,
    "handoff.redacted-again": _HANDOFFS,
    "incident.event_added": _INCIDENT,
    "incident.event_changed": _INCIDENT,
    "incident.event_deleted": _INCIDENT,
    "incident.event_restored": _INCIDENT,
    "hunt.begun": (),
    "hunt.cancelled": (),
    "hunt.done": (),
    "hunt.failed": (),
    "hunt.changed": ("findings", "timeline"),
    "label.said": _LABELS,
    "label.taken_back": _LABELS,
    "library.activated": (),
    "library.failed": (),
    "library.read": (),
    "library.retired": (),
    "note.changed": _NOTES,
    "note.deleted": _NOTES,
    "note.restored": _NOTES,
    "note.written": _NOTES,
    "reprocessing.begun": (),
    "reprocessing.cancelled": (),
    "reprocessing.done": (),
    "reprocessing.failed": (),
    "search.matched": (),
    "destination.disabled": (),
    "signature-draft.begun": _DRAFTS,
    "signature-draft.failed": _DRAFTS,
    "signature-draft.judged": _DRAFTS,
    "signature-draft.progressed": _DRAFTS,
    "signature-draft.ready": _DRAFTS,
    "signature.accepted": (),
    "signature.proposed": (),
    "signature.rejected": (),
    "signature.withdrawn": (),
    "story.drafted": ("evidence", "stories", "timeline"),
    "upload.began": _UPLOADS,
    "upload.expired": _UPLOADS,
    "upload.failed": _UPLOADS,
    "upload.given_up": _UPLOADS,
    "upload.progressed": _UPLOADS,
}


def changes_of(kind: str) -> Resources:
    """Return the resources that an event of this kind changes."""
    return CHANGES.get(kind, EVERYTHING)
