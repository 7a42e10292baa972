"""A process that atop lists for a moment uses as much of the recording as of all screens."""

from __future__ import annotations

from ingest.evidence import read_bytes


def screen(second, *processes):
    rows = "".join(
        f" {pid}  0.90s  0.05s   0B   0B     0B  --   - R  1 {share}% {comm}\n"
        for pid, share, comm in processes
    )
    return (
        f"ATOP - vm      2026/11/28  19:08:{second:02d}      --------      2s elapsed\n"
        "CPU | sys      10% | user     90% | irq       0% | idle    100% | wait      0% |\n"
        f"    PID  SYSCPU USRCPU VGROW RGROW  RDDSK ST EXC S CPUNR CPU CMD         1/1\n{rows}"
    )


def test_processes_that_ended_add_up_to_what_the_machine_has():
    text = "".join(screen(2 * at, (100 + at, 95, "cc1"), (80 + at, 20, "<cc1>")) for at in range(10))
    (section,) = read_bytes(text.encode(), name="atop.txt").sections
    used = [one for one in section.reading.facts if one.name == "process.cpu.total_share"]
    assert {one.labels["comm"] for one in used} == {"cc1"}
    assert round(sum(one.value for one in used), 6) == 1.15
