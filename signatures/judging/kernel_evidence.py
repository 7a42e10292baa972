"""Evidence about the code of the running kernel: functions it has, and changelogs of its package."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from ingest.frames import normalise
from signatures.kernels.fix_records import fix_records
from signatures.kernels.package_changelog import ROWS, ChangelogLine, PackageChangelog

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from ingest.model.reading import RowSet
    from signatures.judging.fact_index import ScopeFact
    from signatures.judging.profile_index import Trees
    from signatures.judging.scope import Item


def functions_in(items: Iterable[Item], trees: Trees) -> Iterator[str]:
    """Yield the functions that tell fixes apart and that the evidence shows."""
    wanted = {function for fix in fix_records().values() for function in fix.probe}
    for item in items:
        for fact in item.reading.facts:
            if fact.name == "feature.function" and fact.labels.get("name") in wanted:
                yield fact.labels["name"]
        for tree in trees.of(item.reading):
            yield from wanted & set(tree.names)
        for table in item.reading.tables:
            yield from wanted & {normalise(symbol.name) for symbol in table.symbols}


def changelogs_in(items: Iterable[Item]) -> Iterator[PackageChangelog]:
    """Yield the changelogs of kernel packages."""
    for item in items:
        for rows in item.reading.row_sets:
            if rows.name == ROWS:
                yield _changelog(item, rows)


def _changelog(item: Item, rows: RowSet) -> PackageChangelog:
    version, text, release = (rows.columns.index(name) for name in ("version", "text", "release"))
    lines = [
        ChangelogLine(str(row[version] or ""), str(row[text] or ""), line)
        for row, line in zip(rows.rows, rows.row_lines, strict=True)
    ]
    named = str(rows.rows[0][release] or "") if rows.rows else ""
    return PackageChangelog(
        item.captured_path or item.evidence, re.sub(r"^kernel\S*?-(?=\d)", "", named), lines
    )


LIVE_PATCH_TAINT = 1 << 15
"""Taint flag K: a live patch was applied (Documentation/admin-guide/tainted-kernels.rst)."""
MAX_TAINT = 1 << 32
_BEFORE_LIVEPATCH = re.compile(r"[23]\.")
"""Releases whose kpatch has a directory of its own, so that none in /sys/kernel/livepatch says nothing."""


def live_patched(taints: Iterable[ScopeFact], lists: Iterable[ScopeFact], release: str) -> bool | None:
    """Return whether a live patch was applied, by taint flag or an empty list of them; None when unknown.

    Args:
        taints: Values of /proc/sys/kernel/tainted.
        lists: `kernel.has_live_patch`, false where a list has none.
        release: `uname -r`, "" when unknown.
    """
    values = [
        fact.value for fact in taints if isinstance(fact.value, int | float) and 0 <= fact.value < MAX_TAINT
    ]
    if values:
        return any(int(value) & LIVE_PATCH_TAINT for value in values)
    is_old = bool(_BEFORE_LIVEPATCH.match(release))
    empty = [fact for fact in lists if not (is_old and dict(fact.labels).get("by") == "sysfs")]
    return False if empty else None
