"""General analyses of the evidence, independent of any signature.

Each analysis returns one panel per host and phase: figures with citations, or the reason there are none. A
figure is notable only when it is far outside the normal range, so panels of healthy machines are calm.

    run(items) -> [Panel(name="cpu-time", state="calm", summary="87 % of 3,957 samples … busy …", …), …]
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from signatures.judging.scope import scopes_of
from signatures.overview import (
    bursts,
    comparing,
    cpu,
    identity,
    kernel_log,
    memory,
    progress,
    resources,
    wait_graph,
    waiting,
)
from signatures.overview.model import Figure, Panel, Place
from signatures.overview.scope_evidence import ScopeEvidence

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from signatures.judging.scope import Item
    from signatures.overview.model import Answer, PanelState

__all__ = ["ANALYSES", "Figure", "Panel", "Place", "run"]


class Analysis(NamedTuple):
    """One analysis: stable name, title and function."""

    name: str
    title: str
    analyze: Callable[[ScopeEvidence], Answer]


ANALYSES = (
    Analysis("cpu-time", "CPU time", cpu.cpu_time),
    Analysis("kernel-entries", "Kernel entry points", cpu.kernel_entries),
    Analysis("spinning", "Lock spinning", cpu.spinning),
    Analysis("reclaim", "Memory reclaim", memory.reclaim),
    Analysis("use-table", "Utilisation, saturation, errors", resources.use_table),
    Analysis("throttling", "CPU throttling", memory.throttling),
    Analysis("pressure", "Pressure stalls", memory.pressure),
    Analysis("waits", "Wait graph", wait_graph.wait_graph),
    Analysis("off-cpu", "Off-CPU waits", waiting.off_cpu),
    Analysis("progress", "Work per CPU second", progress.progress),
    Analysis("bursts", "Long kernel runs", bursts.bursts),
    Analysis("growth", "Growth", comparing.growth),
    Analysis("latency", "Latency distribution", waiting.latency),
    Analysis("identity", "Kernel and machine", identity.identity),
    Analysis("first-bad-line", "Kernel log", kernel_log.alarms),
    Analysis("quality", "Evidence quality", identity.quality),
    Analysis("outliers", "Outliers", comparing.outliers),
)


def run(items: Sequence[Item]) -> list[Panel]:
    """Return one panel per analysis for every host and phase."""
    panels = []
    for scope in scopes_of(items):
        evidence = ScopeEvidence(scope)
        for analysis in ANALYSES:
            answer = analysis.analyze(evidence)
            panels.append(
                Panel(
                    analysis.name,
                    analysis.title,
                    scope.host,
                    scope.phase,
                    _state(answer),
                    answer.summary,
                    answer.figures,
                    answer.lacks,
                )
            )
    return panels


def _state(answer: Answer) -> PanelState:
    if not answer.figures:
        return "unknown"
    return "notable" if any(figure.is_notable for figure in answer.figures) else "calm"
