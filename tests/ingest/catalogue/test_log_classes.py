"""The classes of kernel messages are consistent, and each takes its own sample."""

from __future__ import annotations

import re

import pytest

from ingest.catalogue.log_classes import CLASSES, SEVERITIES, SUBSYSTEMS, classes_by_name
from ingest.catalogue.log_classes.fields import FIELDS
from ingest.catalogue.log_classes.taint import EARLIER_FAILURES, FOREIGN, TAINTS, letters, meanings
from ingest.model.section import Text
from ingest.native.line_classes import LineClasses
from ingest.native.linear import Pattern
from ingest.readers.logs import kernel_log
from ingest.readers.logs.kernel_log.classes import classify
from ingest.readers.logs.kernel_log.report import OOM

AREAS = {
    "storage",
    "filesystem",
    "network",
    "memory",
    "scheduling",
    "hardware",
    "virtualisation",
    "cgroup",
    "security",
    "crash",
    "driver",
}
SHARE = 40
_GROUP = re.compile(r"\(\?P<(\w+)>")


def test_there_are_more_than_a_hundred_and_twenty_classes_in_all_areas():
    assert len(CLASSES) >= 120
    assert {one.area for one in CLASSES} - {"log"} == AREAS


def test_each_name_is_unique():
    assert len(classes_by_name()) == len(CLASSES)


@pytest.mark.parametrize("one", CLASSES, ids=lambda one: one.name)
def test_the_sample_of_a_class_is_of_that_class_alone(one):
    found = classify(one.sample)
    assert found is not None
    assert found.kind == one.name


@pytest.mark.parametrize("one", CLASSES, ids=lambda one: one.name)
def test_the_sample_in_a_log_is_one_record_with_what_the_class_states(one):
    (record,) = kernel_log.read(Text([f"<3>[   12.345678] {one.sample}"])).log_records
    assert (record.kind, record.subsystem, record.severity, record.level) == (
        one.name,
        one.subsystem,
        one.severity,
        3,
    )
    assert set(record.fields) <= set(FIELDS)


def test_every_entry_is_whole():
    assert [one.name for one in CLASSES if not re.fullmatch(r"[a-z][a-z0-9_]+", one.name)] == []
    assert [one.name for one in CLASSES if not one.meaning or one.meaning.endswith(".")] == []
    assert [one.name for one in CLASSES if not one.source or "\n" in one.sample] == []
    assert {one.severity for one in CLASSES} == set(SEVERITIES)
    assert {one.subsystem for one in CLASSES} == SUBSYSTEMS.keys()


def test_causes_are_classes():
    assert [
        (one.name, name) for one in CLASSES for name in one.follows if name not in classes_by_name()
    ] == []


def test_no_class_follows_only_itself():
    assert [one.name for one in CLASSES if one.follows == (one.name,)] == []


def test_every_field_is_described():
    groups = {re.sub(r"_\d$", "", name) for one in CLASSES for name in _GROUP.findall(one.pattern)}
    assert sorted(groups - FIELDS.keys()) == []


def too_large(pattern):
    """Return whether a pattern compiles to more than a fortieth of what a joined one may take (10 MiB)."""
    unnamed = _GROUP.sub("(?:", pattern)
    try:
        Pattern(f"(?:{unnamed}){{{SHARE}}}").search("é")
    except ValueError:
        return True
    return False


def test_no_pattern_takes_much_of_the_memory_of_the_recogniser():
    assert [one.name for one in CLASSES if too_large(one.pattern)] == []


@pytest.mark.parametrize("pattern", [r"^md: (?P<what>.{1,300}) failed", r"^md: \S{1,300} failed"])
def test_a_long_counted_repetition_is_too_large(pattern):
    assert too_large(pattern)


def test_a_pattern_without_a_literal_is_refused():
    with pytest.raises(ValueError, match="no literal of 3 bytes"):
        LineClasses([r"\w+: \d+"])


def test_the_kinds_of_an_oom_report_are_classes():
    assert classes_by_name().keys() >= OOM


@pytest.mark.parametrize(
    "line",
    [
        "EXT4-fs (sda1): mounted filesystem with ordered data mode. Quota mode: none.",
        "nvme nvme0: 8/0/0 default/read/poll queues",
        "EDAC MC: Ver: 3.0.0",
        "md/raid1:md0: active with 2 out of 2 mirrors",
        "XFS (sda1): Ending clean mount",
        "audit: type=1131 audit(1700000000.123:456): pid=1 uid=0 ses=4294967295 msg='unit=cron'",
        "systemd[1]: dev-sdb.device: Job dev-sdb.device/start timed out.",
        "ERST: Error Record Serialization Table (ERST) support is initialized.",
        "mce: CPU0: Thermal monitoring enabled (TM1)",
        "0000:09:00.0: thermal throttling logging enabled, with interval 60 seconds",
        "Kernel command line: BOOT_IMAGE=/vmlinuz root=/dev/sda1 panic=10",
    ],
)
def test_an_ordinary_message_is_of_no_alarming_class(line):
    found = classify(line)
    assert found is None or not found.log_class.is_alarming


def test_taint_flags_are_decoded():
    assert letters("G      D W  OE") == "DWOE"
    assert meanings("OW") == (TAINTS["O"], TAINTS["W"])
    assert TAINTS.keys() >= EARLIER_FAILURES | FOREIGN
