"""General analyses of the evidence, independent of any signature.

Each analysis returns one panel per host and phase: figures with citations, or the reason there are none. A
figure is notable only when it is far outside the normal range, so panels of healthy machines are calm.

    run(items) -> [Panel(name="cpu-time", state="calm", summary="87 % of 3,957 samples … busy …", …), …]
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple, get_args

from signatures.engines import configured
from signatures.faults import reported
from signatures.judging.scope import scopes_of
from signatures.overview import (
    calm,
    context,
    identity,
    impossible,
    unread,
    windows,
)
from signatures.overview.contrast import case_hosts as hosts_compared
from signatures.overview.contrast import phases as comparing
from signatures.overview.cpu import (
    bursts,
    cache_lines,
    counted_stacks,
    hot_instructions,
    interrupts,
    load,
    progress,
    scheduling,
    top_functions,
)
from signatures.overview.cpu import profile as cpu
from signatures.overview.kernel_log import alarms as kernel_log
from signatures.overview.kernel_log import catalogued, quoted_messages
from signatures.overview.mechanisms.evaluation import mechanisms
from signatures.overview.memory import allocations, cgroup_memory, pressure, vmalloc, zones
from signatures.overview.memory import owners as memory_owners
from signatures.overview.memory import reclaim as memory_reclaim
from signatures.overview.memory.numa_nodes import node_processes
from signatures.overview.memory.removed_cgroups import removed_cgroups
from signatures.overview.model import Figure, Panel, Place, QuestionName
from signatures.overview.network.drops import network_drops
from signatures.overview.network.no_discipline import no_discipline
from signatures.overview.quantities.statements import derived
from signatures.overview.quantities.status import states
from signatures.overview.resources import use_table
from signatures.overview.rules.panel import by_rules
from signatures.overview.scope_evidence import ScopeEvidence, Stated
from signatures.overview.storage import latency as block_latency
from signatures.overview.storage import nfs, stopped
from signatures.overview.storage.health import storage_health
from signatures.overview.threads import calls
from signatures.overview.threads import statements as program_threads
from signatures.overview.tracing import counted_events, syscalls
from signatures.overview.tracing import functions as traced_functions
from signatures.overview.tracing import latency as traced_latency
from signatures.overview.waiting import graph as wait_graph
from signatures.overview.waiting import locks as lock_waits
from signatures.overview.waiting import off_cpu as waiting

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from signatures.engines import EngineName, Engines
    from signatures.faults import Fault
    from signatures.judging.scope import Item, Scope
    from signatures.overview.model import Answer, PanelState

__all__ = ["ANALYSES", "Figure", "Panel", "Place", "run"]


class Analysis(NamedTuple):
    """One analysis: stable name, title and function.

    `about` are the questions that any of its figures are about. One that `is_quiet` has a panel only where it
    finds something: there is no evidence that it lacks. All that an `engine` states is derived.
    """

    name: str
    title: str
    analyze: Callable[[ScopeEvidence], Answer]
    about: tuple[QuestionName, ...] = ()
    is_quiet: bool = False
    engine: EngineName | None = None


ANALYSES = (
    Analysis("cpu-time", "CPU time", cpu.cpu_time, about=("cpu",)),
    Analysis("top-functions", "Top functions", top_functions.top_functions, about=("cpu",)),
    Analysis(
        "hot-instructions",
        "Hottest instructions",
        hot_instructions.hot_instructions,
        about=("cpu",),
        is_quiet=True,
    ),
    Analysis("kernel-entries", "Kernel entry points", cpu.kernel_entries, about=("cpu",)),
    Analysis("load", "Load and processes", load.load),
    Analysis("spinning", "Lock spinning", cpu.spinning, about=("locks",)),
    Analysis("lock-waits", "Lock waits", lock_waits.lock_waits, about=("locks",)),
    Analysis("counted-stacks", "Counted stacks", counted_stacks.counted_stacks, is_quiet=True),
    Analysis("traced-functions", "Traced functions", traced_functions.traced_functions, about=("cpu",)),
    Analysis("cache-lines", "Contended cache lines", cache_lines.cache_lines, about=("cpu",)),
    Analysis("scheduling", "Scheduling delays", scheduling.scheduling, about=("scheduling",)),
    Analysis("memory-owners", "Memory by owner", memory_owners.memory_owners, about=("memory",)),
    Analysis("zones", "Zones of memory", zones.zones, about=("memory",)),
    Analysis("vmalloc", "Kernel virtual memory by caller", vmalloc.vmalloc, is_quiet=True),
    Analysis("allocations", "Slab allocations by caller", allocations.allocations, about=("memory",)),
    Analysis("reclaim", "Memory reclaim", memory_reclaim.reclaim, about=("memory",)),
    Analysis("use-table", "Utilisation, saturation, errors", use_table),
    Analysis(
        "cgroup-limits", "Cgroup limits", by_rules("cgroup-limits", removed_cgroups), about=("cgroup-limits",)
    ),
    Analysis(
        "cgroup-memory",
        "Memory of cgroups",
        cgroup_memory.cgroup_memory,
        about=("cgroup-limits",),
        is_quiet=True,
    ),
    Analysis("block-latency", "Block latency", block_latency.block_latency, about=("io",)),
    Analysis("stopped-io", "Reads and writes that stop", stopped.stopped_io, about=("io",), is_quiet=True),
    Analysis("filesystem-space", "Space in file systems", by_rules("filesystem-space"), about=("io",)),
    Analysis("storage-health", "Health of storage", storage_health, about=("io",)),
    Analysis("nfs", "NFS mounts and server", nfs.nfs, is_quiet=True),
    Analysis("network-drops", "Network drops", network_drops, about=("network",)),
    Analysis(
        "network-queues",
        "Drivers, queueing disciplines, connection tracking",
        by_rules("network-queues", no_discipline),
        about=("network",),
    ),
    Analysis("sockets", "Sockets", by_rules("sockets"), about=("network",)),
    Analysis("numa-nodes", "NUMA nodes", by_rules("numa-nodes", node_processes), about=("memory",)),
    Analysis("interrupts", "Interrupts", interrupts.interrupts, about=("cpu",)),
    Analysis("syscalls", "System calls", syscalls.syscalls, about=("scheduling",)),
    Analysis("traced-latency", "Traced latencies", traced_latency.traced_latency),
    Analysis("counted-events", "Counted tracepoints", counted_events.counted_events),
    Analysis("traced-events", "Traced kills, drops and retransmits", by_rules("traced-events")),
    Analysis("rates", "Swapping, direct reclaim, drops", by_rules("rates")),
    Analysis("impossible", "Values that cannot be", impossible.impossible, is_quiet=True),
    Analysis("windows", "High for a while", windows.windows, is_quiet=True, engine="series"),
    Analysis("signs", "Signs of trouble", by_rules("signs"), is_quiet=True),
    Analysis("quoted-messages", "Quoted kernel messages", quoted_messages.quoted_messages, is_quiet=True),
    Analysis("states", "States of objects", states, is_quiet=True, engine="quantities"),
    Analysis("outcomes", "Failures that tools state", by_rules("outcomes"), is_quiet=True),
    Analysis("limits", "Limits of the kernel", by_rules("limits")),
    Analysis("pressure", "Pressure stalls", pressure.pressure),
    Analysis("waits", "Wait graph", wait_graph.wait_graph, about=("locks",)),
    Analysis("timed-calls", "Calls that take long", calls.timed_calls, is_quiet=True, engine="threads"),
    Analysis("threads", "Threads of programs", program_threads.threads, is_quiet=True, engine="threads"),
    Analysis("off-cpu", "Off-CPU waits", waiting.off_cpu, about=("scheduling",)),
    Analysis("progress", "Work per CPU second", progress.progress, about=("cpu",)),
    Analysis("bursts", "Long kernel runs", bursts.bursts, about=("scheduling",)),
    Analysis("growth", "Growth", comparing.growth),
    Analysis("latency", "Latency distribution", waiting.latency),
    Analysis("identity", "Kernel and machine", identity.identity),
    Analysis("first-bad-line", "Kernel log", kernel_log.alarms, about=("kernel-log",)),
    Analysis(
        "catalogued-messages",
        "Kernel messages by their source",
        catalogued.catalogued_messages,
        is_quiet=True,
        engine="catalogue",
    ),
    Analysis("quality", "Evidence quality", identity.quality),
    Analysis("outliers", "Outliers", comparing.outliers),
    Analysis("mechanisms", "Mechanisms", mechanisms, is_quiet=True),
    Analysis("quantities", "Quantities of other tools", derived, is_quiet=True, engine="quantities"),
    # The last: it looks at what the others left.
    Analysis("largest-values", "Largest values", context.context, is_quiet=True, engine="quantities"),
    Analysis("unread", "Text that is not read", unread.unread, is_quiet=True, engine="quantities"),
)


ALL_QUESTIONS: tuple[QuestionName, ...] = get_args(QuestionName)
FAILED = "analysis failed"


def run(
    items: Sequence[Item], analyses: Sequence[Analysis] = ANALYSES, engines: Engines | None = None
) -> list[Panel]:
    """Return one panel per analysis for every host and phase, and one that compares hosts.

    Args:
        items: The readings.
        analyses: What is looked at.
        engines: Switches; those of the process by default.
    """
    engines = engines or configured()
    panels: list[Panel] = []
    stated = Stated()
    scopes = scopes_of(items)
    for scope in scopes:
        evidence = ScopeEvidence(scope, engines)
        evidence.stated = stated
        for analysis in analyses:
            state = engines.state_of(analysis.engine) if analysis.engine else "on"
            if state == "off":
                continue
            try:
                answer = analysis.analyze(evidence)
            except Exception as error:  # noqa: BLE001 - evidence may not stop the other analyses
                panels.append(_failed(analysis, scope, reported(analysis.name, error)))
                continue
            if analysis.is_quiet and not answer.figures:
                continue
            if state == "shadow":
                panels.append(_shadow(analysis, scope, answer))
                continue
            assesses, answer = calm.decided(evidence, answer)
            stated.add(answer.statements)
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
                    answer.statements,
                    assesses,
                    _about(analysis, answer),
                    answer.partial,
                    tuple(one.question for one in answer.assesses if one.question not in assesses),
                )
            )
    return [*panels, *_compared(scopes, panels)]


def _shadow(analysis: Analysis, scope: Scope, answer: Answer) -> Panel:
    """Return the panel of an engine in shadow: how many statements it has, and no word of them."""
    count = len(answer.statements)
    words = f"In shadow: {count:,} {'statement' if count == 1 else 'statements'}, counted and not shown."
    return Panel(analysis.name, analysis.title, scope.host, scope.phase, "calm", words)


def _failed(analysis: Analysis, scope: Scope, fault: Fault) -> Panel:
    """Return the panel of an analysis that raised; the questions that it is about stay undecided."""
    about = analysis.about or ALL_QUESTIONS
    words = f"{analysis.title} {fault.words}."
    partial = tuple((name, FAILED) for name in about)
    return Panel(
        analysis.name,
        analysis.title,
        scope.host,
        scope.phase,
        "unknown",
        words,
        about=about,
        partial=partial,
        fault=fault,
    )


def _compared(scopes: Sequence[Scope], panels: Sequence[Panel]) -> list[Panel]:
    """Return the comparison of hosts; none when it raises, which changes no question."""
    try:
        return list(hosts_compared.hosts_compared(scopes, panels))
    except Exception as error:  # noqa: BLE001 - evidence may not stop the panels of single hosts
        fault = reported("hosts", error)
        words = f"The comparison of hosts {fault.words}."
        return [Panel("hosts", "Hosts compared", "", "during", "unknown", words, fault=fault)]


def _about(analysis: Analysis, answer: Answer) -> tuple[QuestionName, ...]:
    """Return the questions that the figures are about."""
    return tuple(dict.fromkeys((*analysis.about, *answer.about))) if answer.figures else ()


def _state(answer: Answer) -> PanelState:
    is_alarm = any(statement.kind == "alarm" for statement in answer.statements)
    if is_alarm or any(figure.is_notable for figure in answer.figures):
        return "notable"
    return "unknown" if answer.is_undecided or not answer.figures else "calm"
