"""Which kernel and machine this is, whether the evidence agrees with itself, and how good it is."""

from __future__ import annotations

from typing import TYPE_CHECKING

from signatures.language.number_format import value_words
from signatures.overview.model import Answer, Figure, Place, place

if TYPE_CHECKING:
    from ingest.model.facts import FactValue
    from signatures.overview.gathered import Gathered

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


def identity(gathered: Gathered) -> Answer:
    """Return the identity card of the kernel; what stays blank is not guessed."""
    figures = []
    for label, name in CARD:
        told = gathered.facts(name)
        if not told:
            continue
        values = list(dict.fromkeys(one.fact.value for one in told))
        shown = " and ".join(_words(value) for value in values)
        differs = len(values) > 1 and name in {"kernel.release", "cgroup.version"}
        is_slow = name == "clocksource.current" and not _SLOW_CLOCKS.isdisjoint(map(str, values))
        note = "every reading of the time is slow" if is_slow else ""
        figures.append(
            Figure(label, shown, "", tuple(one.place for one in told[:3]), differs or is_slow, note)
        )
    if not figures:
        return Answer("Nothing says which kernel this is.", lacks=("uname -a; cat /etc/os-release",))
    known = {figure.label for figure in figures}
    lacks = () if "kernel" in known else ("uname -a",)
    kernel = next((figure.value for figure in figures if figure.label == "kernel"), "an unknown kernel")
    return Answer(
        f"{kernel}; {len(figures)} of {len(CARD)} lines of the card are known.", tuple(figures), lacks
    )


def _words(value: FactValue) -> str:
    if isinstance(value, bool):
        return "on" if value else "off"
    return value_words(value)


def quality(gathered: Gathered) -> Answer:
    """Say what weakens the evidence and where it contradicts itself: hosts, boots, kernels."""
    figures: list[Figure] = []
    seen: dict[str, tuple[str, list[Place]]] = {}
    for item in gathered.items:
        for remark in item.reading.quality:
            detail, places = seen.setdefault(remark.name, (remark.detail, []))
            places.append(place(item, remark.line))
    for name, (detail, places) in list(seen.items())[:MAX_REMARKS]:
        words = name.replace("_", " ")
        figures.append(Figure(words, float(len(places)), "count", tuple(places[:3]), name in _GRAVE, detail))
    for label, name in (("hosts", "host.name"), ("boots", "host.boot_id"), ("kernels", "kernel.release")):
        told = gathered.facts(name)
        values = {str(one.fact.value) for one in told}
        if len(values) > 1:
            note = f"mixed: {', '.join(sorted(values))}; what is said of one may not hold for the other"
            figures.append(
                Figure(
                    f"different {label}",
                    float(len(values)),
                    "count",
                    tuple(one.place for one in told[:3]),
                    True,
                    note,
                )
            )
    if not gathered.items:
        return Answer("There is no evidence.")
    if not figures:
        first = gathered.items[0]
        fine = Figure("remarks", 0.0, "count", (place(first, first.first_line, first.last_line),))
        return Answer("Nothing weakens the evidence.", (fine,))
    said = "One thing is" if len(figures) == 1 else f"{len(figures)} things are"
    return Answer(f"{said} to keep in mind about this evidence.", tuple(figures))
