"""Outputs of a repeated command that prints the end of the kernel log are one log, each record once."""

from __future__ import annotations

import pytest

from ingest.evidence import read_bytes
from ingest.model.limits import Limits
from ingest.sections.log_outputs import REPEATED

PROMPT = "root@web12:~# "


def session(*outputs, command="dmesg | tail -3", prompt=PROMPT):
    return "".join(f"{prompt}{command}\n{output}\n" for output in outputs)


def sections_of(text, **more):
    return read_bytes(text.encode(), name="session.txt", **more).sections


def records_of(section):
    return [(record.lines.first, record.message) for record in section.reading.log_records]


UP, DOWN = "[  812.400131] eth0: Link is Up", "[  930.118840] eth0: Link is Down"
LATER = "[ 1002.771402] eth0: Link is Up"


def test_each_record_is_cited_where_it_is_printed_first():
    text = session(f"{UP}\n{DOWN}", f"{DOWN}\n{LATER}", LATER)
    [section] = sections_of(text)
    assert (section.first_line, section.last_line) == (1, 8)
    assert records_of(section) == [
        (2, "eth0: Link is Up"),
        (3, "eth0: Link is Down"),
        (6, "eth0: Link is Up"),
    ]
    lines = text.split("\n")
    assert [lines[line - 1] for line, _ in records_of(section)] == [UP, DOWN, LATER]
    facts = {fact.name: fact.value for fact in section.reading.facts}
    assert (facts["log.first_uptime_seconds"], facts["log.last_uptime_seconds"]) == (812.400131, 1002.771402)
    assert section.reading.quality_names == {"excerpt"}
    [skipped] = section.reading.skipped
    assert (skipped.reason, skipped.count, skipped.first_line) == (REPEATED, 2, 5)


def test_a_line_that_a_log_prints_twice_is_two_records():
    [section] = sections_of(session(f"{UP}\n{UP}", f"{UP}\n{UP}\n{DOWN}"))
    assert len(section.reading.log_records) == 3


def test_a_report_goes_on_in_the_output_that_shows_its_next_lines():
    begin = "[  940.118840] INFO: task df:1177 blocked for more than 120 seconds."
    trace = "[  940.118850]       Not tainted 5.10.0-8-amd64 #1 Debian"
    [whole] = sections_of(session(f"{begin}", f"{begin}\n{trace}"))
    assert [(one.kind, one.lines.first, one.lines.last) for one in whole.reading.log_records] == [
        ("hung_task", 2, 5)
    ]


def test_a_report_does_not_take_lines_behind_a_gap():
    begin = "[  940.118840] INFO: task df:1177 blocked for more than 120 seconds."
    [section] = sections_of(session(begin, "[  940.200000]  schedule+0x46/0xb0"))
    hung = section.reading.log_records[0]
    assert (hung.kind, hung.lines.last) == ("hung_task", 2)


@pytest.mark.parametrize(
    "text",
    [
        pytest.param(session(DOWN, UP), id="times fall: another boot, or the beginning of the log"),
        pytest.param(session(UP) + session(DOWN, prompt="root@web13:~# "), id="another host"),
        pytest.param(session(UP) + f"{PROMPT}reboot\n" + session(DOWN), id="another command"),
        pytest.param(session(UP) + "Connection closed.\n" + session(DOWN), id="text between"),
        pytest.param(session(UP) + session(DOWN, command="dmesg | grep eth0"), id="another filter"),
        pytest.param(session(UP, DOWN, command="dmesg"), id="whole logs"),
        pytest.param(session("eth0: Link is Up", "eth0: Link is Down"), id="no times"),
    ],
)
def test_outputs_that_may_be_of_two_logs_stay_apart(text):
    logs = [section for section in sections_of(text) if section.format == "kernel-log"]
    assert len(logs) != 1


def test_a_filter_is_remembered():
    [section] = sections_of(session(UP, DOWN, command="dmesg | grep eth0"))
    assert section.reading.quality_names == {"filtered"}


def test_windows_of_a_long_text_have_the_same_records():
    outputs = [f"[{at:5}.000000] eth{at}: Link is Up" for at in range(3000)]
    text = session(*outputs)
    whole, windows = sections_of(text), sections_of(text, limits=Limits(sectioned_bytes=40_000))
    assert len(whole) == 1
    assert len(windows) < 20
    found = [record for section in windows for record in records_of(section)]
    assert found == records_of(whole[0])
    lines = text.split("\n")
    assert all(lines[line - 1].endswith(message) for line, message in found)
