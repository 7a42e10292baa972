"""Events of a case as timeline sentences, repeated events merged.

evidence.received ×12   → "kim added 12 files: perf.script, dmesg and 10 more"
findings.judged         → "Found mm/memcg-limit-reclaim on db7", and only when something changed
"""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import TYPE_CHECKING, Any, TypeAlias
from uuid import UUID

from backend.models.incident_event import IncidentEventKind
from backend.postmortems.schemas import TimelineEntry
from signatures.rendering.words import VERDICTS, capital

if TYPE_CHECKING:
    from collections.abc import Callable

    from backend.models.event import Event

TOGETHER = timedelta(minutes=2)
"""Files of one sender received within this time form one entry."""

NAMED_FILES = 3

Place: TypeAlias = "tuple[str, str, str]"


class ProblemHandler:
    """Collects the timeline entries of the events of one case, in order."""

    def __init__(self) -> None:
        """Start without entries."""
        self.entries: list[TimelineEntry] = []
        self._found: dict[Place, str] = {}
        self._files: list[str] = []
        self._last_file_at: datetime | None = None

    def hear(self, event: Event) -> None:
        """Add `event`, one of `KINDS`."""
        HEARD[event.kind](self, event)

    def received(self, event: Event) -> None:
        """Add a received file, merged with those just before it."""
        entry = _entry(event, "evidence")
        if self._goes_with_last(event):
            entry = self.entries.pop()
            entry.evidence_id = None
        else:
            self._files = []
            entry.evidence_id = _id(event.payload.get("evidence_id"))
        self._files.append(str(event.payload["name"]))
        self._last_file_at = event.at
        count = f" {len(self._files)} files:" if len(self._files) > 1 else ""
        entry.says = f"{event.actor} added{count} {_named(self._files)}"
        self.entries.append(entry)

    def _goes_with_last(self, event: Event) -> bool:
        if not self._files or self._last_file_at is None:
            return False
        return self.entries[-1].actor == event.actor and event.at - self._last_file_at <= TOGETHER

    def evidence(self, event: Event) -> None:
        """Add the outcome of reading one evidence."""
        name, why = event.payload.get("name", ""), event.payload.get("reason", "")
        says = {
            "evidence.rejected": f"{name} could not be read{f': {why}' if why else ''}",
            "evidence.failed": f"{name} could not be read, by a fault of ours",
            "evidence.cancelled": f"{event.actor} cancelled the reading of {name}",
            "evidence.deleted": f"{event.actor} took out {name}",
            "evidence.restored": f"{event.actor} brought back {name}",
        }[event.kind]
        self._say(event, "evidence", says, evidence_id=_id(event.payload.get("evidence_id")))

    def drafted(self, event: Event) -> None:
        """Add a story draft made from a file."""
        evidence_id = _id(event.payload.get("evidence_id"))
        self._say(event, "evidence", event.payload["says"], evidence_id=evidence_id)

    def placed(self, event: Event) -> None:
        """Add an assignment of files to a host or phase."""
        names, phase, host = event.payload["names"], event.payload.get("phase"), event.payload.get("host")
        what = f"{len(names)} files are" if len(names) > 1 else f"{names[0]} is"
        which = f": {_named(names)}" if len(names) > 1 else ""
        of = " and ".join([*([f"of host {host}"] if host else []), *([PHASES[phase]] if phase else [])])
        if of:
            self._say(event, "evidence", f"{event.actor} said that {what} {of}{which}")

    def judged(self, event: Event) -> None:
        """Add the changes of the findings."""
        now = {
            (row["signature"], row["host"], row["phase"]): row["verdict"]
            for row in event.payload.get("findings", [])
        }
        new = [place for place, verdict in now.items() if self._found.get(place) != verdict]
        gone = [place for place in self._found if place not in now]
        for signature, host, phase in sorted(new):
            verdict = now[signature, host, phase]
            found = "Found" if verdict == "match" else f"{capital(VERDICTS[verdict])}:"
            says = f"{found} {signature} {_where(host, phase)}"
            self._say(event, "finding", says, signature=signature, host=host)
        for signature, host, phase in sorted(gone):
            says = f"No longer found: {signature} {_where(host, phase)}"
            self._say(event, "finding", says, signature=signature, host=host)
        self._found = now

    def case(self, event: Event) -> None:
        """Add a change of the case itself."""
        if event.kind == "case.changed":
            for says in _changes(event):
                self._say(event, "case", says)
            return
        what = {
            "case.created": "opened the case",
            "case.kept": "kept the case, which was sent without signing in",
            "case.deleted": "put the case away",
            "case.restored": "brought the case back",
        }[event.kind]
        self._say(event, "case", f"{event.actor} {what}")

    def label(self, event: Event) -> None:
        """Add a label of a finding."""
        payload = event.payload
        what = f"{payload['signature']} {_where(payload['host'], payload['phase'])}"
        action = (
            f"said that {what} is {payload['opinion']}"
            if event.kind == "label.said"
            else f"took back their word on {what}"
        )
        misled = f", misled by {payload['misled_clause']}" if payload.get("misled_clause") else ""
        self._say(
            event,
            "label",
            f"{event.actor} {action}{misled}",
            text=payload.get("remark", ""),
            signature=payload["signature"],
            host=payload["host"],
        )

    def capture(self, event: Event) -> None:
        """Add a capture run, at the time it was run, and its results."""
        title, names = event.payload["title"], event.payload.get("names", [])
        brought = _named(names) or "nothing"
        says = {
            "capture.ran": f"{event.actor} ran: {title}",
            "capture.linked": f"{title} brought {brought}",
            "capture.taken_back": f"{event.actor} took back having run: {title}",
            "capture.restored": f"{event.actor} ran after all: {title}",
        }[event.kind]
        self._say(event, "capture", says)
        if "ran_at" in event.payload:
            self.entries[-1].at = datetime.fromisoformat(event.payload["ran_at"])

    def shared(self, event: Event) -> None:
        """Add the end of links to the case whose maker was disabled; other changes of access are no entry."""
        if maker := event.payload.get("disabled"):
            self._say(
                event, "case", f"links to the case ended: {event.actor} disabled {maker}, who made them"
            )

    def handoff(self, event: Event) -> None:
        """Add a state change of a handoff, on either side."""
        # Whoever opens a link may state the name of a member.
        somebody = (
            f"{event.actor}, by the link for {event.payload['recipient']},"
            if event.payload.get("by_link")
            else event.actor
        )
        to, maker = event.payload.get("recipient", ""), event.payload.get("disabled", "")
        if event.kind == "handoff.link-ended" and not maker:
            return
        says = {
            "handoff.offered": f"{event.actor} offered the case to {to}",
            "handoff.opened": f"{event.actor} opened the handoff",
            "handoff.accepted": f"{somebody} took the case over",
            "handoff.answered": f"{somebody} answered",
            "handoff.closed": f"{event.actor} closed the handoff to {to}",
            "handoff.link-ended": f"a link to the handoff ended: {event.actor} disabled {maker}, who made it",
        }[event.kind]
        self._say(event, "handoff", says)

    def _say(self, event: Event, kind: str, says: str, **more: Any) -> None:
        self._files = []
        entry = _entry(event, kind).model_copy(update={"says": says, **more})
        entry.id = f"{entry.id}:{len(self.entries)}"
        self.entries.append(entry)


