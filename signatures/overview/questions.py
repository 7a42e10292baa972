"""The questions that an overview answers, each with the capture that would answer it.

A question is in one of five states: `alarm`; `unclassified errors` (error-level log lines of no known class);
`notable` (nothing is shown to be wrong, yet a resource is used up); `no alarm` (evidence that answers it is
there, complete and read); else `not assessed`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from signatures.overview.cpu import load, scheduling
from signatures.overview.kernel_log import alarms as kernel_log
from signatures.overview.memory import owners as memory_owners
from signatures.overview.rules.rule import panel_of
from signatures.overview.storage import latency as block_latency
from signatures.overview.waiting import locks as lock_waits

if TYPE_CHECKING:
    from collections.abc import Sequence

    from signatures.documents.overview import QuestionName, QuestionState
    from signatures.overview.model import Panel


class Question(NamedTuple):
    """One question: stable name, title, and the command whose output answers it."""

    name: QuestionName
    title: str
    capture: str


CALM_LEVELS = ("since boot", "context")
"""Levels of statements with which a question may have no alarm."""

QUESTIONS = (
    Question("kernel-log", "kernel log", kernel_log.CAPTURE),
    Question("cpu", "CPU", load.CAPTURE),
    Question("memory", "memory", memory_owners.CAPTURE),
    Question("io", "IO", block_latency.CAPTURE),
    Question("network", "network", panel_of("network-drops").capture),
    Question("locks", "locks", lock_waits.CAPTURE),
    Question("scheduling", "scheduling", scheduling.CAPTURE),
    Question("cgroup-limits", "cgroup limits", panel_of("cgroup-limits").capture),
)


class Assessment(NamedTuple):
    """The state of one question over all hosts, its alarms, and the capture when it is not assessed.

    Attributes:
        is_partial: It is not assessed, but some evidence is about it: figures that do not answer it.
        note: Why they do not answer it; "" where no more is known.
    """

    question: Question
    state: QuestionState
    alarms: int
    capture: str
    is_partial: bool = False
    note: str = ""


def assess(panels: Sequence[Panel]) -> list[Assessment]:
    """Return the state of every question, in the order of `QUESTIONS`."""
    return [_assessment(question, panels) for question in QUESTIONS]


def _assessment(question: Question, panels: Sequence[Panel]) -> Assessment:
    about = [
        one
        for panel in panels
        for one in panel.statements
        if question.name in one.questions and not one.is_filler
    ]
    alarms = sum(one.kind == "alarm" for one in about)
    if alarms:
        return Assessment(question, "alarm", alarms, "")
    if any(one.kind == "unclassified" for one in about):
        return Assessment(question, "unclassified errors", 0, "")
    if any(one.is_notable for one in about):
        return Assessment(question, "notable", 0, "")
    has_failed = any(panel.fault and question.name in panel.about for panel in panels)
    answered = {panel.host for panel in panels if question.name in panel.assesses}
    refused = {panel.host for panel in panels if question.name in panel.refused}
    if not has_failed and answered and not refused - answered:
        is_calm = all(one.level in CALM_LEVELS or one.explains_calm for one in about)
        return Assessment(question, "no alarm" if is_calm else "notable", 0, "")
    is_partial = bool(about) or any(question.name in panel.about for panel in panels)
    own = next((one.capture for one in about if one.capture), "") if question.name == "kernel-log" else ""
    reasons = (reason for panel in panels for name, reason in panel.partial if name == question.name)
    return Assessment(question, "not assessed", 0, own or question.capture, is_partial, next(reasons, ""))
