"""Kernel and machine of the evidence, its quality, and contradictions inside it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from signatures.language.number_format import value_words
from signatures.overview.model import Answer, Figure, Place, place

if TYPE_CHECKING:
    from ingest.model.facts import FactValue
    from signatures.overview.scope_evidence import ScopeEvidence

CARD = (
    ("kernel", "kernel.release"),
    ("build", "kernel.build_text"),
    ("distribution", "os.pretty_name"),
    ("CPUs", "cpu.online"),
    ("NUMA nodes", "numa.nodes"),
    ("architecture", "cpu.architecture"),
    ("CPU model", "cpu.model"),
    ("hypervisor", "host.hypervisor"),
    ("cgroups", "cgroup.version"),
    ("multi-generational LRU", "mm.lru_gen.enabled"),
    ("transparent huge pages", "mm.thp.enabled"),
    ("clock source", "clocksource.current"),
    ("page size", "page_size_bytes"),
    ("booted with", "boot.cmdline"),
)
_SLOW_CLOCKS = frozenset(("hpet", "acpi_pm", "jiffies"))
_GRAVE = frozenset(("lost_events", "user_only", "mixed_hosts", "mixed_boots"))
MAX_REMARKS = 12


def identity(evidence: ScopeEvidence) -> Answer:
    """Return kernel, build, distribution and hardware; missing values are not guessed."""
    figures = []
    for label, name in CARD:
        entries = evidence.facts(name)
        if not entries:
            continue
        values = list(dict.fromkeys(one.fact.value for one in entries))
        shown = " and ".join(_words(value) for value in values)
        differs = len(values) > 1 and name in {"kernel.release", "cgroup.version"}
        is_slow = name == "clocksource.current" and not _SLOW_CLOCKS.isdisjoint(map(str, values))
        note = "slow clock source: every clock read is expensive" if is_slow else ""
        figures.append(
            Figure(label, shown, "", tuple(one.place for one in entries[:3]), differs or is_slow, note)
        )
    if not figures:
        return Answer("Kernel unknown.", lacks=("uname -a; cat /etc/os-release",))
    labels = {figure.label for figure in figures}
    lacks = () if "kernel" in labels else ("uname -a",)
    kernel = next((figure.value for figure in figures if figure.label == "kernel"), "Unknown kernel")
    return Answer(f"{kernel}; {len(figures)} of {len(CARD)} properties known.", tuple(figures), lacks)


def _words(value: FactValue) -> str:
    if isinstance(value, bool):
        return "on" if value else "off"
    return value_words(value)


def quality(evidence: ScopeEvidence) -> Answer:
    """Return the quality remarks of the evidence and its contradictions: hosts, boots, kernels."""
    figures: list[Figure] = []
    remarks: dict[str, tuple[str, list[Place]]] = {}
    for item in evidence.items:
        for remark in item.reading.quality:
            detail, places = remarks.setdefault(remark.name, (remark.detail, []))
            places.append(place(item, remark.line))
    for name, (detail, places) in list(remarks.items())[:MAX_REMARKS]:
        words = name.replace("_", " ")
        figures.append(Figure(words, float(len(places)), "count", tuple(places[:3]), name in _GRAVE, detail))
    for label, name in (("hosts", "host.name"), ("boots", "host.boot_id"), ("kernels", "kernel.release")):
        entries = evidence.facts(name)
        values = {str(one.fact.value) for one in entries}
        if len(values) > 1:
            note = f"mixed evidence: {', '.join(sorted(values))}; conclusions may apply to one only"
            figures.append(
                Figure(
                    f"different {label}",
                    float(len(values)),
                    "count",
                    tuple(one.place for one in entries[:3]),
                    True,
                    note,
                )
            )
    if not evidence.items:
        return Answer("No evidence.")
    if not figures:
        first = evidence.items[0]
        fine = Figure("remarks", 0.0, "count", (place(first, first.first_line, first.last_line),))
        return Answer("No quality problems.", (fine,))
    problems = "1 quality problem" if len(figures) == 1 else f"{len(figures)} quality problems"
    return Answer(f"{problems} in the evidence.", tuple(figures), is_undecided=True)
