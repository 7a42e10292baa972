"""Text of no known format is compared with the names that the formats print."""

from __future__ import annotations

import pytest

from ingest.nearest_format import nearest
from tests.ingest import printed_names
from tests.ingest.golden import CAPTURED, SAMPLES


def named(names, command=""):
    found = nearest(names.split(", "), command)
    return found.row.name if found else None


@pytest.mark.parametrize(
    ("names", "command", "expected"),
    [
        ("HugePages_Total, HugePages_Free, HugePages_Rsvd, Hugepagesize", "", "proc-meminfo"),
        ("", "fio --name=w --rw=randwrite", "fio-json"),
        ("Model Family, Device Model", "sudo smartctl -a /dev/sdh | grep -E 'Wear|Model'", "smartctl"),
        ("pool, alloc, free, read, write, read, write", "zpool iostat 1", None),
        ("Id, User, Host, db, Command, Time, State, Info", "", "session-records"),
        ("time, read, miss, miss%, dmis, dm%", "", None),
        ("used_memory, maxmemory, evicted_keys", "cat info.txt", None),
        ("read, write", "", None),
        ("", "", None),
    ],
)
def test_a_tool_is_named_by_its_program_or_by_names_that_few_formats_print(names, command, expected):
    assert named(names, command) == expected


def test_samples_of_a_known_format_resemble_it_or_one_that_prints_the_same():
    """A sample taken out of the names of its own format: a wrong relative is rarer than one in ten."""
    own = wrong = 0
    for name, words in printed_names.printed_names([*SAMPLES, *CAPTURED]).items():
        found = nearest(words)
        if found is not None:
            own, wrong = own + (found.row.name == name), wrong + (found.row.name != name)
    assert own > 50
    assert wrong <= own * 0.1


def test_the_names_are_those_of_the_samples():
    assert printed_names.PAGE.read_text() == printed_names.page()
