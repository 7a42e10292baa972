"""One disk of smartctl's output: which one it is, and its values as facts."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from ingest.parsing.fact_reader import FactReader

SECONDS_PER_HOUR = 3600.0
_DEVICE = re.compile(r"(?<![\w/])(?:/dev/|\.?dev[._])(?P<name>[a-z][\w/+-]{1,60})")
_WHOLE = re.compile(r"^\d{1,18}")
_FAILED = {"failing_now": "now", "now": "now", "in_the_past": "past", "past": "past"}

NVME = {
    "available_spare": "available_spare_share",
    "available_spare_threshold": "available_spare_threshold_share",
    "percentage_used": "percentage_used_share",
}
"""Keys in per cent."""


def device_named(words: str) -> str:
    """Return `sda` of `smartctl -x /dev/sda` or of `smartctl_-a_.dev.sda`; "" when none is named."""
    found = _DEVICE.search(words)
    return found["name"].rpartition("/")[2] if found else ""


@dataclass(slots=True)
class Disk:
    """The disk that values belong to; its model may be printed behind its name."""

    reader: FactReader
    device: str = ""
    model: str = ""

    @property
    def labels(self) -> dict[str, str]:
        """The labels of all facts."""
        names = {"device": self.device, "model": self.model}
        return {name: value for name, value in names.items() if value}

    def passed(self, line: int, *, has_passed: bool) -> None:
        """Add the disk's own assessment."""
        self.reader.add("smart.passed", has_passed, line, labels=self.labels)

    def count(self, name: str, value: float, line: int, **labels: str) -> None:
        """Add a count."""
        self.reader.add(f"smart.{name}", value, line, "count", {**self.labels, **labels})

    def attribute(self, name: str, raw: str, failed: str, line: int) -> None:
        """Add the raw value of an attribute, and that it is or was at its threshold."""
        if number := _WHOLE.match(raw):
            self.count("attribute", float(number[0]), line, attribute=name)
        if state := _FAILED.get(failed.lower()):
            labels = {**self.labels, "attribute": name}
            self.reader.add("smart.attribute_failed", state, line, labels=labels)

    def temperature(self, celsius: float, line: int) -> None:
        """Add the temperature."""
        self.reader.add("smart.temperature_celsius", celsius, line, "celsius", self.labels)

    def powered(self, hours: float, line: int) -> None:
        """Add how long the disk was powered."""
        self.reader.add("smart.power_on_seconds", hours * SECONDS_PER_HOUR, line, "seconds", self.labels)

    def worn(self, percent: float, line: int) -> None:
        """Add the used share of the endurance of a solid-state disk with SCSI commands."""
        self.reader.add("smart.percentage_used_share", percent / 100, line, "share", self.labels)

    def nvme(self, key: str, value: float, line: int) -> None:
        """Add a value of the health log of NVMe, under the name that `nvme smart-log` gives it."""
        if key in NVME:
            self.reader.add(f"nvme.{NVME[key]}", value / 100, line, "share", self.labels)
        elif key == "temperature":
            self.reader.add("nvme.temperature_celsius", value, line, "celsius", self.labels)
        else:
            self.reader.add(f"nvme.{key}", value, line, "count", self.labels)