def _entry(event: Event, kind: str) -> TimelineEntry:
    fields = {"id": f"event:{event.id}", "at": event.at, "kind": kind, "says": "", "actor": event.actor}
    return TimelineEntry.model_validate(fields)


PHASES = {
    "before": "from before the incident",
    "during": "from the incident itself",
    "after": "from after the change",
}

INCIDENT = {
    IncidentEventKind.STARTED: "The incident started",
    IncidentEventKind.DETECTED: "The incident was detected",
    IncidentEventKind.ACTION: "Action",
    IncidentEventKind.MITIGATED: "The incident was mitigated",
    IncidentEventKind.RESOLVED: "The incident was resolved",
}

HEARD: dict[str, Callable[[ProblemHandler, Event], None]] = {
    "case.created": ProblemHandler.case,
    "case.kept": ProblemHandler.case,
    "case.changed": ProblemHandler.case,
    "case.deleted": ProblemHandler.case,
    "case.restored": ProblemHandler.case,
    "case.shared": ProblemHandler.shared,
    "evidence.received": ProblemHandler.received,
    "evidence.rejected": ProblemHandler.evidence,
    "evidence.failed": ProblemHandler.evidence,
    "evidence.cancelled": ProblemHandler.evidence,
    "evidence.deleted": ProblemHandler.evidence,
    "evidence.restored": ProblemHandler.evidence,
    "evidence.placed": ProblemHandler.placed,
    "capture.ran": ProblemHandler.capture,
    "capture.linked": ProblemHandler.capture,
    "capture.taken_back": ProblemHandler.capture,
    "capture.restored": ProblemHandler.capture,
    "findings.judged": ProblemHandler.judged,
    "handoff.accepted": ProblemHandler.handoff,
    "handoff.answered": ProblemHandler.handoff,
    "handoff.closed": ProblemHandler.handoff,
    "handoff.link-ended": ProblemHandler.handoff,
    "handoff.offered": ProblemHandler.handoff,
    "handoff.opened": ProblemHandler.handoff,
    "label.said": ProblemHandler.label,
    "label.taken_back": ProblemHandler.label,
    "story.drafted": ProblemHandler.drafted,
}
KINDS = tuple(HEARD)


def _changes(event: Event) -> list[str]:
    payload, sentences = event.payload, []
    if "title" in payload:
        sentences.append(f"{event.actor} named the case “{payload['title']}”")
    if "severity" in payload:
        sentences.append(f"{event.actor} set the severity to {payload['severity'] or 'none'}")
    if "assignee" in payload:
        sentences.append(f"{event.actor} assigned the case to {payload['assignee'] or 'nobody'}")
    if "tags" in payload:
        sentences.append(f"{event.actor} set the tags to {', '.join(payload['tags']) or 'none'}")
    if payload.get("status") and "state" not in payload:
        sentences.append(f"{event.actor} set the status to {payload['status']}")
    ended = payload.get("resolution") or {}
    how = [ended.get("cause") or ended.get("signature") or "", ended.get("fix", "")]
    words = f": {'; fixed by '.join(one for one in how if one)}" if any(how) else ""
    if "state" in payload:
        sentences.append(
            f"{event.actor} "
            + (f"closed the case{words}" if payload["state"] == "closed" else "reopened the case")
        )
    elif "resolution" in payload:
        sentences.append(f"{event.actor} said how the case ended{words}")
    return sentences


def _named(files: list[str]) -> str:
    more = len(files) - NAMED_FILES
    return ", ".join(files[:NAMED_FILES]) + (f" and {more} more" if more > 0 else "")


def _where(host: str, phase: str) -> str:
    return f"on {host or 'an unnamed host'}" + (f", {phase}" if phase != "during" else "")


def _id(text: object) -> UUID | None:
    return UUID(str(text)) if text else None
