"""SOAK.md: what was answered, and how every figure of every component grew."""

from __future__ import annotations

import os
import platform
from collections import Counter
from datetime import UTC, datetime
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

    from benchmarks.soak.resources import Growth

LABELS = {
    "memory_mib": "anonymous memory, MiB",
    "file_handles": "file handles",
    "connections": "sockets",
    "processes": "processes",
}


def failures(answers: Counter[tuple[str, str]]) -> dict[str, int]:
    """Return what no load may cause, by name: server errors but 503 and 507, late verdicts."""
    found: Counter[str] = Counter()
    for (actor, outcome), count in answers.items():
        is_fault = outcome.startswith("5") and outcome not in {"503", "507"}
        if is_fault or outcome == "not judged in time":
            found[f"{actor}: {outcome}"] += count
    return dict(found)


def render(
    minutes: float, answers: Counter[tuple[str, str]], growths: Sequence[Growth], loads: Sequence[float]
) -> str:
    """Return the report as Markdown."""
    not_flat = [one for one in growths if not one.is_flat]
    verdict = "flat" if not not_flat else f"{len(not_flat)} figures grow"
    faults = failures(answers)
    stated = "; ".join(f"{name} {count}" for name, count in sorted(faults.items())) or "none"
    rows = [
        f"| {one.component} | {LABELS[one.figure]} | {one.before:.1f} | {one.after:.1f} | {one.peak:.1f} "
        f"| {'yes' if one.is_flat else '**no**'} |"
        for one in growths
    ]
    outcomes = [f"| {actor} | {outcome} | {count:,} |" for (actor, outcome), count in sorted(answers.items())]
    machine = f"{platform.machine()}, {os.cpu_count()} CPUs, Python {platform.python_version()}"
    return "\n".join(
        [
            "# Soak test",
            "",
            f"{datetime.now(UTC):%Y-%m-%d}, {machine}. Measured by `make soak MINUTES={minutes:g}`.",
            f"Load average {loads[0]:.1f} at the start, {loads[1]:.1f} at the end.",
            "",
            f"Memory, connections and file handles: {verdict}. Server errors and late verdicts: {stated}.",
            "",
            "Medians of the first and second half of the run, the first quarter (warm-up) left out.",
            "A figure is flat when the second half is at most 10 % higher, or by less than its noise.",
            "",
            "| component | figure | first half | second half | peak | flat |",
            "| --- | --- | ---: | ---: | ---: | --- |",
            *rows,
            "",
            "| actor | outcome | count |",
            "| --- | --- | ---: |",
            *outcomes,
            "",
        ]
    )
