"""The supervisor starts, restarts and stops its processes, also after a kill."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from typing import TYPE_CHECKING

import psycopg
import pytest

from backend.core.errors import SettingsError
from backend.core.settings import Settings
from backend.core.supervisor.processes import Child, Program, Record, start_ticks
from backend.core.supervisor.supervisor import Supervisor
from tests.waiting import until

if TYPE_CHECKING:
    from pathlib import Path

SLEEP = [sys.executable, "-c", "import time; time.sleep(600)"]
DEAF = [
    sys.executable,
    "-c",
    "import signal, time; signal.signal(15, signal.SIG_IGN); print(1, flush=True); time.sleep(600)",
]

KEEPER = """
import sys
from pathlib import Path
from backend.core.settings import Settings
from backend.core.supervisor.supervisor import Supervisor
from backend.core.supervisor.processes import Program

settings = Settings(data_dir=Path(sys.argv[1]))
with Supervisor(settings, say=lambda text: print(text, flush=True)) as supervisor:
    supervisor.stop_on_signals()
    supervisor.open_servers()
    supervisor.start([Program("sleeper", [sys.executable, "-c", "import time; time.sleep(600)"])])
    print("ready", flush=True)
    supervisor.watch()
"""


def keep(data_dir: Path) -> subprocess.Popen[str]:
    """Start a supervisor of its own and wait until it is ready."""
    keeper = subprocess.Popen(
        [sys.executable, "-c", KEEPER, str(data_dir)], stdout=subprocess.PIPE, text=True
    )
    assert keeper.stdout is not None
    for line in keeper.stdout:
        if line == "ready\n":
            return keeper
    raise AssertionError(keeper.wait())


def pids(data_dir: Path) -> dict[str, int]:
    noted = json.loads((Settings(data_dir=data_dir).run_dir / "processes.json").read_text())
    return {row["name"]: row["pid"] for row in noted["processes"]}


def rows(data_dir: Path) -> list[int]:
    with psycopg.connect(
        f"host={Settings(data_dir=data_dir).run_dir} user=casebook dbname=casebook"
    ) as connection:
        return [row[0] for row in connection.execute("select n from kept order by n")]


def write(data_dir: Path, number: int) -> None:
    with psycopg.connect(
        f"host={Settings(data_dir=data_dir).run_dir} user=casebook dbname=casebook"
    ) as connection:
        connection.execute("create table if not exists kept (n int)")
        connection.execute("insert into kept values (%s)", [number])


def test_sigterm_stops_everything(tmp_path: Path):
    keeper = keep(tmp_path)
    running = pids(tmp_path)
    assert sorted(running) == ["postgres", "sleeper", "valkey"]
    keeper.terminate()
    assert keeper.wait(300) == 0
    assert [name for name, pid in running.items() if start_ticks(pid)] == []
    assert pids(tmp_path) == {}
    keeper.stdout.close()


def test_after_kill_9_the_next_start_takes_over_with_everything_committed(tmp_path: Path):
    first = keep(tmp_path)
    write(tmp_path, 1)
    before = pids(tmp_path)
    first.kill()
    first.wait()
    second = keep(tmp_path)
    after = pids(tmp_path)
    assert set(before.values()).isdisjoint(after.values())
    assert [name for name, pid in before.items() if start_ticks(pid)] == []
    assert rows(tmp_path) == [1]
    second.terminate()
    assert second.wait(300) == 0
    first.stdout.close()
    second.stdout.close()


def test_killed_servers_are_restarted(tmp_path: Path):
    keeper = keep(tmp_path)
    write(tmp_path, 1)
    for name in ("postgres", "valkey", "sleeper"):
        killed = pids(tmp_path)[name]
        os.kill(killed, signal.SIGKILL)
        until(lambda name=name, killed=killed: pids(tmp_path).get(name) not in {None, killed})

    def answers() -> bool:
        try:
            return rows(tmp_path) == [1]
        except psycopg.OperationalError:
            return False

    until(answers)
    keeper.terminate()
    assert keeper.wait(300) == 0
    keeper.stdout.close()


def test_a_stale_pid_file_is_no_obstacle(tmp_path: Path):
    keeper = keep(tmp_path)
    keeper.terminate()
    keeper.wait(300)
    keeper.stdout.close()
    bystander = subprocess.Popen(SLEEP)
    (tmp_path / "postgres" / "postmaster.pid").write_text(f"{bystander.pid}\n{tmp_path}/postgres\n")
    again = keep(tmp_path)
    again.terminate()
    assert again.wait(300) == 0
    again.stdout.close()
    assert bystander.poll() is None
    bystander.kill()
    bystander.wait()


def test_a_data_directory_has_one_supervisor(
    supervisor: tuple[Supervisor, Settings], monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr("backend.core.supervisor.supervisor.ENDING_SECONDS", 0.5)
    with pytest.raises(SettingsError, match="casebook is already running with the data directory"):
        Supervisor(supervisor[1], say=print).__enter__()


def test_an_unwritable_pid_file_is_retried_while_programs_run(
    supervisor: tuple[Supervisor, Settings],
):
    keeper, settings = supervisor
    in_the_way = settings.run_dir / "processes.new"
    in_the_way.mkdir()
    (child,) = keeper.start([Program("sleeper", [sys.executable, "-c", "import time; time.sleep(600)"])])
    in_the_way.rmdir()
    keeper.look()
    assert child.is_alive
    assert f'"pid": {child.pid}' in (settings.run_dir / "processes.json").read_text()


def test_a_child_is_recorded_until_it_is_dead_whoever_replaced_it(tmp_path: Path):
    first, second = (Child(Program("worker", SLEEP), tmp_path) for _ in range(2))
    record = Record(tmp_path / "processes.json")
    first.start()
    record.write([first])
    second.start()
    record.write([second])
    assert Record(tmp_path / "processes.json").end_orphans() == ["worker", "worker"]
    assert not first.is_alive
    assert not second.is_alive
    record.write([])
    assert Record(tmp_path / "processes.json").end_orphans() == []


def test_the_data_directory_is_private(supervisor: tuple[Supervisor, Settings]):
    settings = supervisor[1]
    for directory in (settings.data_dir, settings.run_dir, settings.staging_dir, settings.log_dir):
        assert directory.stat().st_mode & 0o777 == 0o700


def test_a_program_that_does_not_listen_is_killed(tmp_path: Path):
    child = Child(Program("deaf", DEAF, stop_seconds=0.3), tmp_path)
    child.start()
    until(lambda: child.last_lines() == "1")
    child.stop()
    assert child.outcome == "SIGKILL"


def test_restarts_of_a_dying_program_back_off(tmp_path: Path):
    child = Child(Program("dying", [sys.executable, "-c", "print('no'); raise SystemExit(3)"]), tmp_path)
    child.start()
    messages: list[str] = []

    def has_three() -> bool:
        messages.extend(sentence for sentence in [child.revive()] if sentence)
        return len(messages) >= 3

    until(has_three)
    assert messages[0].startswith("dying ended (status 3); starting it again in 0.5 s, see ")
    assert messages[1] == "dying started again"
    assert messages[2].startswith("dying ended (status 3); starting it again in 1.0 s, see ")
    child.stop()
