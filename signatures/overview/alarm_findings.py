"""Alarms of the overview as findings, for every outlet: gate, reports, headline of a case, lists, API.

    alarm_findings(run(items), findings)[0]["alarm"]  ->  "ext4_error"

An alarm is *curated* when it is of classes of the kernel log, which are written by hand and tested with a
sample each; its status is `stable`. Of a statement that an engine derived it is `derived`,
of all others, such as a threshold on CPU time, `overview`.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, NamedTuple, get_args

from ingest.catalogue.log_classes import CLASSES, classes_by_name
from signatures.documents.alarm import DERIVED, OVERVIEW, STABLE, AlarmDocument
from signatures.documents.finding import fingerprint
from signatures.documents.levels import LEVELS, SEVERITY_OF_LEVEL
from signatures.documents.overview import QuestionName
from signatures.judging.decide import MATCH
from signatures.overview.do_first import steps_about
from signatures.overview.harmful_steps import harms, subjects_of
from signatures.overview.levels import rank
from signatures.overview.next_capture import NextCapture, own_capture
from signatures.overview.statement_order import Shown, is_same_event

if TYPE_CHECKING:
    from collections.abc import Hashable, Iterable, Iterator, Sequence

    from signatures.documents.alarm import AnyFinding
    from signatures.documents.finding import FindingDocument
    from signatures.overview.model import Panel, Place, Statement

MOST = 500
"""Alarms of one case; those of the lowest levels are left out."""

MOST_PLACES = 10
TITLE = 160


class _Alarm(NamedTuple):
    """An alarm with the host and phase that it is of."""

    statement: Statement
    host: str
    phase: str

    @property
    def classes(self) -> list[str]:
        """Its classes of the kernel log that are alarms, the cause first."""
        return [name for name in self.statement.log_classes if classes_by_name()[name].is_alarming]

    @property
    def scope(self) -> tuple[str, str]:
        return self.host, self.phase

    @property
    def name(self) -> str:
        """Its first class of the kernel log, else its area."""
        return next(iter(self.classes), self.statement.question)


def alarm_names() -> frozenset[str]:
    """Return the names by which an expression may select alarms: areas, and classes of the kernel log."""
    return frozenset((*get_args(QuestionName), *(one.name for one in CLASSES if one.is_alarming)))


def alarm_findings(panels: Iterable[Panel], findings: Iterable[FindingDocument]) -> list[AlarmDocument]:
    """Return one document per alarm, class and device, of each host and phase, the worst level first.

    Args:
        panels: All panels (`signatures.overview.run`).
        findings: Documents of signatures: a match that cites the lines of an alarm explains it.
    """
    panels = tuple(panels)
    explaining, told = _Explaining(findings), _Told(panels)
    found: dict[str, AlarmDocument] = {}
    for alarm in _each_event(panels):
        document = _document(alarm, explaining.signature_of(alarm), told.subjects_of(alarm))
        first = found.get(document.fingerprint)
        found[document.fingerprint] = _merged(first, document) if first else document
    return sorted(found.values(), key=place_of)[:MOST]


def place_of(alarm: AlarmDocument) -> tuple[int, bool, str, int, int, str]:
    """Return the sort key of an alarm: the worst level first, curated ones first, in the order of the log."""
    at = alarm.citations[0]
    is_curated = alarm.status == STABLE
    where = (at.evidence, at.section, at.first_line)
    return -LEVELS.index(alarm.level), not is_curated, *where, alarm.fingerprint


def in_rank(findings: Sequence[FindingDocument], alarms: Sequence[AlarmDocument]) -> list[AnyFinding]:
    """Return findings with the alarms behind the matches."""
    return sorted((*findings, *alarms), key=rank_of)


def rank_of(finding: AnyFinding) -> int:
    """Return 0 for a match that counts, 1 for an alarm, 2 for all others."""
    if isinstance(finding, AlarmDocument):
        return 1
    return 0 if finding.verdict == MATCH and not finding.superseded_by else 2


def _each_event(panels: Iterable[Panel]) -> Iterator[_Alarm]:
    """Yield curated alarms, then others of other events, each in the order of the first screen."""
    alarms = [
        _Alarm(statement, panel.host, panel.phase)
        for panel in panels
        for statement in panel.statements
        if statement.kind == "alarm"
    ]
    alarms.sort(key=lambda one: (not one.classes, rank(one.statement)))
    curated: dict[tuple[str, str], list[Statement]] = {}
    for alarm in alarms:
        stated = curated.setdefault(alarm.scope, [])
        if alarm.classes:
            stated.append(alarm.statement)
        elif any(is_same_event(alarm.statement, other) for other in stated):
            continue
        yield alarm


def fingerprint_of(stated: Shown) -> str:
    """Return the fingerprint that a statement has as an alarm; it holds no measures."""
    alarm = _Alarm(*stated)
    statement = alarm.statement
    subject = statement.device if alarm.classes else statement.subject or statement.text
    return fingerprint("alarm", alarm.name, subject, alarm.host, alarm.phase)


def _document(alarm: _Alarm, explained_by: str, subjects: frozenset[str]) -> AlarmDocument:
    statement, (host, phase) = alarm.statement, alarm.scope
    level, classes = statement.level, alarm.classes
    steps = steps_about(statement)
    wanted = own_capture(statement)
    if harms(wanted.command, subjects):
        wanted = NextCapture("", "")
    return AlarmDocument(
        alarm=alarm.name,
        areas=statement.questions,
        log_classes=tuple(classes),
        title=statement.title(TITLE),
        severity=SEVERITY_OF_LEVEL[level],
        level=level,
        status=STABLE if classes else DERIVED if statement.engine else OVERVIEW,
        host=host,
        phase=phase,
        headline=statement.text,
        device=statement.device,
        certainty=f"The {'kernel log' if classes else 'evidence'} states it.",
        fingerprint=fingerprint_of(Shown(statement, host, phase)),
        citations=statement.places[:MOST_PLACES],
        first_steps=tuple(step for step in steps if not harms(step, subjects)),
        next_capture=wanted.command,
        next_capture_reason=wanted.reason,
        explained_by=explained_by,
    )


def _merged(first: AlarmDocument, other: AlarmDocument) -> AlarmDocument:
    """Return an alarm with the lines of another file or boot that states the same.

    It is explained only where both are.
    """
    more = tuple(one for one in other.citations if one not in first.citations)
    return replace(
        first,
        citations=(*first.citations, *more)[:MOST_PLACES],
        areas=tuple(dict.fromkeys((*first.areas, *other.areas))),
        log_classes=tuple(dict.fromkeys((*first.log_classes, *other.log_classes))),
        explained_by=first.explained_by if other.explained_by else "",
    )


class _Told:
    """The classes of the kernel log that are stated of each host: what must not be done there."""

    def __init__(self, panels: Iterable[Panel]) -> None:
        self._by_host: dict[str, set[str]] = {}
        for panel in panels:
            of_host = self._by_host.setdefault(panel.host, set())
            for statement in panel.statements:
                of_host.update(*map(subjects_of, statement.log_classes))

    def subjects_of(self, alarm: _Alarm) -> frozenset[str]:
        """Return the topic of an alarm, and all classes that are stated of its host, or of an unknown one."""
        host = alarm.host
        told = (classes for name, classes in self._by_host.items() if not host or name in {host, ""})
        return subjects_of(topic=alarm.statement.topic).union(*told)


class _Explaining:
    """The lines that matches cite for the conditions that they meet."""

    def __init__(self, findings: Iterable[FindingDocument]) -> None:
        self._cited: dict[Hashable, list[tuple[int, int, str]]] = {}
        for finding in findings:
            if rank_of(finding) == 0 and not finding.is_provisional:
                self._add(finding)

    def _add(self, finding: FindingDocument) -> None:
        for condition in finding.conditions:
            if condition.state == "TRUE" and condition.role != "rival":
                for at in condition.citations:
                    key = (finding.host, finding.phase, at.evidence, at.section)
                    lines = (at.first_line, at.last_line, finding.signature)
                    self._cited.setdefault(key, []).append(lines)

    def signature_of(self, alarm: _Alarm) -> str:
        """Return the first signature that cites a line of the alarm; "" without one."""
        return next((name for place in alarm.statement.places for name in self._citing(alarm, place)), "")

    def _citing(self, alarm: _Alarm, place: Place) -> Iterator[str]:
        for first, last, name in self._cited.get((*alarm.scope, place.evidence, place.section), ()):
            if first <= place.last_line and place.first_line <= last:
                yield name
