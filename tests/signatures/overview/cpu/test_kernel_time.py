"""Much kernel time: how many tasks run, and the programs with the largest sums, each with its lines."""

from __future__ import annotations

from tests.signatures.overview.test_first_screen import overview, texts

SCREEN = """\
Tasks: {tasks} total,  {running} running, 600 sleeping,   0 stopped,   0 zombie
%Cpu(s):  2.1 us, {system} sy,  0.0 ni, 31.9 id,  0.0 wa,  0.0 hi,  0.0 si,  0.0 st
MiB Mem :  64210.0 total,  31000.0 free,  20000.0 used,  13210.0 buff/cache
MiB Swap:      0.0 total,      0.0 free,      0.0 used.  43000.0 avail Mem

    PID USER      PR  NI    VIRT    RES    SHR S  %CPU  %MEM     TIME+ COMMAND
   1201 root      20   0  713124  11720   9000 S 240.0   0.1  45:45.56 agentd
   1305 root      20   0  713124  11720   9000 S 155.5   0.1  45:45.56 exporter
   1410 root      20   0  713124  11720   9000 R  81.0   0.1  45:45.56 helper
   1411 root      20   0  713124  11720   9000 R  79.0   0.1  45:45.56 helper
   1500 root      20   0  713124  11720   9000 R  12.0   0.1  45:45.56 shell
"""


def alarm(*, running=31, system="66.0", text=SCREEN):
    found = overview(text.format(tasks=600 + running, running=running, system=system))
    (shown,) = [one.statement for one in found.statements if one.statement.kind == "alarm"]
    return shown


def test_a_sum_says_of_how_many_processes_it_is_and_none_as_large_is_left_out():
    assert alarm().text == (
        "66 % of CPU time is kernel time, with 31 tasks running; most CPU: agentd 240 % of a CPU, "
        "helper 160 % of a CPU in 2 processes, exporter 156 % of a CPU"
    )


def test_every_row_of_a_sum_is_cited():
    assert [place.first_line for place in alarm().places] == [2, 1, 7, 9, 10, 8]


def test_few_running_tasks_are_not_worth_a_word():
    assert alarm(running=3).text.startswith("66 % of CPU time is kernel time; most CPU: agentd")


def test_usual_kernel_time_names_no_running_tasks():
    found = overview(SCREEN.format(tasks=631, running=31, system="20.0"))
    assert not any("tasks running" in text for kind in ("alarm", "fact") for text in texts(found, kind))


def test_threads_are_called_threads():
    text = SCREEN.replace("Tasks:", "Threads:")
    assert "helper 160 % of a CPU in 2 threads" in alarm(text=text).text
