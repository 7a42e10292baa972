"""The columns of pidstat: their names in row sets and as facts, and their keys in its JSON."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Mapping


class Quantity(NamedTuple):
    """How a printed column is named in row sets and facts; `factor` turns it into that unit."""

    column: str
    fact: str
    unit: str
    factor: float


_SHARE = 0.01
_KIB = 1024.0
_RATE = "per_second"
SETS: Mapping[str, Mapping[str, Quantity]] = {
    "pidstat": {
        "%usr": Quantity("user_share", "process.cpu.user_share", "share", _SHARE),
        "%user": Quantity("user_share", "process.cpu.user_share", "share", _SHARE),
        "%system": Quantity("system_share", "process.cpu.system_share", "share", _SHARE),
        "%wait": Quantity("wait_share", "process.cpu.wait_share", "share", _SHARE),
        "%CPU": Quantity("cpu_share", "process.cpu.total_share", "share", _SHARE),
        "CPU": Quantity("cpu", "", "", 1.0),
    },
    "pidstat_memory": {
        "minflt/s": Quantity("minor_faults_per_second", "process.minor_faults_per_second", _RATE, 1.0),
        "majflt/s": Quantity("major_faults_per_second", "process.major_faults_per_second", _RATE, 1.0),
        "VSZ": Quantity("virtual_bytes", "process.virtual.pidstat_bytes", "bytes", _KIB),
        "RSS": Quantity("resident_bytes", "process.rss.pidstat_bytes", "bytes", _KIB),
        "%MEM": Quantity("memory_share", "", "share", _SHARE),
    },
    "pidstat_disk": {
        "kB_rd/s": Quantity("read_bytes_per_second", "process.read_bytes_per_second", _RATE, _KIB),
        "kB_wr/s": Quantity("written_bytes_per_second", "process.written_bytes_per_second", _RATE, _KIB),
        "kB_ccwr/s": Quantity("cancelled_bytes_per_second", "", _RATE, _KIB),
        "iodelay": Quantity("delay_ticks", "", "count", 1.0),
    },
    "pidstat_switches": {
        "cswch/s": Quantity(
            "voluntary_switches_per_second", "process.voluntary_switches_per_second", _RATE, 1.0
        ),
        "nvcswch/s": Quantity(
            "involuntary_switches_per_second", "process.involuntary_switches_per_second", _RATE, 1.0
        ),
    },
}

IN_JSON: Mapping[str, str] = {
    "usr": "%usr",
    "system": "%system",
    "wait": "%wait",
    "cpu": "%CPU",
    "cpu_nr": "CPU",
    "MEM": "%MEM",
    "cmd": "Command",
}
"""Keys that are not the printed column."""
