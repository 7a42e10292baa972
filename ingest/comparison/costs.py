"""What one run cost: CPU time by function, counters, and the conditions it was recorded under.

    Costs(event="cpu-clock", unit="ns", weight=2.4e9, samples=2400, functions={"user.parse_rows": …}, …)

A function is named by kind and name, `kernel.shrink_lruvec`, under which another build of a program has it
too; functions without a name by their module. Its own cost is that of the samples that end in it, its total
cost that of the samples that pass through it. Idle samples cost nothing, samples inside an interrupt count
for no function.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from ingest.comparison.foreign import ENTRIES
from ingest.export.whole import UNKNOWN
from ingest.frames.normalise import normalise
from ingest.native.views import View, first_time

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from ingest.model.facts import Fact
    from ingest.model.profile import Frame, Profile

COUNTERS = {"perf.stat.instructions_u": "instructions:u", "perf.stat.task_clock_ms": "task-clock"}
"""Facts of `perf stat` that are totals of a run, with the name of their event."""

_NS = ("cpu-clock", "task-clock")


class FunctionCost(NamedTuple):
    """Cost of one function.

    Attributes:
        line: 1-based line of the recording where it is first seen.
    """

    own: float
    total: float
    line: int


class Conditions(NamedTuple):
    """What a run was recorded under; "" and 0 where the recording does not state it.

    Attributes:
        started_at: Seconds of the first sample on the recording's clock, None without one.
        duration_seconds: From the first to the last sample.
        losses: Reasons why the recording is not whole.
    """

    host: str = ""
    kernel: str = ""
    cpu_model: str = ""
    cpus: int = 0
    frequency_hz: float = 0.0
    started_at: float | None = None
    duration_seconds: float = 0.0
    losses: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Costs:
    """What one run cost.

    Attributes:
        event: As printed, `cpu-clock:ppp`.
        unit: What `weight` counts: `ns`, the event's name, or `samples` where periods are not printed.
        weight: Of all samples that are not idle.
        samples: How many these are.
        functions: By `kind.name`.
        counters: Totals of `perf stat` by event; `task-clock` in milliseconds.
        conditions: What it was recorded under.
        foreign: Weight of the samples inside interrupts, a part of `weight`.
    """

    event: str
    unit: str
    weight: float
    samples: float
    functions: Mapping[str, FunctionCost]
    counters: Mapping[str, float]
    conditions: Conditions
    foreign: float = 0.0


class Run(NamedTuple):
    """One run.

    Attributes:
        costs: What it cost.
        work: Units of work.
        view: Its stacks without idle samples; None where they are not at hand, which leaves chains unmerged.
    """

    costs: Costs
    work: float = 1.0
    view: View | None = None


def costs(view: View, facts: Iterable[Fact], losses: Iterable[str] = ()) -> Costs:
    """Return the costs of a view without idle samples.

    Args:
        view: Of the recording.
        facts: Of all files of the run.
        losses: Why the recording is not whole.
    """
    facts = tuple(facts)
    hidden = (*view.selection.hide, ENTRIES)
    of_build = View(view.profile, replace(view.selection, hide=hidden))
    return Costs(
        event=view.profile.event,
        unit=_unit(view),
        weight=view.total_weight,
        samples=view.total_samples,
        functions=_functions(of_build),
        counters={
            COUNTERS[fact.name]: fact.value
            for fact in facts
            if fact.name in COUNTERS and isinstance(fact.value, float) and fact.value > 0
        },
        conditions=_conditions(view.profile, facts, tuple(losses)),
        foreign=max(0.0, view.total_weight - of_build.total_weight),
    )


def name_of(frame: Frame) -> str:
    """Return `kind.name` of a frame, as other builds have it too."""
    name = normalise(frame.name)
    module = f" in {frame.module}" if name == UNKNOWN and frame.module else ""
    return f"{frame.kind}.{name}{module}"


def numbered(profile: Profile) -> tuple[list[str], np.ndarray[tuple[int], np.dtype[np.int32]]]:
    """Return the distinct names of the profile's frames, and F indices into them."""
    numbers: dict[str, int] = {}
    column = [numbers.setdefault(name_of(frame), len(numbers)) for frame in profile.frames]
    return list(numbers), np.array(column, dtype=np.int32)


def _functions(view: View) -> dict[str, FunctionCost]:
    names, of_frame = numbered(view.profile)
    own, total, is_there = view.core.by_name(of_frame, len(names))
    lines = np.full(len(names), np.iinfo(np.int32).max, dtype=np.int32)
    np.minimum.at(lines, of_frame[view.profile.node_frame], view.profile.node_line)
    columns = zip(
        names,
        np.frombuffer(own, dtype="<f8").tolist(),
        np.frombuffer(total, dtype="<f8").tolist(),
        np.frombuffer(is_there, dtype=np.bool_).tolist(),
        lines.tolist(),
        strict=True,
    )
    return {name: FunctionCost(ends, passes, line) for name, ends, passes, there, line in columns if there}


def _unit(view: View) -> str:
    if view.unit == "samples":
        return "samples"
    event = view.profile.event.partition(":")[0]
    return "ns" if event in _NS or view.unit == "ns" else view.unit.removeprefix("period:")


def _conditions(profile: Profile, facts: Iterable[Fact], losses: tuple[str, ...]) -> Conditions:
    known = {fact.name: fact.value for fact in facts}
    cpus, frequency = known.get("cpu.online", 0.0), known.get("perf.samples_per_second", 0.0)
    started = first_time(profile)
    times = profile.sample_time
    ended = 0.0 if started is None or times is None else float(np.nanmax(times))
    return Conditions(
        host=str(known.get("host.name", "")),
        kernel=str(known.get("kernel.release", "")),
        cpu_model=str(known.get("cpu.model", "")),
        cpus=int(cpus) if isinstance(cpus, float) else 0,
        frequency_hz=frequency if isinstance(frequency, float) else 0.0,
        started_at=started,
        duration_seconds=0.0 if started is None else ended - started,
        losses=losses,
    )
