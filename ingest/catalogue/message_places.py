"""Layer and part of the kernel that a source file belongs to.

part_of("drivers/nvme/host/pci.c")  ->  Part(layer="controller", name="NVMe")
driver_of("drivers/nvme/host/pci.c", "nvme")  ->  "nvme"
"""

from __future__ import annotations

from functools import cache
from typing import NamedTuple

from ingest.tables import files, table

LAYERS = (
    "hardware",
    "bus",
    "controller",
    "driver",
    "block",
    "file system",
    "network stack",
    "memory",
    "scheduling",
    "programs",
)
"""From the lowest: a loss in one explains failures in those after it."""

_WITH_DRIVERS = (
    "drivers/",
    "sound/",
    "fs/",
    "net/",
    "crypto/",
    "kernel-open/",
    "module/",
    "ubuntu/",
)
_CORE = ("net/core/", "drivers/base/")


class Part(NamedTuple):
    """A part of the kernel: one of `LAYERS`, and a name for people."""

    layer: str
    name: str


@cache
def part_of(path: str) -> Part:
    """Return the part of a source file; of an unknown folder the layer `programs` without a name."""
    found = max((prefix for prefix in _parts() if path.startswith(prefix)), key=len, default="")
    return _parts().get(found, Part("programs", ""))


def driver_of(path: str, module: str) -> str:
    """Return the driver or file system of a source file: its module, else its folder; "" for core code."""
    if not path.startswith(_WITH_DRIVERS) or path.startswith(_CORE):
        return ""
    return module or path.rsplit("/", 2)[-2]


@cache
def _parts() -> dict[str, Part]:
    rows = table(files("ingest.catalogue") / "message_places.yaml")
    return {row["path"]: Part(row["layer"], row["part"]) for row in rows}
