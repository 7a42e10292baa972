"""Whether recordings of two phases compare: the class of machine, the programs, and their rate of work.

A finding that is gone proves a fix only where the machine did the same work. What the evidence does not show
is not compared, and said. Kernel threads and the recorder are no workload: a fix changes what they do.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from signatures.language.number_format import value_words
from signatures.overview.scope_evidence import MIN_SAMPLES
from signatures.overview.stacks import Stacks

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ingest.model.profile import Profile
    from signatures.judging.scope import Item

MACHINE = (
    ("cpu.online", "CPUs"),
    ("cpu.architecture", "architecture"),
    ("cpu.model", "CPU model"),
    ("host.hypervisor", "hypervisor"),
)
MIN_OVERLAP = 0.5
"""Least share of the work that programs of the same names do in both."""
MAX_RATE = 4.0
"""Largest ratio of the rates of work."""
_KERNEL_THREAD = re.compile(
    r"^(?:kworker|ksoftirqd|kswapd|swapper|migration|rcu_|jbd2|kcompactd|khugepaged|idle)|^(?:perf|bpftrace)$"
)


class Comparison(NamedTuple):
    """What two phases have in common.

    Attributes:
        differences: Reasons why they do not compare; () when nothing speaks against it.
        unknown: What could not be compared.
    """

    differences: tuple[str, ...]
    unknown: tuple[str, ...]

    @property
    def words(self) -> str:
        """One sentence, "" when everything was compared and is alike."""
        if self.differences:
            return f"the recordings do not compare: {'; '.join(self.differences)}"
        return f"not compared: {', '.join(self.unknown)}" if self.unknown else ""


class _Work(NamedTuple):
    """Work of the programs of one phase: weight by program, and weight a second by event."""

    by_program: dict[str, float]
    rates: dict[str, float]


def comparison(before: Sequence[Item], after: Sequence[Item]) -> Comparison:
    """Compare the machine and the workload of two phases of one host."""
    differences = list(_machine(before, after))
    unknown = [] if _stated(before, "cpu.online") and _stated(after, "cpu.online") else ["the machine"]
    works = [_work(items) for items in (before, after)]
    if not all(work.by_program for work in works):
        return Comparison(tuple(differences), (*unknown, "the programs that ran", "the rate of work"))
    shares = [_shares(work) for work in works]
    overlap = sum(min(share, shares[1].get(name, 0.0)) for name, share in shares[0].items())
    if overlap < MIN_OVERLAP:
        differences.append(
            f"other programs ran ({_programs(shares[0])} before, {_programs(shares[1])} after)"
        )
    events = [name for name in works[0].rates if works[1].rates.get(name)]
    if not events:
        unknown.append("the rate of work")
    for name in events[:1]:
        ratio = works[1].rates[name] / works[0].rates[name]
        if not 1 / MAX_RATE <= ratio <= MAX_RATE:
            less = (
                f"{value_words(1 / ratio, '')} times less"
                if ratio < 1
                else f"{value_words(ratio, '')} times more"
            )
            differences.append(f"the programs did {less} work a second after ({name} in user mode)")
    return Comparison(tuple(differences), tuple(unknown))


def _stated(items: Sequence[Item], name: str) -> set[str]:
    values = (fact.value for item in items for fact in item.reading.facts if fact.name == name)
    return {str(value) if isinstance(value, str | bool) else value_words(value) for value in values}


def _machine(before: Sequence[Item], after: Sequence[Item]) -> list[str]:
    found = []
    for name, title in MACHINE:
        first, second = _stated(before, name), _stated(after, name)
        if first and second and not first & second:
            then, now = (", ".join(sorted(values)) for values in (first, second))
            found.append(f"another machine: {title} {then} before, {now} after")
    return found


def _work(items: Sequence[Item]) -> _Work:
    by_program: dict[str, float] = {}
    rates: dict[str, float] = {}
    for item in items:
        for profile in item.reading.profiles:
            if profile.what != "cpu" or not profile.has_weights or profile.sample_count.sum() < MIN_SAMPLES:
                continue
            user = _user_weight(Stacks(profile, item))
            is_work = np.array([not _KERNEL_THREAD.search(thread.comm) for thread in profile.threads])
            is_named = np.array([bool(thread.comm) for thread in profile.threads])
            by_thread = np.bincount(profile.sample_thread, weights=user, minlength=len(profile.threads))
            whole = float(by_thread[is_work & is_named].sum())
            if whole <= 0:
                continue
            for thread, weight in zip(profile.threads, by_thread.tolist(), strict=True):
                if weight and thread.comm and not _KERNEL_THREAD.search(thread.comm):
                    by_program[thread.comm] = by_program.get(thread.comm, 0.0) + weight / whole
            if seconds := _seconds(profile):
                rates.setdefault(profile.event, whole / seconds)
    return _Work(by_program, rates)


def _user_weight(stacks: Stacks) -> np.ndarray[tuple[int], np.dtype[np.float64]]:
    """S: weight of samples in user mode; where there are few, of all busy samples."""
    profile = stacks.profile
    has = profile.sample_node >= 0
    if not len(profile.node_frame):
        return stacks.weight
    leaf = profile.node_frame[np.maximum(profile.sample_node, 0)]
    is_user = has & ~stacks.is_kernel[leaf]
    if float(profile.sample_count[is_user].sum()) >= MIN_SAMPLES:
        return np.where(is_user, stacks.weight, 0.0)
    return np.where(has & ~stacks.idle[leaf], stacks.weight, 0.0)


def _seconds(profile: Profile) -> float:
    """Return the span of a recording whose weights are periods, 0 where a rate would mean nothing."""
    times = profile.sample_time
    if times is None or not profile.unit.startswith("period") or len(times) < MIN_SAMPLES:
        return 0.0
    return float(times.max() - times.min())


def _shares(work: _Work) -> dict[str, float]:
    whole = sum(work.by_program.values())
    return {name: weight / whole for name, weight in work.by_program.items()}


def _programs(shares: dict[str, float]) -> str:
    heaviest = sorted(shares, key=lambda name: -shares[name])[:2]
    return " and ".join(f"{name} {value_words(shares[name], 'share')}" for name in heaviest)
