"""Whether the devices that two records name can be one, or lie on one path.

may_concern("nvme0", "dm-3")  ->  True       may_concern("sda", "sdb")  ->  False
is_on_one_path(loss of "0000:00:1c.0", record of "eth0")  ->  True; of "1-2" and "nvme0n1"  ->  False
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from ingest.model.reading import LogRecord

_DISK = re.compile(r"^(?P<disk>(?P<kind>nvme|mmcblk|ata|sd|vd|xvd|hd|nbd|rbd)(?:\d+|[a-z]+))")
_PCI = re.compile(r"(?:[0-9a-f]{4,8}:)?(?P<place>[0-9a-f]{2}:[0-9a-f]{2}\.[0-7])")
_USB = re.compile(r"(?P<port>\d{1,3}-\d{1,3}(?:\.\d{1,3}){0,6})(?::\d.*)?")
_DRIVER = re.compile(r"^(?P<driver>[a-z][\w-]{0,31}) [0-9a-f]{4,8}:[0-9a-f]{2}:[0-9a-f]{2}\.[0-7]: ")
_PRINTED = re.compile(
    r"^[a-z][\w-]{0,31} ([0-9a-f]{4,8}:[0-9a-f]{2}:[0-9a-f]{2}\.[0-7])(?: \S{1,32})?: "
    r"|[Rr]equest device \[([0-9a-f:.]{5,16})\]"
)
"""The device of a message whose class has no field for it: as drivers print it, and the IOMMU."""
_NUMBERS = re.compile(r"\d{1,4}:\d{1,8}")
_PORT = re.compile(r"pcieport ")
_ON_USB = frozenset({"sd", "mmcblk"})
_TWO_NAMES = frozenset({"ata", "sd"})
"""Kinds of names that one disk has at a time."""


def device_of(record: LogRecord) -> str:
    """Return the whole disk, network interface or PCI address that a record names; "" when none."""
    device = str(record.fields.get("device") or "")
    found = _DISK.match(device)
    return found["disk"] if found else device


def printed_device(message: str) -> str:
    """Return the PCI address of a message whose class has no field for it; "" when it prints none."""
    found = _PRINTED.search(message)
    return (found[1] or found[2]) if found else ""


def is_same(one: str, other: str) -> bool:
    """Return whether two names are equal, or one of them is not known."""
    return not one or not other or one == other


def may_concern(one: str, other: str) -> bool:
    """Return whether two devices can be one thing: not two disks of a kind, not two interfaces."""
    if is_same(one, other):
        return True
    disks = [_DISK.match(device) for device in (one, other)]
    if all(disks):
        return len({disk["kind"] for disk in disks if disk}) > 1
    return any(disks) or ":" in one or ":" in other or _is_stacked(one) or _is_stacked(other)


def is_on_one_path(loss: LogRecord, record: LogRecord) -> bool:
    """Return whether the loss of one device can be what the device of another record suffers from.

    The loss may be of a port, which does not name the device below it, or of the machine, which names none.
    """
    lost, other = (device_of(one) or printed_device(one.message) for one in (loss, record))
    if is_same(lost, other) or _is_stacked(other):
        return True
    pci, other_pci = _PCI.fullmatch(lost), _PCI.fullmatch(other)
    if pci and other_pci:
        return _PORT.match(loss.message) is not None or pci["place"] == other_pci["place"]
    if pci:
        return not is_of_another_driver(loss, other)
    if other_pci:
        return not (_DISK.match(lost) and record.subsystem in {"ethernet", "gpu"})
    return _is_one_disk(lost, other) or _is_one_disk(other, lost)


def is_of_another_driver(loss: LogRecord, other: str) -> bool:
    """Return whether a message on a PCI device names a driver that cannot have the disk `other`."""
    driver = _DRIVER.match(loss.message)
    if driver is None or driver["driver"] == "pcieport" or not _DISK.match(other):
        return False
    return (driver["driver"] == "nvme") != other.startswith("nvme")


def _is_one_disk(one: str, other: str) -> bool:
    """Return whether two names of different kinds can be of one disk."""
    disk, above = _DISK.match(one), _DISK.match(other)
    if usb := _USB.fullmatch(one):
        below = _USB.fullmatch(other)
        return bool(above and above["kind"] in _ON_USB) or bool(below and _is_below(usb, below))
    if disk and above:
        return {disk["kind"], above["kind"]} == _TWO_NAMES
    return bool(disk and _NUMBERS.fullmatch(other))


def _is_below(port: re.Match[str], other: re.Match[str]) -> bool:
    return other["port"].startswith(f"{port['port']}.")


def _is_stacked(device: str) -> bool:
    """Return whether a device stands on others: device mapper, RAID, bond, bridge, VLAN."""
    return device.startswith(("dm-", "md", "bond", "team", "br", "vlan", "loop", "bcache", "drbd")) or (
        "." in device and ":" not in device
    )
