"""The first lines of a report, and all of it where no signature matches: at most twelve lines.

Example:
    NVMe command timeout on nvme0, then ext4 error (3) [2 times]  dmesg.txt:12
    Alarm: kernel log, memory. Not looked at: CPU, IO, network, locks, scheduling, cgroup limits.
    First: look at nvme smart-log and error-log of nvme0, …
      ! NVMe command timeout on nvme0 (2 times): nvme nvme0: I/O 17 QID 4 timeout, aborting; …  dmesg.txt:12
      ! 45.9 of 64 GiB (71.7 %) of memory is in the slab cache kmalloc-256  slabtop.txt:8
    Next (who holds the memory): cat /proc/meminfo; slabtop -o; top -b -n 1 -o RES | head -30
    No signature explains it: 23 checked
    Read 1 file: kernel-log; --all shows everything
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from signatures.rendering import matrix_text, overview_text
from signatures.rendering.lines import Line

if TYPE_CHECKING:
    from collections.abc import Iterator

    from signatures.rendering.report import Report

COLOURS = {"match": "red", "suspect": "yellow", "statement": "yellow"}


def head_lines(report: Report, *, has_statements: bool = False) -> Iterator[Line]:
    """Yield the headline, the suspicion below it, what was assessed, and a first step that does not wait.

    Args:
        report: The report.
        has_statements: The statements follow, the one of the headline in full among them.
    """
    overview = report.overview
    said = overview_text.headline_words(overview)
    kind = overview.headline.kind
    yield Line(f"{said.text}  {said.places}".rstrip(), COLOURS.get(kind, "") if said.is_alarm else "")
    lead = overview_text.lead_words(overview)
    if lead and (overview.headline.signature or not has_statements):
        yield Line(f"  ! {lead.text}  {lead.places}", "yellow")
    if chain := overview_text.chain_words(overview):
        yield Line(f"  Chain: {chain}")
    if suspicion := overview_text.suspicion_words(overview):
        yield Line(suspicion, COLOURS["suspect"])
    if kind != "no evidence":
        yield Line(overview_text.assessed_words(overview))
    if other_hosts := overview_text.other_hosts_words(overview):
        yield Line(other_hosts)
    if overview.is_urgent and (steps := overview_text.steps_words(overview)):
        yield Line(f"First: {steps}")


def brief_lines(report: Report) -> Iterator[Line]:
    """Yield the whole report of evidence that no signature explains."""
    overview = report.overview
    yield from head_lines(report, has_statements=True)
    for said in overview_text.statements(overview):
        mark = "!" if said.is_alarm else " "
        yield Line(f"  {mark} {said.text}  {said.places}", "yellow" if said.is_alarm else "")
    if command := overview.next_capture:
        yield Line(f"{matrix_text.next_words(overview.matrix)}: {command}", is_command=True)
    if not overview.is_urgent and (steps := overview_text.steps_words(overview)):
        yield Line(steps)
    if overview.headline.kind != "no evidence":
        could_be = matrix_text.could_be_words(overview.matrix)
        yield Line(f"{overview_text.signature_words(overview)}. {could_be}".rstrip())
    yield from (Line(words, "red") for words in overview_text.rejected_words(report))
    yield Line(f"{overview_text.read_words(report)}. --all shows everything.")
