"""The page BACKUP.md."""

from __future__ import annotations

import os
import platform
from typing import Any

STEPS = {
    "backup": "backup, with pastes arriving",
    "second": "second backup into the same directory",
    "checked": "`scrub --backup`",
    "restore": "restore into an empty instance, compared row by row",
    "scrub": "`scrub` of the restored instance",
}


def page(found: dict[str, Any], load_average: float) -> str:
    """Return the page for the figures of a run."""
    backup, load = found["manifest"], found["load"]
    machine = (
        f"{os.cpu_count()} CPUs, Linux {platform.release()}, load average {load_average:.1f} at the start"
    )
    what = f"{backup['cases']:,} cases, {backup['rows']:,} rows, {backup['object_count']:,} objects"
    lines = [
        "# Backup and restore",
        "",
        f"Printed by `make bench-backup`: {machine}. An embedded instance is backed up twice",
        f"while two clients paste, and the second backup restored: {what}",
        f"of {backup['object_bytes'] / 1e6:,.0f} MB; the backup has {found['bytes'] / 1e6:,.0f} MB.",
        "",
        "| step | time | CPU time of the command |",
        "| --- | ---: | ---: |",
    ]
    lines += [
        f"| {title} | {found[name][0]:.1f} s | {found[name][1]:.1f} s |" for name, title in STEPS.items()
    ]
    quiet, busy = 1000 * load["quiet"], 1000 * load["busy"]
    lines += [
        "",
        f"{load['pastes']:,} pastes were acknowledged, {load['failed']} failed; the median took",
        f"{quiet:.0f} ms before the first backup and {busy:.0f} ms during it.",
        f"Of {load['before']} pastes from before the second backup,",
        f"{load['early_lost']} are missing after the restore.",
        "",
        "| | at the snapshot | restored | |",
        "| --- | --- | --- | --- |",
    ]
    for name, value in found["source"].items():
        restored = found["target"][name]
        same = "equal" if str(value) == str(restored) else "**differs**"
        lines.append(f"| {name} | {_short(value)} | {_short(restored)} | {same} |")
    entries = found["restored"]["audit_entries"]
    lines += [
        "",
        "`restore` compared every table by SHA-256, and verified all",
        f"{entries:,} entries of the audit log; the entry that it adds is not counted above.",
    ]
    return "\n".join(lines) + "\n"


def _short(value: object) -> str:
    text = f"{value:,}" if isinstance(value, int) else str(value)
    return text if len(text) < 30 else f"`{text[:24]}…`"
