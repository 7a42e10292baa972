"""Why the counters of resident memory may be wrong, by the kernel's release and the number of CPUs.

cause_of_gap(evidence, 270 MiB)  ->  "; its per-CPU counters on 16 CPUs can be off by 6 MiB: they are not …"

Per-CPU counters came with f1a7941243c1: a read leaves out up to max(32, 2 × CPUs) pages of each CPU, for each
of three counters, and less than 0 reads as 0 (lib/percpu_counter.c, percpu_counter_read_positive). The record
of the fix (`signatures.kernels.fixes`) says which kernels have them, and which add them up.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from signatures.kernels.fix_records import fix_records
from signatures.kernels.fix_status import (
    AFFECTED,
    FIXED,
    NOT_AFFECTED,
    PROBABLY,
    PROBABLY_NOT,
    UNKNOWN,
    UNLESS_BACKPORTED,
    fix_status,
)
from signatures.language.kernel_families import kernel_of
from signatures.language.number_format import cpu_words, value_words
from signatures.overview.thresholds import thresholds_of

if TYPE_CHECKING:
    from signatures.overview.scope_evidence import ScopeEvidence

RECORD = "rss-status-exact"
LIMITS = thresholds_of("rss_causes")
SINCE = "Linux from 6.2 on reads it from per-CPU counters"
WITHOUT = {NOT_AFFECTED: "has", PROBABLY_NOT: "likely has"}
LIKELY = frozenset({AFFECTED, PROBABLY, UNLESS_BACKPORTED})


def cause_of_gap(evidence: ScopeEvidence, gap: float) -> str:
    """Return the end of a sentence about a size that is `gap` bytes off: what may explain it."""
    status = _status(evidence)
    if status in WITHOUT:
        return f"; this kernel {WITHOUT[status]} no per-CPU counters of it, which may be off"
    if status not in LIKELY:
        return "" if status == FIXED else f"; {SINCE}, which may be off"
    if not evidence.cpus:
        return "; its per-CPU counters may be off, the more the more CPUs there are"
    bound = LIMITS["counters"] * evidence.cpus * max(LIMITS["batch"], 2.0 * evidence.cpus) * _page(evidence)
    off = f"on {cpu_words(evidence.cpus)} can be off by {value_words(bound, 'bytes')}"
    if gap <= bound:
        return f"; likely the cause are its per-CPU counters, which {off}"
    return f"; its per-CPU counters {off}: they are not the cause"


def cause_of_zero(evidence: ScopeEvidence) -> str:
    """Return the end of a sentence about a size of 0; "" where no cause is known."""
    status = _status(evidence)
    if status in LIKELY:
        return "; likely its per-CPU counters add up to less than 0, which reads as 0"
    return "" if status in {FIXED, *WITHOUT} else f"; {SINCE}, where less than 0 reads as 0"


def _status(evidence: ScopeEvidence) -> str:
    """Return the status of the fix on the only kernel; unknown for none or several."""
    releases = {str(entry.fact.value) for entry in evidence.facts("kernel.release")}
    kernel = kernel_of(releases.pop()) if len(releases) == 1 else None
    return fix_status(fix_records()[RECORD], kernel).status if kernel else UNKNOWN


def _page(evidence: ScopeEvidence) -> float:
    known = evidence.highest("page_size_bytes")
    return known.number if known and known.number else LIMITS["page"]
