"""The first screen as JSON values."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from signatures.overview.headline import Headline

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from signatures.documents.levels import Severity
    from signatures.overview.first_screen import Overview
    from signatures.overview.statement_order import Shown


def overview_document(overview: Overview, severity: Severity | None = None) -> dict[str, Any]:
    """Return an overview as JSON values; `severity` is that of its headline (`headline_document`)."""
    return {
        "headline": overview.headline._asdict() | {"severity": severity},
        "suspicion": overview.suspicion._asdict() if overview.suspicion else None,
        "questions": [
            {
                "name": one.question.name,
                "title": one.question.title,
                "state": one.state,
                "alarms": one.alarms,
                "capture": one.capture,
                "is_partial": one.is_partial,
                "note": one.note,
            }
            for one in overview.questions
        ],
        "statements": [_statement(one) for one in overview.statements],
        "next_capture": overview.next_capture.command,
        "next_capture_reason": overview.next_capture.reason,
        "first_steps": list(overview.first_steps),
        "is_urgent": overview.is_urgent,
        "signatures": {"checked": overview.checked, "close": list(overview.close)},
    }


def headline_document(
    overview: Overview, findings: Sequence[Mapping[str, Any]], alarms: Sequence[Mapping[str, Any]]
) -> dict[str, Any]:
    """Return the headline as JSON values, with verdict and level of the finding or alarm that it is of.

    Args:
        overview: The first screen.
        findings: The documents of signatures that it was made of.
        alarms: Its alarms (`signatures.overview.alarm_findings`).
    """
    headline = overview.headline
    of: Mapping[str, Any] = {}
    if headline.signature:
        key = (headline.signature, headline.host, headline.kind)
        of = next(one for one in findings if (one["signature"], one["host"], one["verdict"]) == key)
    elif headline.kind == "statement":
        of = next((one for one in alarms if one["headline"] == headline.text), {})
    return {
        **headline._asdict(),
        "suspicion": overview.suspicion.signature if overview.suspicion else "",
        "alarm": of.get("alarm", ""),
        "title": of.get("title", headline.text),
        **{name: of.get(name) for name in ("verdict", "severity", "level", "confidence", "coverage")},
    }


def failed_headline_document(text: str) -> dict[str, Any]:
    """Return the headline of a case whose analysis failed, of the same keys."""
    unknown = dict.fromkeys(("verdict", "severity", "level", "confidence", "coverage"))
    return {
        **Headline("not assessed", text)._asdict(),
        "suspicion": "",
        "alarm": "",
        "title": text,
        **unknown,
    }


def _statement(shown: Shown) -> dict[str, Any]:
    statement = shown.statement
    return {
        "question": statement.question,
        "kind": statement.kind,
        "text": statement.text,
        "host": shown.host,
        "level": statement.level,
        "capture": statement.capture,
        "citations": [place._asdict() for place in statement.places],
    }
