"""Levels of findings, the one ranking of signatures and alarms, beside the four severities.

LEVEL_OF_SEVERITY["high"]  ->  "failure"
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal, TypeAlias

if TYPE_CHECKING:
    from collections.abc import Mapping

Level: TypeAlias = Literal["context", "since boot", "notable", "degraded", "saturation", "failure", "outage"]
HeadlineKind: TypeAlias = Literal[
    "match", "suspect", "statement", "fact", "nothing unusual", "not assessed", "no evidence"
]
"""What the first sentence of a case is: a finding, an alarm or error, a fact, or what was assessed."""

Severity: TypeAlias = Literal["critical", "high", "medium", "low"]

LEVELS: tuple[Level, ...] = (
    "context",
    "since boot",
    "notable",
    "degraded",
    "saturation",
    "failure",
    "outage",
)
"""From the least: what describes the evidence; counters since boot; out of the ordinary; retried, late, short
or without its spare; used up; an operation failed or a process was killed; data lost or a machine, device or
file system out of service."""

LEVEL_OF_SEVERITY: Mapping[str, Level] = {
    "critical": "outage",
    "high": "failure",
    "medium": "degraded",
    "low": "notable",
}
"""The level of a signature, by its severity."""

SEVERITY_OF_LEVEL: Mapping[Level, Severity] = {
    "outage": "critical",
    "failure": "high",
    "saturation": "medium",
    "degraded": "medium",
    "notable": "low",
    "since boot": "low",
    "context": "low",
}
"""The severity of an alarm, by its level."""
