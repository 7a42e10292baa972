"""Records of several evidences of one host, each printed record once: `dmesg` and the journal print the same.

by_evidence(placed)  ->  records of `dmesg.txt`; those of `journal.txt` that it does not have
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from ingest.model.reading import Cell, LogRecord
    from signatures.overview.kernel_log.chain import Placed


def by_evidence(placed: Sequence[Placed]) -> Iterator[list[Placed]]:
    """Yield the records of each evidence; those that an earlier evidence printed too are left out.

    Of a kill that is printed whole and in part, the whole report is kept.
    """
    groups: dict[str, list[Placed]] = {}
    whole = {kill for one in placed if "reached" in one.record.fields and (kill := _kill(one.record))}
    for one in placed:
        if "reached" in one.record.fields or _kill(one.record) not in whole:
            groups.setdefault(one.item.evidence, []).append(one)
    printed: set[tuple[str, str, float | None]] = set()
    for group in groups.values():
        fresh = [one for one in group if _print(one.record) not in printed]
        printed |= {key for one in group if (key := _print(one.record))[2] is not None}
        yield fresh


def _kill(record: LogRecord) -> tuple[Cell, Cell] | None:
    """Return whom an OOM report killed: name and process id; None for other records."""
    fields = record.fields
    return (fields.get("comm"), fields["pid"]) if record.kind == "oom_kill" and "pid" in fields else None


def _print(record: LogRecord) -> tuple[str, str, float | None]:
    return (record.kind, record.message, round(record.uptime, 2) if record.uptime is not None else None)
