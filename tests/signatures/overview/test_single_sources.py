"""One measurement is one statement: a table that came twice, one CPU of many, reclaim that frees little."""

from __future__ import annotations

import pytest

from tests.signatures.overview import pastes
from tests.signatures.overview.test_first_screen import overview

MPSTAT = (
    "Linux 6.1.0-18-amd64 (web12) \t11/21/2026 \t_x86_64_\t({cpus} CPU)\n\n"
    "12:00:00     CPU    %usr   %nice    %sys %iowait    %irq   %soft  %steal  %guest  %gnice   %idle\n"
)
VMSTAT = (
    "$ date +%s.%N\n{at}.000000000\n$ cat /proc/vmstat\npgscan_kswapd {scanned}\npgsteal_kswapd {stolen}\n"
)
PERF_TOP = """\
Samples: 1M of event 'cycles:ppp', 4000 Hz, Event count (approx.): 800000000000 lost: 0/0 drop: 0/0
Overhead  Shared Object        Symbol
  40.31%  libc-2.31.so         [.] __memmove_avx_unaligned_erms
  19.02%  [kernel]             [k] clear_page_erms
   1.10%  [kernel]             [k] shrink_lruvec
   1.00%  [kernel]             [k] copy_page
"""


def mpstat(cpus: int, high: tuple[int, ...]) -> str:
    """Return ten seconds of mpstat -P ALL, in four of which some CPUs run the kernel."""
    text = MPSTAT.format(cpus=cpus)
    for second in range(1, 11):
        shares = [80.0 if at in high and 3 < second < 8 else 1.0 for at in range(cpus)]
        for cpu, share in [("all", sum(shares) / cpus), *enumerate(shares)]:
            rest = f"0.00 0.00 0.00 0.00 0.00 0.00 {99 - share:.2f}"
            text += f"12:00:{second:02d} {cpu} 1.00 0.00 {share:.2f} {rest}\n"
    return text


def locks(*texts: str) -> list[str]:
    stated = [one.statement for one in overview(*texts).statements]
    return [one.words for one in stated if one.question == "locks" and not one.engine]


def test_a_table_of_locks_that_came_twice_is_not_added_up():
    assert locks(pastes.PERF_LOCK, pastes.PERF_LOCK) == locks(pastes.PERF_LOCK)
    other = pastes.PERF_LOCK.replace("145.21 s", "145.22 s")
    assert locks(pastes.PERF_LOCK, other) != locks(pastes.PERF_LOCK)


@pytest.mark.parametrize(
    ("cpus", "high", "kind", "words"),
    [
        (8, (5,), "fact", "80 % of the time of CPU 5 is kernel time"),
        (4, (0, 1, 2), "alarm", "60.2 % of CPU time is kernel time"),
    ],
)
def test_one_busy_cpu_of_several_is_no_alarm_of_the_host(cpus, high, kind, words):
    found = overview(mpstat(cpus, high))
    (said,) = [one.statement for one in found.statements if "kernel time from" in one.statement.text]
    assert (said.kind, said.text.partition(" from ")[0]) == (kind, words)
    assert next(one.state for one in found.questions if one.question.name == "cpu") != "no alarm"


@pytest.mark.parametrize(("stolen", "said"), [(100_200, "frees little of what it scans"), (5_000_000, "")])
def test_an_alarm_about_reclaim_says_what_is_wrong(stolen, said):
    looks = VMSTAT.format(at=1764000000, scanned=100_000, stolen=100_000)
    looks += VMSTAT.format(at=1764000010, scanned=9_100_000, stolen=stolen)
    words = [
        one.statement.text for one in overview(PERF_TOP, looks).statements if one.statement.kind == "alarm"
    ]
    about = [one for one in words if "eclaim uses" in one]
    assert [said in one for one in about] == ([True] if said else [])
    assert not any("frees what it scans" in one for one in about)


def test_a_tool_of_bcc_typed_alone_at_a_hash_begins_its_output():
    histogram = (
        "     usecs               : count     distribution\n     65536 -> 131071     : 2210     |****|\n"
    )
    uptime = "# uptime\n 10:01:02 up 12 days,  3:04,  2 users,  load average: 0.12, 0.40, 0.00\n"
    paste = f"{uptime}# runqlat\n{histogram}"
    assert any("2,210 waits" in one.statement.text for one in overview(paste).statements)
