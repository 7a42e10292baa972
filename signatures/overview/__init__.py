"""Sixteen general analyses: what evidence says even when no signature matches.

Each answers for one host and phase with figures that cite their lines, or says why it cannot. They are calm
on healthy machines: a figure is notable only where it is far out of the ordinary.

    run(items) -> [Panel(name="cpu-time", state="calm", summary="87 % of 3,957 samples … are work …", …), …]
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from signatures.judging.scope import scopes_of
from signatures.overview import bursts, comparing, cpu, identity, memory, progress, resources, waiting
from signatures.overview.gathered import Gathered
from signatures.overview.model import Figure, Panel, Place

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from signatures.judging.scope import Item
    from signatures.overview.model import Answer, PanelState

__all__ = ["ANALYSES", "Figure", "Panel", "Place", "run"]


class Analysis(NamedTuple):
    """One analysis: its stable name, the question, and who answers it."""

    name: str
    title: str
    answer: Callable[[Gathered], Answer]


ANALYSES = (
    Analysis("cpu-time", "Where did the CPU go?", cpu.cpu_time),
    Analysis("kernel-entries", "What asked the kernel?", cpu.kernel_entries),
    Analysis("spinning", "Who spins on whose lock?", cpu.spinning),
    Analysis("reclaim", "Who reclaims memory, and does it help?", memory.reclaim),
    Analysis("use-table", "Which resource is short?", resources.use_table),
    Analysis("throttling", "Who was stopped by a CPU quota?", memory.throttling),
    Analysis("pressure", "What do tasks stall for?", memory.pressure),
    Analysis("off-cpu", "Who waits off the CPU?", waiting.off_cpu),
    Analysis("progress", "How much is done per CPU second?", progress.progress),
    Analysis("bursts", "Who holds a CPU in the kernel for long?", bursts.bursts),
    Analysis("growth", "What is new, what grew?", comparing.growth),
    Analysis("latency", "How are latencies shaped?", waiting.latency),
    Analysis("identity", "Which kernel is this?", identity.identity),
    Analysis("first-bad-line", "What went wrong first?", comparing.first_bad_line),
    Analysis("quality", "How good is the evidence?", identity.quality),
    Analysis("outliers", "Who stands out?", comparing.outliers),
)


def run(items: Sequence[Item]) -> list[Panel]:
    """Return one panel per analysis for every host and phase."""
    panels = []
    for scope in scopes_of(items):
        gathered = Gathered(scope)
        for analysis in ANALYSES:
            answer = analysis.answer(gathered)
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
