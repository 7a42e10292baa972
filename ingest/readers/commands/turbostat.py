"""`turbostat`: how busy each CPU is, at which clock rate, and what the package consumes.

Example:
    Core	CPU	Avg_MHz	Busy%	Bzy_MHz	TSC_MHz	CPU%c1	CPU%c6	PkgTmp	PkgWatt
    -	-	488	12.52	3900	3498	12.50	74.98	61	38.12
    0	4	3897	99.99	3900	3498	0.01

The row with `-` is of the whole system. `Bzy_MHz` is the mean clock rate of the time that was not idle; far
below `TSC_MHz` while busy, the CPU is slowed down. Several intervals are averaged.
Source: turbostat(8) and tools/power/x86/turbostat/turbostat.c of Linux.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from ingest.model.reading import Reading
from ingest.parsing.series import Quantity, Series, share
from ingest.paste.transcript import transcript

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ingest.model.section import Text

NAME = "turbostat"
VERSION = 1
TITLE = "turbostat"
COMMAND = "turbostat --quiet --interval 5 --num_iterations 2"
EXAMPLE = (
    "Core\tCPU\tAvg_MHz\tBusy%\tBzy_MHz\tTSC_MHz\n-\t-\t488\t12.52\t3900\t3498\n0\t4\t3897\t99.99\t3900\t3498"
)

OF_CPUS = {
    "Avg_MHz": Quantity("turbostat.average_mhz", "mhz"),
    "Busy%": share("turbostat.busy_share"),
    "%Busy": share("turbostat.busy_share"),
    "Bzy_MHz": Quantity("turbostat.busy_mhz", "mhz"),
    "TSC_MHz": Quantity("turbostat.tsc_mhz", "mhz"),
    "CoreTmp": Quantity("turbostat.core_celsius", "celsius"),
    "CoreThr": Quantity("turbostat.core_throttles", "count"),
}
OF_SYSTEM = {
    **OF_CPUS,
    "IRQ": Quantity("turbostat.interrupts", "count"),
    "SMI": Quantity("turbostat.management_interrupts", "count"),
    "PkgTmp": Quantity("turbostat.package_celsius", "celsius"),
    "PkgWatt": Quantity("turbostat.package_watts", "watts"),
    "RAMWatt": Quantity("turbostat.memory_watts", "watts"),
    "PKG_%": share("turbostat.package_throttled_share"),
    "RAM_%": share("turbostat.memory_throttled_share"),
}
"""Columns of the row of the whole system: what is counted is a sum there, what is a share a mean."""

_OWN = frozenset(
    {"Avg_MHz", "Busy%", "%Busy", "Bzy_MHz", "TSC_MHz", "CPU%c1", "CPU%c6", "PkgWatt", "CorWatt"}
)
_PLACES = frozenset({"Package", "Die", "Node", "Core", "CPU", "APIC", "X2APIC", "L3"})
_VERSION = re.compile(r"^turbostat version \S")
_CELL = re.compile(r"^(?:-|-?\d{1,20}(?:\.\d{1,9})?|0x[0-9a-f]{1,16})$")
_SETUP = re.compile(
    r"^(?:cpu\d+: |CPUID\(|RAPL: |TSC: |/dev/cpu_dma_latency: |current_driver: |current_governor: "
    r"|Uncore Frequency |NSFOD |Kernel command line: |\d+ \* \d+\.\d+ = |\d+\.\d+ sec$"
    r"|cpufreq |TCC |intel-rapl)"
)
"""The configuration that is printed above the table."""

_FIRST = (
    r"\s*(?:usec|Time_Of_Day_Seconds|X2APIC|APIC|Package|Die|Node|L3|Core|CPU|Avg_MHz|Busy%|%Busy|Bzy_MHz"
    r"|TSC_MHz|IRQ|PkgWatt|CorWatt)\s+\S"
)

STARTS = (_FIRST, _VERSION.pattern)


def begins(lines: Sequence[str], at: int) -> bool:
    """Return whether the version or the head of the table is at `lines[at]`."""
    return bool(_VERSION.match(lines[at]) or _is_head(lines[at].split()))


def continues(line: str) -> bool:
    """Return whether `line` is of the configuration, a head or a row."""
    words = line.split()
    return bool(_VERSION.match(line) or _SETUP.match(line) or _is_head(words) or _is_row(words))


def _is_head(words: Sequence[str]) -> bool:
    return len(_OWN.intersection(words)) >= 2


def _is_row(words: Sequence[str]) -> bool:
    return len(words) > 1 and all(map(_CELL.match, words))


def read(text: Text) -> Reading:
    """Read the means of the system and of each CPU."""
    pasted = transcript(text)
    series = Series()
    head: list[str] = []
    for number, line, _ in pasted.lines:
        words = line.split()
        if _is_head(words):
            head = words
        elif head and _is_row(words) and len(words) <= len(head):
            _take(dict(zip(head, words, strict=False)), number, series)
        elif words and not (_VERSION.match(line) or _SETUP.match(line)):
            pasted.skips.add("not a row of turbostat", number)
    return Reading(facts=tuple(series.facts()), skipped=pasted.skips.result(), quality=tuple(pasted.quality))


def _take(cells: dict[str, str], number: int, series: Series) -> None:
    """Add a row; what only the row of the system sums up is read there alone."""
    places = [cell for column, cell in cells.items() if column in _PLACES]
    is_system = not places or set(places) == {"-"}
    labels = {} if is_system else {"cpu": cells["CPU"]} if "CPU" in cells else None
    if labels is None:
        return
    for column, quantity in (OF_SYSTEM if is_system else OF_CPUS).items():
        cell = cells.get(column, "-")
        if cell != "-" and not cell.startswith("0x"):
            series.add(quantity, float(cell), number, labels)
