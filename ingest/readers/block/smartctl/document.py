"""The JSON that `smartctl -j` prints; every value cites the line of its key."""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING, Any

from ingest.model.errors import MalformedInputError
from ingest.parsing.documents import mapping, number, objects
from ingest.readers.block.smartctl.disk import Disk, device_named

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from ingest.parsing.fact_reader import FactReader

_QUOTED = re.compile(r'"([^"]{1,80})"')
_NVME_LOG = "nvme_smart_health_information_log"
_NVME_KEYS = {
    "critical_warning": "critical_warning",
    "temperature": "temperature",
    "available_spare": "available_spare",
    "available_spare_threshold": "available_spare_threshold",
    "percentage_used": "percentage_used",
    "power_cycles": "power_cycles",
    "power_on_hours": "power_on_hours",
    "unsafe_shutdowns": "unsafe_shutdowns",
    "media_errors": "media_errors",
    "num_err_log_entries": "num_err_log_entries",
    "warning_temp_time": "warning_temperature_time",
    "critical_comp_time": "critical_composite_temperature_time",
}


def read(reader: FactReader, lines: Sequence[str], first_line: int) -> None:
    """Read every document of the lines.

    Raises:
        MalformedInputError: The JSON is cut off or broken.
    """
    whole = "\n".join(lines)
    decoder = json.JSONDecoder()
    start, line = whole.find("{"), first_line
    done = 0
    while start >= 0:
        line += whole.count("\n", done, start)
        try:
            document, end = decoder.raw_decode(whole, start)
        except (ValueError, RecursionError) as error:
            raise MalformedInputError(f"this is no whole JSON of smartctl: {error}", line=line) from None
        _document(reader, mapping(document), _Lines(whole[start:end], line))
        done = start
        start = whole.find("{", end)


class _Lines:
    """Where the texts of one document stand."""

    def __init__(self, document: str, first: int) -> None:
        self._first = first
        self._by_words: dict[str, int] = {}
        for line, entry in enumerate(document.split("\n"), start=first):
            for words in _QUOTED.findall(entry):
                self._by_words.setdefault(words, line)

    def of(self, words: str) -> int:
        """Return the first line that has `words` in quotes, that of the document when none does."""
        return self._by_words.get(words, self._first)


def _document(reader: FactReader, document: Mapping[str, Any], at: _Lines) -> None:
    """Read the document of one disk."""
    device = mapping(document.get("device"))
    name = document.get("model_name") or document.get("product") or ""
    disk = Disk(reader, device_named(str(device.get("name", ""))), str(name))
    passed = mapping(document.get("smart_status")).get("passed")
    if isinstance(passed, bool):
        disk.passed(at.of("smart_status"), has_passed=passed)
    for row in objects(mapping(document.get("ata_smart_attributes")).get("table")):
        label = str(row.get("name", ""))
        raw = mapping(row.get("raw")).get("string", "")
        disk.attribute(label, str(raw), str(row.get("when_failed", "")), at.of(label))
    log = mapping(document.get(_NVME_LOG))
    for key, name_in_facts in _NVME_KEYS.items():
        if key in log:
            disk.nvme(name_in_facts, number(log[key]), at.of(key))
    if not log:
        _common(disk, document, at)
    _errors(disk, document, at)


def _common(disk: Disk, document: Mapping[str, Any], at: _Lines) -> None:
    """Read temperature, time and wear, which the log of NVMe has itself."""
    current = mapping(document.get("temperature")).get("current")
    if current is not None:
        disk.temperature(number(current), at.of("temperature"))
    hours = mapping(document.get("power_on_time")).get("hours")
    if hours is not None:
        disk.powered(number(hours), at.of("power_on_time"))
    used = document.get("scsi_percentage_used_endurance_indicator")
    if used is not None:
        disk.worn(number(used), at.of("scsi_percentage_used_endurance_indicator"))


def _errors(disk: Disk, document: Mapping[str, Any], at: _Lines) -> None:
    """Read counters of errors, grown defects and the outcome of self-tests."""
    if "scsi_grown_defect_list" in document:
        disk.count(
            "grown_defects", number(document["scsi_grown_defect_list"]), at.of("scsi_grown_defect_list")
        )
    for operation, counters in mapping(document.get("scsi_error_counter_log")).items():
        uncorrected = mapping(counters).get("total_uncorrected_errors")
        if uncorrected is not None:
            line = at.of(operation)
            disk.count("uncorrected_errors", number(uncorrected), line, operation=operation)
    log = mapping(document.get("ata_smart_error_log"))
    summary = mapping(log.get("extended") or log.get("summary"))
    if "count" in summary:
        disk.count("logged_errors", number(summary["count"]), at.of("ata_smart_error_log"))
    tests = mapping(document.get("ata_smart_self_test_log"))
    shown = mapping(tests.get("extended") or tests.get("standard"))
    if "table" in shown:
        failed = sum(mapping(row.get("status")).get("passed") is False for row in objects(shown["table"]))
        disk.count("self_test_failures", float(failed), at.of("ata_smart_self_test_log"))
