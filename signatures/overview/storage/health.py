"""Storage that needs repair: degraded arrays, failed paths, worn media, read-only file systems.

md0 is degraded: 1 of 2 devices work, a rebuild is at 12.6 %
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from signatures.language.number_format import quantity_words
from signatures.overview.levels import rank
from signatures.overview.model import Answer, Figure, Statement, shortened
from signatures.overview.storage.health_collector import HealthCollector
from signatures.overview.storage.media import media_health

if TYPE_CHECKING:
    from signatures.overview.scope_evidence import FactEntry, ScopeEvidence

SHOWN = 8
CAPTURE = (
    "cat /proc/mdstat /proc/self/mountinfo; multipath -ll; nvme smart-log /dev/nvme0; smartctl -x /dev/sda"
)

DISK_FILESYSTEMS = frozenset(
    ("ext2", "ext3", "ext4", "xfs", "btrfs", "f2fs", "jfs", "reiserfs", "bcachefs", "ocfs2", "gfs2")
)

WORKING_STATES = frozenset(("running", "live", "created", "suspended", "connecting", "new", ""))
"""States of a disk that may work; a device-mapper device can be suspended. scsi_device_state_name in
drivers/scsi/scsi_sysfs.c, nvme_sysfs_show_state in drivers/nvme/host/sysfs.c."""


SYNCS = (
    ("reshape", "the reshape is"),
    ("resync", "the resync is"),
)
"""What an array does beside its work, without checks, which are routine; drivers/md/md.c status_resync."""


def storage_health(evidence: ScopeEvidence) -> Answer:
    """Return arrays, paths, media and mounts, those that need repair first."""
    found = HealthCollector()
    _arrays(evidence, found)
    _paths(evidence, found)
    media_health(evidence, found)
    _mounts(evidence, found)
    _disks(evidence, found)
    if not found.figures:
        return Answer("No data about the health of storage.", lacks=(CAPTURE,))
    statements = sorted(found.statements, key=rank)
    summary = (
        f"{statements[0].text}."
        if statements
        else "No degraded array, failed path, worn medium or stopped file system is shown."
    )
    return Answer(summary, shortened(found.figures, SHOWN), (), tuple(statements))


def _arrays(evidence: ScopeEvidence, found: HealthCollector) -> None:
    """Add arrays with fewer working devices than they want, and those that do not run."""
    active = {_key(one): one for one in evidence.facts("md.array.active_devices")}
    failed = {_key(one): one.number for one in evidence.facts("md.array.failed_members")}
    rebuilt = {_key(one): one for one in evidence.facts("md.array.recovery_share")}
    for wanted in evidence.facts("md.array.devices"):
        working = active.get(_key(wanted))
        if working is None:
            continue
        name = wanted.label("array")
        is_degraded = working.number < wanted.number
        note = f"{working.number:,.0f} of {wanted.number:,.0f} devices work"
        share = working.number / wanted.number if wanted.number else 1.0
        text = f"{name} is degraded: {note}" if is_degraded else ""
        if not text and (count := failed.get(_key(wanted))):
            text = f"{name} has failed members: {count:,.0f}"
        if is_degraded and (progress := rebuilt.get(_key(wanted))):
            text += f", a rebuild is at {quantity_words(progress.number, 'share')}"
        figure = Figure(f"{name}: working devices", share, "share", (wanted.place,), is_degraded, note)
        capture = f"mdadm --detail /dev/{name}"
        found.add(figure, text, level="degraded", capture=capture, topic="degraded array")
    for what, words in SYNCS:
        for progress in evidence.facts(f"md.array.{what}_share"):
            name = progress.label("array")
            note = f"{words} at {quantity_words(progress.number, 'share')}"
            figure = Figure(f"{name}: {what}", progress.number, "share", (progress.place,), note=note)
            found.add(figure)
            text, capture = f"{name}: {note}", f"mdadm --detail /dev/{name}; iostat -xz 1 5"
            found.statements.append(Statement("io", text, figure.places, "fact", "notable", capture))
    for state in evidence.facts("md.array.state"):
        if state.fact.value in {"inactive", "broken"}:
            name = state.label("array")
            figure = Figure(f"{name}: state", str(state.fact.value), "", (state.place,), is_notable=True)
            found.add(
                figure,
                f"The array {name} is {state.fact.value}",
                capture=f"mdadm --detail /dev/{name}",
                topic="failed array",
            )

    _working(evidence, found)


def _working(evidence: ScopeEvidence, found: HealthCollector) -> None:
    """Add that all devices of all arrays work, where nothing else is said about them."""
    wanted = evidence.facts("md.array.devices")
    if wanted and not found.statements:
        count = len({one.label("array") for one in wanted})
        text = "All devices of the array work" if count == 1 else f"All devices of {count:,} arrays work"
        found.statements.append(
            Statement("io", text, tuple(one.place for one in wanted[:3]), "fact", "context", ratio=0.0)
        )


def _paths(evidence: ScopeEvidence, found: HealthCollector) -> None:
    """Add multipath devices with failed paths."""
    failed = {_key(one): one for one in evidence.facts("multipath.failed_paths")}
    for paths in evidence.facts("multipath.paths"):
        broken = failed.get(_key(paths))
        if broken is None or not paths.number:
            continue
        name = paths.label("map")
        names = [
            one.label("device") for one in evidence.facts("multipath.failed_path") if one.label("map") == name
        ]
        places = (paths.place,)
        note = f"{broken.number:,.0f} of {paths.number:,.0f} paths failed"
        is_notable = broken.number > 0
        which = f" ({', '.join(names[:4])}{', …' if len(names) > 4 else ''})" if names else ""
        text = f"{name}: {note}{which}" if is_notable else ""
        share = broken.number / paths.number
        figure = Figure(f"{name}: failed paths", share, "share", places, is_notable, note)
        found.add(figure, text, capture="multipath -ll; dmesg", topic="lost path")


def _mounts(evidence: ScopeEvidence, found: HealthCollector) -> None:
    """Add file systems of disks that are read-only; alarming where the mount is for writing."""
    below = {_key(one): one for one in evidence.facts("mount.filesystem_is_read_only")}
    for mount in evidence.facts("mount.is_read_only"):
        if mount.label("type") not in DISK_FILESYSTEMS:
            continue
        name, kind = mount.label("mount"), mount.label("type")
        filesystem = below.get(_key(mount))
        has_turned = bool(filesystem and filesystem.fact.value is True and mount.fact.value is False)
        text = (
            f"{name} is mounted for writing, but its {kind} is read-only, as after an error"
            if has_turned
            else ""
        )
        if has_turned or mount.fact.value is True:
            note = "of the file system, not of the mount" if has_turned else "of the mount"
            figure = Figure(f"{name} ({kind})", "read-only", "", (mount.place,), has_turned, note)
            found.add(
                figure,
                text,
                capture="dmesg | grep -iE 'error|remount'",
                topic="file system errors",
            )
    for key, words in (("emergency_ro", "has stopped writes after an error"), ("shutdown", "was shut down")):
        for one in evidence.facts(f"mount.{key}"):
            name, kind = one.label("mount"), one.label("type")
            figure = Figure(f"{name} ({kind})", key, "", (one.place,), is_notable=True)
            found.add(
                figure,
                f"The {kind} at {name} {words}",
                capture="dmesg",
                topic="file system errors",
            )


def _disks(evidence: ScopeEvidence, found: HealthCollector) -> None:
    """Add disks that the kernel has taken offline."""
    for state in evidence.facts("block.state"):
        printed = str(state.fact.value)
        if printed not in WORKING_STATES:
            name = state.label("device")
            figure = Figure(f"{name}: state", printed, "", (state.place,), is_notable=True)
            found.add(figure, f"The disk {name} is {printed}", capture="dmesg", topic="lost disk")


def _key(entry: FactEntry) -> tuple[int, frozenset[tuple[str, str]], int]:
    return (id(entry.item), frozenset(entry.fact.labels.items()), entry.fact.snapshot)
