"""Kernel messages that somebody quotes in a sentence: what they would mean, as the log itself is not there.

The text quotes a kernel message: Block I/O error: blk_update_request: I/O error, dev sda, sector 2048
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ingest.catalogue.log_classes import classes_by_name
from signatures.overview.kernel_log.alarms import WHOLE
from signatures.overview.kernel_log.sentences import BY_SUBSYSTEM, QUESTIONS, quoted
from signatures.overview.model import Answer, Figure, Statement

if TYPE_CHECKING:
    from signatures.overview.scope_evidence import ScopeEvidence

SHOWN = 3


def quoted_messages(evidence: ScopeEvidence) -> Answer:
    """Return each class that a short text quotes, with its first message."""
    figures: list[Figure] = []
    statements: list[Statement] = []
    seen: set[str] = set()
    for entry in evidence.facts("text.quoted_message"):
        log_class = classes_by_name().get(entry.label("class"))
        if log_class is None or log_class.name in seen or len(seen) >= SHOWN:
            continue
        seen.add(log_class.name)
        meaning = log_class.meaning.partition(";")[0]
        text = f"The text quotes a kernel message: {meaning}: {quoted(str(entry.fact.value))}"
        question = BY_SUBSYSTEM.get(log_class.subsystem) or QUESTIONS.get(log_class.area, "kernel-log")
        statements.append(
            Statement(question, text, (entry.place,), "fact", "notable", WHOLE, is_notable=True)
        )
        figures.append(
            Figure(log_class.name.replace("_", " "), quoted(str(entry.fact.value)), "", (entry.place,))
        )
    if not figures:
        return Answer("No quoted kernel message.")
    return Answer(f"{statements[0].text}.", tuple(figures), (WHOLE,), tuple(statements))
