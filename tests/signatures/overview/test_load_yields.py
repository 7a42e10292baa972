"""A load average says that something is wrong, and leads only where no alarm says what."""

from __future__ import annotations

import pytest

from tests.signatures.overview.test_first_screen import overview, texts

LOADAVG = "$ cat /proc/loadavg\n28.88 47.85 33.07 24/372 11322\n$ nproc\n2\n"
"""Of a recording of pgbench, with its run queue and its programs below."""

VMSTAT = """\
$ vmstat 1 3
procs -----------memory---------- ---swap-- -----io---- -system-- ------cpu-----
 r  b   swpd   free   buff  cache   si   so    bi    bo   in   cs us sy id wa st
{r}  {b}      0 6267100 211020 5780120    0    0     2    18  410  720 {us} {sy} {idle}  0  0
{r}  {b}      0 6266804 211020 5780140    0    0     0    44  502  811 {us} {sy} {idle}  0  0
{r}  {b}      0 6266804 211020 5780140    0    0     0    44  502  811 {us} {sy} {idle}  0  0
"""
TOP = """\
$ top -b -n 1
top - 10:01:02 up 12 days,  3:04,  2 users,  load average: 28.88, 47.85, 33.07
Tasks: 372 total,  24 running, 348 sleeping,   0 stopped,   0 zombie
%Cpu(s): 69.1 us, 24.6 sy,  5.8 ni,  0.0 id,  0.5 wa,  0.0 hi,  0.0 si,  0.0 st
MiB Mem :   4305.6 total,   2386.6 free,    261.6 used,   1191.4 buff/cache

    PID USER      PR  NI    VIRT    RES    SHR S  %CPU  %MEM     TIME+ COMMAND
   1110 pg        20   0  496260 149136 111868 R  29.4   0.6   0:00.20 postgres
   1210 root      20   0  496260 149136 111868 R  27.3   0.6   0:00.20 qemu-system-x86
   1310 root      20   0  496260  49136  11868 R  26.9   0.6   0:00.20 perf
"""
SATURATED = VMSTAT.format(r=23, b=0, us=70, sy=30, idle=0)
BLOCKED = VMSTAT.format(r=1, b=28, us=2, sy=1, idle=97)


def test_the_run_queue_of_many_programs_leads_with_what_relieves_it():
    found = overview(LOADAVG + SATURATED + TOP)
    assert found.headline.text.startswith("23 tasks are runnable on 2 CPUs; no program alone uses half")
    assert any("CPUQuota=100%" in step and "undo" in step for step in found.first_steps)
    assert "systemd-cgtop" in found.next_capture.command


def test_cpus_without_idle_time_are_the_alarm_and_have_the_load():
    found = overview(LOADAVG + SATURATED)
    load = "load average 28.9 (falling, 47.9 over 5 min) on 2 CPUs"
    assert found.headline.text == f"CPUs are 0 % idle: 70 % programs, 30 % kernel; {load}"
    assert not any(text.startswith("Load average") for text in texts(found))


def test_blocked_tasks_lead_over_the_load_that_they_make():
    alarms = texts(overview(LOADAVG + BLOCKED))
    assert "28 tasks are blocked in uninterruptible sleep" in alarms[0]
    assert any(
        text.startswith("Load average 28.9 (falling, 47.9 over 5 min) on 2 CPUs") for text in alarms[1:]
    )


@pytest.mark.parametrize("log", ["", "[  100.000000] eth0: received packet on eth0 with own address\n"])
def test_a_load_alone_still_leads(log):
    assert overview(LOADAVG, log).headline.text.startswith("Load average 28.9 (falling")


@pytest.mark.parametrize(
    ("loads", "words"),
    [
        ("28.88 47.85 33.07", "28.9 (falling, 47.9 over 5 min)"),
        ("47.85 20.10 10.00", "47.9 (rising, 20.1 over 5 min)"),
        ("28.88 30.10 31.00", "28.9"),
    ],
)
def test_a_load_says_where_it_goes(loads, words):
    text = overview(LOADAVG.replace("28.88 47.85 33.07", loads)).headline.text
    assert text.startswith(f"Load average {words} on 2 CPUs")


def test_programs_that_measure_are_named_as_such():
    named = [text for text in texts(overview(LOADAVG + SATURATED + TOP)) if "most: postgres" in text]
    assert named[0].endswith("perf 26.9 % of a CPU (a measuring tool)")
