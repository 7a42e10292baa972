"""`/proc/interrupts`: how often each interrupt came, CPU by CPU, since boot.

Example:
               CPU0       CPU1
     24:          1          0  IO-APIC   5-edge      ACPI:Ged
    LOC:     158209     153920   Local timer interrupts
    ERR:          0

Rows alone (of `grep eth0`) are recognised by what stands behind their counts; which column is which CPU is
then unknown.

Kept are the sum of each interrupt and, in the rows, the CPU that took most of them: one CPU that takes all
packets is a cause of its own. What CPUs send each other (`TLB`, `CAL`, `RES`) is stored per CPU: how many a
second a CPU gets is what hurts. Interrupts that never came are left out.
Source: show_interrupts in kernel/irq/proc.c and arch/x86/kernel/irq.c.
"""

from __future__ import annotations

import re
from dataclasses import replace
from itertools import takewhile
from typing import TYPE_CHECKING

from ingest.model.reading import RowSet
from ingest.parsing.fact_reader import FactReader

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ingest.model.reading import Cell, Reading
    from ingest.model.section import Text


NAME = "proc-interrupts"
VERSION = 3
TITLE = "/proc/interrupts"
EXAMPLE = (
    "           CPU0       CPU1       \n"
    " 24:          1          0  IO-APIC   5-edge      ACPI:Ged\n"
    "LOC:     158209     153920   Local timer interrupts"
)

PATHS: tuple[str, ...] = ("proc/interrupts",)
COMMANDS: tuple[str, ...] = ()
HINTS: tuple[str, ...] = ()
BEGINS_ONCE = True

COLUMNS = ("irq", "device", "total", "busiest_cpu", "busiest_share", "busiest_column", "columns")

_HEAD = re.compile(r"^\s+CPU\d+(?:\s+CPU\d+)*\s*$")
_ROW = re.compile(r"^\s*(?P<irq>[A-Z0-9]{1,4}):\s+(?P<rest>\d.*)$")
_CPU = re.compile(r"CPU(\d+)")
_CHIP = (
    r"[A-Za-z][\w:.-]{0,40}(?:\s{1,8}\d{1,10}[ -]|\s{1,8}-?|-)"
    r"(?:edge|level|fasteoi|Edge|Level|event|virq|ipi)\s+\S"
)
"""`PCI-MSI 524288-edge eth0`, `IO-APIC-fasteoi acpi`, `GICv3 27 Level arch_timer`, `xen-dyn -event eth0`."""

_BETWEEN = (
    r"(?:Non-maskable|Local timer|Spurious|Performance monitoring|IRQ work|APIC ICR|Rescheduling"
    r"|Function call|Single function call|TLB shootdowns|Thermal event|Threshold APIC|Deferred Error"
    r"|Machine check|Timer broadcast|Hypervisor callback|Hyper-V|Posted-interrupt|Nested posted|CPU stop)"
)
_COUNTS = r"(?:\s+\d{1,20}){2,}"
_BARE = re.compile(rf"^\s*(?:\d{{1,4}}:{_COUNTS}\s+{_CHIP}|(?:[A-Z]{{3}}|IPI\d):{_COUNTS}\s+{_BETWEEN}\b)")
"""A row of two CPUs or more, with the chip and the device, or with the name of an interrupt between CPUs."""

BETWEEN_CPUS = frozenset({"TLB", "CAL", "RES"})
"""TLB shootdowns, function calls and rescheduling: interrupts that CPUs send each other."""


STARTS = (_HEAD.pattern, r"\s*\d{1,4}:\s+\d+\s+\d", r"\s*(?:[A-Z]{3}|IPI\d):\s+\d+\s+\d")


def begins(lines: Sequence[str], at: int) -> bool:
    """Return whether the table starts at `lines[at]`: the row of CPUs, then an interrupt; or a row alone."""
    if _BARE.match(lines[at]):
        return True
    following = lines[at + 1] if at + 1 < len(lines) else ""
    row = _ROW.match(following)
    return bool(_HEAD.match(lines[at]) and row and (row["irq"].isdecimal() or row["irq"] in {"NMI", "LOC"}))


def continues(line: str) -> bool:
    """Return whether `line` is an interrupt or the row of CPUs."""
    return bool(_HEAD.match(line) or _ROW.match(line))


def read(text: Text) -> Reading:
    """Read one fact and one row per interrupt that came."""
    reader = FactReader(text)
    cpus: list[str] = []
    rows: list[tuple[Cell, ...]] = []
    row_lines: list[int] = []
    for line, entry in enumerate(text.lines, start=text.first_line):
        if _HEAD.match(entry):
            cpus = _CPU.findall(entry)
            continue
        found = _ROW.match(entry)
        if not found or not (cpus or _BARE.match(entry)):
            if entry.strip():
                reader.skips.add("not an interrupt", line)
            continue
        words = found["rest"].split(None, len(cpus)) if cpus else found["rest"].split()
        leading = takewhile(str.isdecimal, words[: len(cpus)] if cpus else words)
        counts = [float(word) for word in leading]
        device = " ".join(" ".join(words[len(counts) :]).split())
        total = sum(counts)
        if not total:
            continue
        labels = {"irq": found["irq"]} | ({"device": device} if device else {})
        reader.add("interrupts.total", total, line, "count", labels)
        busiest = counts.index(max(counts))
        is_per_cpu = not cpus or len(counts) == len(cpus)
        if cpus and is_per_cpu and found["irq"] in BETWEEN_CPUS:
            for cpu, count in zip(cpus, counts, strict=True):
                reader.add("interrupts.per_cpu", count, line, "count", {"irq": found["irq"], "cpu": cpu})
        share = counts[busiest] / total if is_per_cpu else None
        busiest_cpu = float(cpus[busiest]) if cpus and is_per_cpu else None
        column = float(busiest + 1) if is_per_cpu else None
        rows.append((found["irq"], device, total, busiest_cpu, share, column, float(len(counts))))
        row_lines.append(line)
    sets = (RowSet.of_rows("interrupts", COLUMNS, tuple(rows), tuple(row_lines)),) if rows else ()
    return replace(reader.result(), row_sets=sets)
