"""What disks say about themselves beyond single values: their own assessments, and warnings by bits.

sdc (Hitachi HDS721050DLE630) fails by its own assessment (SMART): Reallocated_Sector_Ct is at its threshold

The values are rules of `storage-health.yaml`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from signatures.overview.model import Answer, Figure, Statement
from signatures.overview.rules.panel import by_rules

if TYPE_CHECKING:
    from collections.abc import Iterator

    from signatures.documents.levels import Level
    from signatures.overview.first_steps import Topic
    from signatures.overview.scope_evidence import FactEntry, ScopeEvidence

WARNINGS = (
    "the spare is below its threshold",
    "the temperature is outside its thresholds",
    "reliability is degraded",
    "the media is read-only",
    "the backup of volatile memory failed",
    "persistent memory is read-only",
)
"""Bits of `critical_warning`: NVM Express base specification, SMART / Health Information."""

NVME_CAPTURE = "nvme smart-log -H; nvme error-log"
SMART_CAPTURE = "smartctl -x; dmesg"


def _warnings(evidence: ScopeEvidence) -> Answer:
    """Return what NVMe controllers warn of."""
    figures, statements = [], []
    for warning in evidence.facts("nvme.critical_warning"):
        bits = [words for at, words in enumerate(WARNINGS) if int(warning.number) >> at & 1]
        name = _name(warning, "The NVMe controller")
        text = f"{name} warns: {', '.join(bits) or f'bits {int(warning.number):#x}'}"
        label, places = f"{name}: critical warning", (warning.place,)
        figures.append(Figure(label, warning.number, "count", places, bool(warning.number)))
        if warning.number:
            statements.append(
                Statement(
                    "io", text, places, "alarm", "failure", NVME_CAPTURE, topic="failing disk", subject=label
                )
            )
    return Answer("", tuple(figures), (), tuple(statements))


def _assessments(evidence: ScopeEvidence) -> Answer:
    """Return disks' own assessments, with the attributes that are at their thresholds now or were before."""
    figures: list[Figure] = []
    statements: list[Statement] = []
    failed: dict[tuple[int, str], list[FactEntry]] = {}
    for one in evidence.facts("smart.attribute_failed"):
        failed.setdefault((id(one.item), _name(one, "")), []).append(one)
    for passed in evidence.facts("smart.passed"):
        name, has_failed = _name(passed, "The disk"), passed.fact.value is False
        causes = failed.get((id(passed.item), _name(passed, "")), [])
        now = [one.label("attribute") for one in causes if one.fact.value == "now"]
        why = f": {', '.join(now[:3])} at its threshold" if now else ""
        places = (passed.place, *(one.place for one in causes[:2]))
        words = "failed" if has_failed else "passed"
        figures.append(Figure(f"{name}: own assessment", words, "", places, has_failed))
        if has_failed:
            failed.pop((id(passed.item), _name(passed, "")), None)
            text = f"{name} fails by its own assessment (SMART){why}"
            statements.append(_stated(figures[-1], text, "failing disk"))
    for one in (cause for causes in failed.values() for cause in causes):
        name, is_now, attribute = _name(one, "the disk"), one.fact.value == "now", one.label("attribute")
        text = f"{attribute} of {name} {'is' if is_now else 'was'} at its threshold (SMART)"
        figures.append(Figure(f"{name}: {attribute}", str(one.fact.value), "", (one.place,), is_now))
        statements.append(_stated(figures[-1], text, "failing disk" if is_now else "worn disk"))
    return Answer("", tuple(figures), (), tuple(statements))


def _stated(figure: Figure, text: str, topic: Topic) -> Statement:
    """Return the statement of a figure: an alarm where it stands out."""
    level: Level = "failure" if figure.is_notable else "notable"
    return Statement(
        "io",
        text,
        figure.places,
        "alarm" if figure.is_notable else "fact",
        level,
        SMART_CAPTURE,
        is_notable=not figure.is_notable,
        topic=topic,
        subject=figure.label,
    )


def _working(evidence: ScopeEvidence, _figures: list[Figure]) -> Iterator[Statement]:
    """Yield that all devices of all arrays work, where nothing is wrong."""
    if wanted := evidence.facts("md.array.devices"):
        count = len({one.label("array") for one in wanted})
        text = "All devices of the array work" if count == 1 else f"All devices of {count:,} arrays work"
        yield Statement("io", text, tuple(one.place for one in wanted[:3]), "fact", "context", ratio=0.0)


def _name(entry: FactEntry, other: str) -> str:
    """Return device and model: `sdc (Hitachi HDS721050DLE630)`; `other` when neither is known."""
    device, model = entry.label("device"), entry.label("model")
    return (f"{device} ({model})" if model else device) if device else model or other


storage_health = by_rules("storage-health", _warnings, _assessments, closing=_working)
