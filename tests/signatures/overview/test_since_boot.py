"""A tool's first report is the average since boot: it raises alarms, and answers no question about now."""

from __future__ import annotations

import pytest

from signatures.overview.screen_document import overview_document
from signatures.rendering.overview_text import assessed_words
from tests.signatures.overview.test_first_screen import overview, states, texts

BANNER = "Linux 6.1.0 (store-4) \t03/02/26 \t_x86_64_\t(8 CPU)\n\n"
CPUS = """\
avg-cpu:  %user   %nice %system %iowait  %steal   %idle
           9.03    0.00    {sys}    0.68    0.00   {idle}

"""
DISKS = """\
Device   r/s    rkB/s  rrqm/s  %rrqm r_await rareq-sz   w/s    wkB/s  wrqm/s  %wrqm w_await wareq-sz aqu-sz  %util
sdq    84.10  3041.10    0.00   0.00  {wait}    36.16 57.00  9014.00    0.00   0.00    0.90   158.14   0.36  {busy}

"""  # noqa: E501 - as iostat prints
MPSTAT = f"""\
{BANNER}11:20:02  CPU  %usr  %nice  %sys %iowait  %irq  %soft  %steal  %guest  %gnice  %idle
11:20:02  all  9.12   0.00  3.11    0.40  0.00   0.22    0.00    0.00    0.00  87.15
"""
VMSTAT = (
    "procs -----------memory---------- ---swap-- -----io---- -system-- ------cpu-----\n"
    " r  b   swpd   free   buff  cache   si   so    bi    bo   in   cs us sy id wa st\n"
    " 2  0      0 5123456  81234 3012345    0    0    12    34  120  240  7  {sys} {idle}  1  0\n"
)


def iostat(*, wait=0.4, busy=12.5, sys=5.7, idle=84.59, reports=1):
    report = CPUS.format(sys=sys, idle=idle) + DISKS.format(wait=wait, busy=busy)
    return BANNER + report * reports


@pytest.mark.parametrize(
    ("text", "open_questions", "command"),
    [
        (iostat(), {"cpu", "io"}, "iostat -xz 1 3"),
        (MPSTAT, {"cpu"}, "vmstat 1 5"),
        (VMSTAT.format(sys=3, idle=89), {"cpu"}, "vmstat 1 5"),
    ],
    ids=["iostat", "mpstat", "vmstat"],
)
def test_one_report_answers_nothing_about_now(text, open_questions, command):
    found = overview(text)
    noted = {one.question.name for one in found.questions if one.is_partial and one.note}
    assert noted == open_questions
    assert "no alarm" not in {states(found)[name] for name in open_questions}
    assert found.headline.kind == "not assessed"
    assert found.headline.text.startswith("On average since boot, which does not show the present, ")
    assert command in found.next_capture.command
    assert "now" in found.next_capture.reason


def test_reports_of_an_interval_answer():
    found = overview(iostat(reports=3))
    assert (states(found)["cpu"], states(found)["io"]) == ("no alarm", "no alarm")
    assert "since boot" not in found.headline.text


def test_an_interval_beside_an_average_answers():
    assert states(overview(iostat(), iostat(reports=2)))["io"] == "no alarm"


def test_the_words_say_why_it_is_assessed_in_part():
    words = assessed_words(overview_document(overview(iostat())))
    assert words.startswith("Not decided: CPU (average since boot), IO (average since boot).")


def test_an_average_above_its_threshold_stays_an_alarm_and_says_what_it_is():
    found = overview(iostat(wait=131.0, busy=71.5))
    assert texts(found) == ["Reads of sdq take 131 ms, on average since boot"]
    assert "Device sdq is busy 71.5 % of the time, on average since boot" in texts(found, "fact")
    assert found.next_capture.command == "iostat -xz 1 3"


def test_kernel_time_since_boot_says_so():
    found = overview(VMSTAT.format(sys=73, idle=19))
    assert texts(found) == ["73 % of CPU time is kernel time, on average since boot"]


def test_cpus_without_idle_time_since_boot_say_so():
    (text,) = [one for one in texts(overview(VMSTAT.format(sys=40, idle=2)), "fact") if "idle" in one]
    assert text.startswith("CPUs are 2 % idle: 40 % kernel, 7 % programs, on average since boot")


def test_one_report_without_the_first_line_may_be_of_an_interval():
    found = overview(iostat(busy=100.0).removeprefix(BANNER))
    assert "Device sdq is busy 100 % of the time, perhaps on average since boot" in texts(found, "fact")
    assert {one.note for one in found.questions if one.note} == {"perhaps an average since boot"}
