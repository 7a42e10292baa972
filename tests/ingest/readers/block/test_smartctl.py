"""What `smartctl` and `nvme` print of disks, as text and as JSON."""

from __future__ import annotations

import pytest

from ingest.model.errors import MalformedInputError
from ingest.model.section import Text
from ingest.readers.block import nvme_list, nvme_smart_log, smartctl
from tests.ingest.samples import DATA, values, whole

NVME_TEXT = """\
smartctl 7.1 2019-12-30 r5022 [x86_64-linux-5.4.241] (local build)

=== START OF SMART DATA SECTION ===
SMART overall-health self-assessment test result: FAILED!
- available spare has fallen below threshold

SMART/Health Information (NVMe Log 0x02)
Critical Warning:                   0x01
Temperature:                        44 Celsius
Available Spare:                    8%
Available Spare Threshold:          10%
Percentage Used:                    0%
Data Units Read:                    8,655,791 [4.43 TB]
Power On Hours:                     3,387
Media and Data Integrity Errors:    12
"""

# As -x prints attributes and self-tests of ATA disks, and what SCSI disks count.
BRIEF = """\
ID# ATTRIBUTE_NAME          FLAGS    VALUE WORST THRESH FAIL RAW_VALUE
  5 Reallocated_Sector_Ct   PO--CK   001   001   005    NOW  1975
190 Airflow_Temperature_Cel -O---K   059   040   045    Past 41 (Min/Max 21/60)
# 1  Short offline       Completed: read failure       90%     65590         5218312
# 2  Short offline       Completed without error       00%     60000         -
"""
SCSI = """\
SMART Health Status: FIRMWARE IMPENDING FAILURE TOO MANY BLOCK REASSIGNS [asc=5d, ascq=64]
Current Drive Temperature:     34 C
Elements in grown defect list: 4
           fast | delayed   rewrites  corrected  invocations   [10^9 bytes]  errors
read:          0      572         0     22548         77          4.725        5580
write:         0        0         0     19548        196         17.344           0
"""

KELVINS = """\
{
  "critical_warning" : 4,
  "temperature" : 301,
  "avail_spare" : 100,
  "spare_thresh" : 5,
  "percent_used" : 15,
  "media_errors" : 3
}
"""


def read(reader, text, command="", path=""):
    return reader.read(Text(lines=text.splitlines(), command=command, path=path))


def test_text_and_json_of_a_controller_have_the_facts_of_nvme_smart_log():
    of_text = values(read(smartctl, NVME_TEXT, "smartctl -a /dev/nvme1n1"), device="nvme1n1")
    assert of_text["smart.passed"] is False
    assert of_text["nvme.critical_warning"] == 1
    assert of_text["nvme.available_spare_share"] == 0.08
    assert of_text["nvme.available_spare_threshold_share"] == 0.1
    assert (of_text["nvme.media_errors"], of_text["nvme.power_on_hours"]) == (12, 3387)
    of_json = values(whole("smartctl/nvme.json"), device="nvme0", model="Samsung SSD 970 EVO 500GB")
    assert of_json["smart.passed"] is True
    assert (of_json["nvme.media_errors"], of_json["nvme.percentage_used_share"]) == (7, 0.03)


def test_a_failing_disk_names_the_attributes_at_their_threshold():
    reading = whole("smartctl/failing-ata.json")
    disk = {"device": "sdc", "model": "Hitachi HDS721050DLE630"}
    assert values(reading, **disk)["smart.passed"] is False
    reallocated = values(reading, **disk, attribute="Reallocated_Sector_Ct")
    assert reallocated == {"smart.attribute": 1975, "smart.attribute_failed": "now"}
    assert values(reading, **disk)["smart.logged_errors"] == 56


def test_brief_attributes_and_self_tests_are_read():
    reading = read(smartctl, BRIEF)
    assert values(reading, attribute="Reallocated_Sector_Ct")["smart.attribute_failed"] == "now"
    assert values(reading, attribute="Airflow_Temperature_Cel") == {
        "smart.attribute": 41,
        "smart.attribute_failed": "past",
    }
    assert values(reading)["smart.self_test_failures"] == 1


def test_a_scsi_disk_has_counters_and_defects():
    reading = read(smartctl, SCSI, path="sos_commands/ata/smartctl_-a_.dev.sdb")
    found = values(reading, device="sdb")
    assert (found["smart.passed"], found["smart.grown_defects"], found["smart.temperature_celsius"]) == (
        False,
        4,
        34,
    )
    assert values(reading, device="sdb", operation="read") == {"smart.uncorrected_errors": 5580}
    (passed,) = (fact for fact in whole("smartctl/scsi.json").facts if fact.name == "smart.passed")
    assert (passed.value, sorted(passed.labels)) == (True, ["device", "model"])


def test_several_disks_one_after_the_other_are_told_apart():
    twice = "# smartctl -A /dev/nvme0\n" + NVME_TEXT + "# smartctl -A /dev/nvme1\n" + NVME_TEXT
    devices = {fact.labels["device"] for fact in read(smartctl, twice).facts}
    assert devices == {"nvme0", "nvme1"}


def test_the_json_of_nvme_has_kelvins_and_shorter_names():
    found = values(read(nvme_smart_log, KELVINS, "nvme smart-log /dev/nvme0 -o json"), device="nvme0")
    assert found["nvme.temperature_celsius"] == 28
    assert (found["nvme.critical_warning"], found["nvme.media_errors"]) == (4, 3)
    assert (found["nvme.available_spare_share"], found["nvme.percentage_used_share"]) == (1.0, 0.15)


@pytest.mark.parametrize("reader", [smartctl, nvme_smart_log, nvme_list])
def test_a_cut_document_is_rejected_with_its_line(reader):
    with pytest.raises(MalformedInputError, match="no whole JSON"):
        read(reader, "\n".join((DATA / "smartctl/nvme.json").read_text().splitlines()[:-9]))
