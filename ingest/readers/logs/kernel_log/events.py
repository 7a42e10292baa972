"""Records that print one event more than once: they get the same `event`, and what all of its lines say.

    NVRM: The NVIDIA GPU 0000:b3:00.0       NVRM: fallen off the bus and is not responding to commands.
    e1000e …: Detected Hardware Unit Hang:  … time_stamp <100227358>    every two seconds while one hang lasts
    sd …: [sda] FAILED Result: …            sd …: [sda] Sense Key : Aborted Command [current]
    ata4.00: failed command: READ DMA       ata4.00: cmd c8/00:08:8f:01:3c/00:00:00:00:00/e1 tag 0 dma 4096 in

Source: e1000_print_hw_hang in drivers/net/ethernet/intel/e1000e/netdev.c: time_stamp is that of the packet
that hangs; scsi_print_result and scsi_log_print_sense in drivers/scsi/scsi_logging.c; ata_eh_link_report in
drivers/ata/libata-eh.c.
"""

from __future__ import annotations

import re
from itertools import islice
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ingest.model.reading import LogRecord

NIC_HANG = "nic_hang"
SCSI = frozenset({"scsi_command_failed", "scsi_transport_failed"})
ATA = "ata_command_failed"
GPU = "gpu_lost"
GPU_LINES = 2
"""Lines above `fallen off the bus` that are of the same message."""

NEAR = 16
"""Records in which the lines of one event stand; lines of other CPUs may lie between them."""

_ADDRESS = re.compile(r"\b[0-9a-f]{4,8}:[0-9a-f]{2}:[0-9a-f]{2}(?:\.[0-7])?\b")
_FAILED = re.compile(r": failed command: ")
_HANG = re.compile(r"Detected (?:Hardware|Tx) Unit Hang")
_PACKET = re.compile(r"\s*time_stamp\s+<(?P<stamp>[0-9a-f]+)>")
_COMMAND = re.compile(r"s[dr] \S+: (?:\[\w+\] )?(?:tag#\d+ )?")
_RESULT = re.compile(r"(?:FAILED |UNKNOWN\(0x\w+\) )?Result: ")
_SENSE_KEY = re.compile(r"Sense Key : (?P<key>[A-Z][\w /-]{0,40}|0x[0-9a-f]\b)")
_NAMES_OF_KEYS = {
    "0x2": "Not Ready",
    "0x3": "Medium Error",
    "0x4": "Hardware Error",
    "0x5": "Illegal Request",
    "0x7": "Data Protect",
    "0xb": "Aborted Command",
}
"""As a kernel without CONFIG_SCSI_CONSTANTS prints them; the numbers are of include/scsi/scsi_proto.h."""

_ADDITIONAL = re.compile(r"Add\. Sense: (?P<text>.*)")


def with_events(records: Sequence[LogRecord]) -> tuple[LogRecord, ...]:
    """Return the records in their order, with the fields `event` and `sense` where they apply."""
    found = list(records)
    for at, record in enumerate(records):
        if record.kind == NIC_HANG and _HANG.search(record.message):
            if stamp := _stamp(records, at):
                found[at] = _with(found[at], event=stamp)
        elif record.kind == ATA and _FAILED.search(record.message):
            _join_command(found, at)
        elif record.kind == GPU and "device" not in record.fields:
            if device := _gpu(records, at):
                found[at] = _with(found[at], device=device)
        elif record.kind in SCSI and (command := _command(record)) and _is_result(record, command):
            _join(found, at, command)
    return tuple(found)


def _stamp(records: Sequence[LogRecord], at: int) -> str:
    """Return when the packet that hangs was queued, as the dump below a hang says; "" where it is cut off."""
    for one in islice(records, at + 1, at + NEAR):
        if one.kind == NIC_HANG:
            break
        if packet := _PACKET.match(one.message):
            return packet["stamp"]
    return ""


def _gpu(records: Sequence[LogRecord], at: int) -> str:
    """Return the PCI address of a card that is lost: of its line, or of those above that it continues."""
    for one in (records[at], *reversed(records[max(0, at - GPU_LINES) : at])):
        if not one.message.startswith("NVRM:"):
            break
        if address := _ADDRESS.search(one.message):
            return address[0]
    return ""


def _join_command(found: list[LogRecord], at: int) -> None:
    """Give the name of a failed ATA command and the registers below it one event."""
    event = str(found[at].lines.first)
    found[at] = _with(found[at], event=event)
    for below in range(at + 1, min(at + NEAR, len(found))):
        one = found[below]
        if one.kind == ATA and one.fields.get("device") == found[at].fields.get("device"):
            if not _FAILED.search(one.message):
                found[below] = _with(one, event=event)
            return


def _command(record: LogRecord) -> str:
    """Return the device and the tag, with which all lines of a SCSI command begin."""
    command = _COMMAND.match(record.message)
    return command[0] if command else ""


def _is_result(record: LogRecord, command: str) -> bool:
    return _RESULT.match(record.message, len(command)) is not None


def _join(found: list[LogRecord], at: int, command: str) -> None:
    """Give all lines of one failed command its event, and its first line what the sense data say."""
    event = str(found[at].lines.first)
    key = additional = ""
    for below in range(at + 1, min(at + NEAR, len(found))):
        one = found[below]
        if _command(one) != command:
            continue
        if _is_result(one, command):
            break
        printed = _text(_SENSE_KEY.match(one.message, len(command)))
        key = key or _NAMES_OF_KEYS.get(printed, printed)
        additional = additional or _text(_ADDITIONAL.match(one.message, len(command)))
        if one.kind in SCSI:
            found[below] = _with(one, event=event)
    sense = ": ".join(filter(None, (key, additional)))
    found[at] = _with(found[at], event=event, sense=sense) if sense else _with(found[at], event=event)


def _text(match: re.Match[str] | None) -> str:
    return match[1].strip() if match else ""


def _with(record: LogRecord, **fields: str) -> LogRecord:
    return record._replace(fields={**record.fields, **fields})
