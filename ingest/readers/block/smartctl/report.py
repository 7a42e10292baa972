"""The text that smartctl prints, of ATA, SCSI and NVMe disks."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from ingest.native.linear import Pattern
from ingest.readers.block.smartctl.disk import Disk, device_named

if TYPE_CHECKING:
    from ingest.model.section import Text
    from ingest.parsing.fact_reader import FactReader
    from ingest.paste.transcript import Transcript

_BANNER = re.compile(r"^\s*smartctl (?:version )?\d+\.\d+ ")
_MODEL = Pattern(r"^\s*(?P<key>Device Model|Model Number|Product|Device):\s+(?P<model>\S.*?)\s*$")
_HEALTH = Pattern(
    r"^\s*SMART (?:overall-health self-assessment test result|Health Status):\s*(?P<result>[A-Z].*?)\s*$"
)
_ATTRIBUTE = Pattern(
    r"^\s*(?P<id>\d{1,3}) (?P<name>[A-Za-z][\w/.()-]*)\s+(?:0x[0-9a-f]{4}|[A-Z-]{6,7})\s+"
    r"(?:\d{3}|---)\s+(?:\d{3}|---)\s+(?:\d{3}|---)\s+(?:(?:Pre-fail|Old_age)\s+(?:Always|Offline)\s+)?"
    r"(?P<failed>-|FAILING_NOW|In_the_past|NOW|Past)\s+(?P<raw>\S.*?)\s*$"
)
_NVME = Pattern(
    r"^\s*(?P<key>[A-Z][\w. ]{3,60}?):\s+(?P<value>0x[0-9a-f]{1,4}|\d[\d,.]{0,60})(?:%| Celsius)?"
    r"(?: \[.*\])?\s*$"
)
_NVME_KEYS = {
    "Critical Warning": "critical_warning",
    "Temperature": "temperature",
    "Available Spare": "available_spare",
    "Available Spare Threshold": "available_spare_threshold",
    "Percentage Used": "percentage_used",
    "Power Cycles": "power_cycles",
    "Power On Hours": "power_on_hours",
    "Unsafe Shutdowns": "unsafe_shutdowns",
    "Media and Data Integrity Errors": "media_errors",
    "Error Information Log Entries": "num_err_log_entries",
    "Critical Comp. Temperature Time": "critical_composite_temperature_time",
    "Warning Comp. Temperature Time": "warning_temperature_time",
}
_ERRORS = re.compile(r"^\s*(?:ATA|Device) Error Count: (?P<count>\d{1,9})\b")
_GROWN = re.compile(r"^\s*Elements in grown defect list: (?P<count>\d{1,12})\s*$")
_COUNTERS = Pattern(r"^\s*(?P<operation>read|write|verify):(?:\s+[\d.,]+){6}\s+(?P<uncorrected>\d{1,15})\s*$")
_HEAT = re.compile(r"^\s*Current (?:Drive )?Temperature:\s+(?P<celsius>\d{1,3}) (?:C|Celsius)\b")
_POWERED = re.compile(
    r"^\s*(?:Accumulated power on time, hours:minutes|number of hours powered up =) ?(\d{1,8})"
)
_WORN = re.compile(r"^\s*Percentage used endurance indicator:\s+(\d{1,3})%")
_TEST = re.compile(r"^\s*# ?\d{1,2}  \S")
_TEST_FAILED = re.compile(r"\b(?:Completed: \S+(?: \S+)? failure|Failed in segment|Fatal or unknown error)")


def read(reader: FactReader, text: Text, pasted: Transcript) -> None:
    """Read every disk of the text."""
    disk = Disk(reader, device_named(text.path) or device_named(text.command))
    failed_tests, tests_line = 0, 0
    for line, entry, command in pasted.lines:
        if _BANNER.match(entry):
            _add_tests(disk, failed_tests, tests_line)
            failed_tests, tests_line = 0, 0
            disk = Disk(reader, device_named(command) or device_named(text.path))
        elif found := _MODEL.match(entry):
            disk.model = disk.model or found["model"]
        elif _TEST.match(entry):
            tests_line = tests_line or line
            failed_tests += bool(_TEST_FAILED.search(entry))
        else:
            _value(disk, entry, line)
    _add_tests(disk, failed_tests, tests_line)


def _add_tests(disk: Disk, failed: int, line: int) -> None:
    """Add how many self-tests of the log found the disk broken, when there is a log."""
    if line:
        disk.count("self_test_failures", float(failed), line)


def _value(disk: Disk, entry: str, line: int) -> None:
    """Read a line that states one value."""
    if found := _ATTRIBUTE.match(entry):
        disk.attribute(found["name"], found["raw"], found["failed"], line)
    elif found := _HEALTH.match(entry):
        result = found["result"]
        if not result.startswith("UNKNOWN"):
            disk.passed(line, has_passed=result.startswith(("PASSED", "OK")))
    elif found := _COUNTERS.match(entry):
        disk.count("uncorrected_errors", float(found["uncorrected"]), line, operation=found["operation"])
    elif found := _ERRORS.match(entry):
        disk.count("logged_errors", float(found["count"]), line)
    elif found := _GROWN.match(entry):
        disk.count("grown_defects", float(found["count"]), line)
    elif found := _HEAT.match(entry):
        disk.temperature(float(found["celsius"]), line)
    elif found := _POWERED.match(entry):
        disk.powered(float(found[1]), line)
    elif found := _WORN.match(entry):
        disk.worn(float(found[1]), line)
    elif found := _NVME.match(entry):
        key = _NVME_KEYS.get(" ".join(found["key"].split()))
        if key:
            digits = found["value"].replace(",", "")
            number = int(digits, 16) if digits.startswith("0x") else int(digits.partition(".")[0])
            disk.nvme(key, float(number), line)
