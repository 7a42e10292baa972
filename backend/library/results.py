"""Results of the library search as they are shown: title, excerpt, reasons, kernel status."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from backend.library.queries import HIT_BEGINS, HIT_ENDS
from backend.library.schemas import PartRead, ResultRead

if TYPE_CHECKING:
    from backend.library.answer import Answer
    from backend.library.queries import Shown

MAX_LEAD_CHARS = 200
WORDS_PER_MINUTE = 220
"""Reading speed of technical prose, silently."""

_HIT = re.compile(f"({HIT_BEGINS}[^{HIT_BEGINS}{HIT_ENDS}]*{HIT_ENDS})")


def result(answer: Answer, shown: Shown) -> ResultRead:
    """Return an answer as the API and the page have it, with the words of the query marked."""
    entry = answer.entry
    return ResultRead.model_validate(
        {
            "kind": entry.kind,
            "key": entry.key,
            "title": _parts(shown.title),
            "headline": shown.headline,
            "lead": lead(shown.body),
            "reading_minutes": reading_minutes(shown.body),
            "snippet": _parts(_beginning(shown.body) if shown.excerpt is None else shown.excerpt),
            "area": entry.area,
            "severity": entry.severity,
            "status": shown.status,
            "symptoms": shown.symptoms,
            "groups": entry.groups,
            "has_fix": entry.has_fix,
            "score": round(answer.score, 4),
            "reasons": answer.reasons,
            "verdict": answer.verdict,
            "met": list(answer.met),
            "kernel_verdict": answer.kernel_verdict,
            "kernel_basis": answer.kernel_basis,
            "kernel_sentence": answer.kernel_sentence,
            "updated_at": shown.updated_at,
        }
    )


def lead(body: str) -> str:
    """Return the first sentences of a story, at most `MAX_LEAD_CHARS`."""
    beginning = _beginning(body)
    if len(beginning) <= MAX_LEAD_CHARS:
        return beginning
    cut = beginning[:MAX_LEAD_CHARS]
    end = max(cut.rfind(f"{mark} ") for mark in ".?!")
    return cut[: end + 1] if end > 0 else f"{cut.rpartition(' ')[0]} …"


def reading_minutes(body: str) -> int:
    """Return how long a text takes to read, in minutes, at least 1."""
    return max(1, round(len(body.split()) / WORDS_PER_MINUTE))


def _beginning(body: str) -> str:
    """Return the first paragraph below the heading."""
    paragraphs = [part for part in body.split("\n\n") if part]
    return " ".join(paragraphs[1:2] or paragraphs[:1])


def _parts(marked: str) -> list[PartRead]:
    parts = []
    for part in _HIT.split(marked):
        text = part.strip(HIT_BEGINS + HIT_ENDS)
        if text:
            parts.append(PartRead(text=text, is_hit=part.startswith(HIT_BEGINS)))
    return parts
