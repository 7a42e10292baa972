"""The first screen as JSON values."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from signatures.overview.first_screen import Overview
    from signatures.overview.statement_order import Shown


def overview_document(overview: Overview) -> dict[str, Any]:
    """Return an overview as JSON values."""
    return {
        "headline": overview.headline._asdict(),
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
        "signatures": {"checked": overview.checked, "close": list(overview.close)},
    }


def _statement(shown: Shown) -> dict[str, Any]:
    statement = shown.statement
    return {
        "question": statement.question,
        "kind": statement.kind,
        "text": statement.text,
        "host": shown.host,
        "strength": round(statement.strength, 3),
        "capture": statement.capture,
        "citations": [place._asdict() for place in statement.places],
    }
