# ruff: noqa: E501 - lines of tools are long
"""CPUs without idle time, locks of programs, removed cgroups, stalls of a host: notable, and never called calm."""

from __future__ import annotations

from pathlib import Path

from tests.signatures.overview.test_first_screen import overview, states, texts

TESTS = Path(__file__).parents[2]
LIBRARY = TESTS.parent / "signatures/library/mm"
FUTEX = LIBRARY / "mglru-evict-folios-lru-lock/evidence/neg-futex-wakeups/perf.script.fields_full.txt.gz"
RTT = TESTS / "data/round-trips/hping3-icmp-rtt.txt"

FULL = """\
top - 00:19:57 up 37 min,  0 user,  load average: 74.72, 63.13, 34.09
Tasks:   1 total,   0 running,   1 sleeping,   0 stopped,   0 zombie
%Cpu(s): 50.0 us, 50.0 sy,  0.0 ni,  0.0 id,  0.0 wa,  0.0 hi,  0.0 si,  0.0 st
MiB Mem :  24105.6 total,   8234.1 free,   5042.1 used,  12229.2 buff/cache
MiB Swap:      0.0 total,      0.0 free,      0.0 used.  19063.4 avail Mem

  PID USER      PR  NI    VIRT    RES    SHR S  %CPU  %MEM     TIME+ COMMAND
 6879 root      20   0  252208 203268   1344 S   6.7   0.8   0:00.26 rss_drift
"""
PRESSURE = """\
some avg10=93.54 avg60=86.75 avg300=91.27 total=1780881896
full avg10=0.00 avg60=0.00 avg300=0.00 total=0
"""
VMSTAT_IDLE = """\
procs -----------memory---------- ---swap-- -----io---- -system-- ------cpu-----
 r  b   swpd   free   buff  cache   si   so    bi    bo   in   cs us sy id wa st
 1  0      0 2278292   2192 121148    0    0   171     2   63   32  3  4 93  0  0
 1  0      0 2278292   2192 121148    0    0     0     2   63   32  3  4 93  0  0
"""
PIDSTAT = """\
Linux 6.12.94+deb13-cloud-amd64 (db)  11/21/26  _x86_64_  (4 CPU)

00:26:53      UID       PID    %usr %system  %guest   %wait    %CPU   CPU  Command
00:26:54        0        12    0.00   40.00    0.00    0.00   40.00     1  kworker/u16:0+flush-254:16
00:26:54        0       496    1.00   79.00    0.00    0.00   80.00     0  wbs
00:26:54        0       498    1.00   79.00    0.00    0.00   80.00     3  wbs

00:26:54      UID       PID    %usr %system  %guest   %wait    %CPU   CPU  Command
00:26:55        0       496    1.00   79.00    0.00    0.00   80.00     0  wbs
00:26:55        0        45    0.00   20.00    0.00    0.00   20.00     1  kworker/u16:3-writeback

00:26:55      UID       PID    %usr %system  %guest   %wait    %CPU   CPU  Command
00:26:56        0       496    1.00   79.00    0.00    0.00   80.00     0  wbs

00:26:56      UID       PID    %usr %system  %guest   %wait    %CPU   CPU  Command
00:26:57        0       496    1.00   79.00    0.00    0.00   80.00     0  wbs
"""


def command(name, text):
    return f"$ cat {name}\n{text}"


def test_cpus_without_idle_time_lead_and_are_no_alarm():
    found = overview(FULL)
    assert found.headline.text == (
        "CPUs are 0 % idle: 50 % programs, 50 % kernel; load average 74.7; "
        "no listed process uses them (most: rss_drift 6.7 % of a CPU)"
    )
    assert states(found)["cpu"] == "notable"
    assert texts(found) == []
    assert "perf record" in found.next_capture.command


def test_tasks_that_wait_for_a_cpu_make_cpu_and_scheduling_notable_unless_cpus_are_idle():
    found = overview(command("/proc/pressure/cpu", PRESSURE))
    assert found.headline.text.startswith("More tasks want to run than there are CPUs: some waited in 93.5 %")
    assert (states(found)["cpu"], states(found)["scheduling"]) == ("notable", "notable")
    limited = overview(command("/proc/pressure/cpu", PRESSURE), VMSTAT_IDLE)
    assert states(limited)["cpu"] == "no alarm"


def test_a_busy_profile_of_the_machine_and_the_lock_of_a_program_are_named():
    found = overview(paths=[FUTEX])
    assert found.headline.text.startswith("12 threads of locker contend for a lock of the program (futex)")
    assert "are in critical_section" in found.headline.text
    assert (states(found)["locks"], states(found)["cpu"]) == ("notable", "notable")
    assert any(text.startswith("CPUs are 0 % idle: 85.5 % programs") for text in texts(found, "fact"))
    assert "sys_enter_futex" in found.next_capture.command


def test_shares_of_pidstat_are_of_all_intervals_and_the_group_that_leads_is_named():
    found = texts(overview(PIDSTAT), "fact")
    assert "wbs uses the most CPU: 100 % of one, in 2 processes, 99 % of it in the kernel" in found
    assert (
        "2 kworkers, which run work of the kernel, use 15 % of a CPU; most: kworker/u16:0+flush-254:16 10 %"
        in found
    )


def test_many_cpus_are_counted_and_time_of_the_kernel_alone_is_said():
    found = overview(paths=[TESTS / "data/published/vanishing-cpu/pidstat.txt"])
    assert found.headline.text == (
        "clickhouse-serv uses the most CPU: that of 30 CPUs, all of it in the kernel"
    )
    assert "in the kernel" not in str(texts(overview(PIDSTAT.replace("79.00", "40.00")), "fact"))


def test_an_average_since_boot_is_called_one():
    found = overview(paths=[TESTS / "data/pidstat/pidstat.since-boot.txt"])
    assert texts(found, "fact") == []
    text = PIDSTAT[: PIDSTAT.index("498")].rpartition("\n")[0].replace("00:26:54", "00:26:53")
    assert "wbs uses the most CPU: 80 % of one (average since boot)" in texts(overview(text), "fact")


def test_round_trips_that_fall_by_steps_are_a_stall_of_the_receiving_host():
    found = overview(paths=[RTT])
    assert "a stall of 140.9 ms or more of the receiving host" in found.headline.text
    assert found.headline.text.endswith("none of these packets was lost")
    assert "# on the receiving host" in found.next_capture.command
    assert "$" not in found.next_capture.command


def test_files_that_agree_on_resident_memory_are_said_to_agree():
    folder = LIBRARY / "percpu-rss-drift/evidence/neg-consistent"
    found = overview(paths=[folder / "status", folder / "smaps_rollup"])
    assert any(
        "VmRSS and smaps_rollup agree on the resident memory of" in one for one in texts(found, "fact")
    )


def test_removed_cgroups_are_counted_when_the_evidence_holds_both_numbers(tmp_path):
    (tmp_path / "live_cgroups_count.txt").write_text("2001\n")
    (tmp_path / "cgroups").write_text("#subsys_name\thierarchy\tnum_cgroups\tenabled\nmemory\t4\t4110\t1\n")
    found = overview(paths=[tmp_path / "live_cgroups_count.txt", tmp_path / "cgroups"])
    assert texts(found, "fact") == [
        "Some 2,110 memory cgroups are removed but not freed: 4,110 exist, 2,001 have a directory"
    ]
    assert states(found)["cgroup-limits"] == "notable"
