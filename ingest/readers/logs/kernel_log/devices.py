"""Devices that a message names, by their form: a PCI address, a disk, a port, an interface.

devices_in("nvme nvme0: I/O 12 QID 5 timeout")  ->  ("nvme0",)
devices_in("res 50/00:58:58:89:03/00:00:05:00:00/40")  ->  (), registers of ATA; no `host:channel:target:lun`
devices_in("e1000e 0000:00:19.0 eno1: Detected Hardware Unit Hang")  ->  ("0000:00:19.0", "eno1")
"""

from __future__ import annotations

from ingest.native.linear import Pattern

MOST = 4

_NAMES = Pattern(
    r"\b[0-9a-f]{4}:[0-9a-f]{2}:[0-9a-f]{2}\.[0-7]\b|\bnvme\d+(?:n\d+(?:p\d+)?)?\b"
    r"|\b[shv]d[a-z]{1,2}\d*\b|\bxvd[a-z]\d*\b"
    r"|\bata\d+(?:\.\d+)?\b|\busb \d+-[\d.]+|\b(?:0|[1-9]\d*)(?::(?:0|[1-9]\d*)){3}\b"
    r"|\b(?:dm-|md|loop|zram|mmc|nbd|rbd|s[rtg])\d+\b"
    r"|\bmmcblk\d+(?:p\d+)?\b|\b(?:eth|wlan|ib|bond|br|team|tun|tap|wwan|usb|can)\d+\b"
    r"|\b(?:en|wl|ww|ib)(?:[opsbx][0-9a-f]+)+(?:[a-z]\d+)*\b"
    r"|\bveth[0-9a-f]{4,8}\b|\bhost\d+\b|\bi2c-\d+\b|\btty[A-Z]+\d+\b|\brenderD\d+\b|\bmlx\d_\d+\b"
)


def devices_in(message: str) -> tuple[str, ...]:
    """Return the devices that a message names, the first few, in their order."""
    return tuple(dict.fromkeys(found[0] for found in _NAMES.finditer(message)))[:MOST]


def without_devices(message: str) -> str:
    """Return a message without the devices that it names."""
    parts, at = [], 0
    for found in _NAMES.finditer(message):
        parts.append(message[at : found.start()])
        at = found.end()
    return "".join((*parts, message[at:]))
