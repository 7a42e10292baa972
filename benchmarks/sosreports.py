"""Whole sosreports: `python -m benchmarks.sosreports FILE_COUNT…` writes SOSREPORTS.md.

Archives are made in the proportions of large reports: the files of /proc, /sys and commands that are read,
and thousands that are not: logs of programs, values of one line, settings, JSON of other tools. One more has
logs of ordinary size and the files of 1,300 processes, is analysed as `casebook analyze` does it, and read
and judged by a throw-away instance of the service.
"""

from __future__ import annotations

import argparse
import io
import os
import random
import resource
import subprocess
import sys
import tarfile
import tempfile
import time
from pathlib import Path
from typing import NamedTuple

from ingest.evidence import read_paths

RESULT = Path(__file__).with_name("SOSREPORTS.md")
MACHINE = Path(__file__).parents[1] / "tests/data/files/machine"
WORDS = ("osd", "pool", "mds", "heartbeat", "epoch", "lorem", "ipsum", "dolor", "sit", "amet")
SIZES = (14_864, 79_702)
PREFIX = "sosreport-host"
FILES_OF_ALL = 14_991
PROCESSES = 1_300
NAMES = ("java", "nginx", "postgres", "kworker/0:1", "sshd", "bash", "node", "python3")
LOGS = {"var/log/messages": 13, "var/log/syslog.1": 8, "sos_commands/logs/journalctl_--no-pager": 5}
"""Megabytes of each log."""

KERNEL = (
    "usb 1-1: new high-speed USB device number {} using xhci_hcd",
    "TCP: request_sock_TCP: Possible SYN flooding on port {}. Sending cookies.",
    'audit: type=1400 audit(1795248520.{}:33): apparmor="STATUS"',
    "EXT4-fs (sda{}): mounted filesystem with ordered data mode",
    "perf: interrupt took too long ({} > 2500), lowering kernel.perf_event_max_sample_rate to 79000",
)
PROGRAMS = (
    "sshd[{}]: Accepted publickey for root from 10.0.0.7 port 4022",
    "systemd[1]: Started Session {} of User root.",
    "CRON[{}]: (root) CMD (run-parts /etc/cron.hourly)",
    "kubelet[812]: I1121 05:00:00.{} 812 kubelet.go:222] SyncLoop UPDATE",
)
BEFORE = "802 s, 196 CPU seconds: 43.1 API, 68.4 workers, 12.3 sandbox, 68.9 PostgreSQL, under a load of 8"
"""The same measurement of the commit d7554696, which read 7,901 of the members."""

SIZE_OF_UNREAD = 12
"""How many times the content of a file that nobody reads is repeated: 105 MB in all."""


class Unread(NamedTuple):
    """A kind of file that nobody reads: where it stands, and its lines."""

    folder: str
    stem: str
    content: str


def main() -> None:
    """Make and read an archive of every size, each in a process of its own, and write the page."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("counts", nargs="*", type=int, default=SIZES, metavar="FILE_COUNT")
    parser.add_argument("--read", type=Path, help="only read this archive, and print what it took")
    parser.add_argument("--served", type=Path, help="only send this archive to a throw-away instance")
    parser.add_argument("--make", type=Path, help="only write the archive with logs")
    options = parser.parse_args()
    if options.read:
        sys.stdout.write(_read(options.read))
        return
    if options.served:
        sys.stdout.write(_served(options.served))
        return
    if options.make:
        make_with_logs(options.make)
        return
    rows = []
    with tempfile.TemporaryDirectory() as folder:
        for count in options.counts:
            path = Path(folder) / "sosreport.tar"
            make(path, count)
            command = [sys.executable, "-m", "benchmarks.sosreports", "--read", str(path)]
            printed = subprocess.run(command, check=True, capture_output=True, text=True).stdout
            rows.append(f"| {count:,} | {path.stat().st_size / 1e6:.0f} | {printed} |")
        path = Path(folder) / "with-logs.tar"
        make_with_logs(path)
        whole = f"{FILES_OF_ALL:,} files, {path.stat().st_size / 1e6:.0f} MB: {_analysed(path)}"
        served = _served(path)
    page = _page(rows, whole, served)
    RESULT.write_text(page, encoding="utf-8")
    sys.stdout.write(page)


def make(path: Path, count: int) -> None:
    """Write an archive of `count` files; the same for the same count."""
    chosen = random.Random(1)  # noqa: S311 - the same archive every time
    read = sorted(one for one in MACHINE.rglob("*") if one.is_file())
    with tarfile.open(path, "w") as archive:
        for one in read:
            _add(archive, one.relative_to(MACHINE).as_posix(), one.read_bytes())
        for number in range(count - len(read)):
            kind = _unread(number, chosen)
            _add(archive, f"{kind.folder}/{kind.stem}.{number}", kind.content.encode())


def make_with_logs(path: Path) -> None:
    """Write an archive with logs of ordinary size and the files of many processes; always the same."""
    chosen = random.Random(1)  # noqa: S311 - same
    read = sorted(one for one in MACHINE.rglob("*") if one.is_file())
    files = {one.relative_to(MACHINE).as_posix(): one.read_bytes() for one in read}
    stat, status = (files[f"proc/6879/{name}"].decode() for name in ("stat", "status"))
    for pid in range(20_000, 20_000 + PROCESSES):
        name, is_blocked = NAMES[pid % len(NAMES)], pid % 60 == 0
        waits, stack = (
            ("io_schedule", "[<0>] io_schedule+0x12/0x40\n[<0>] folio_wait_bit_common+0x13d/0x350\n")
            if is_blocked
            else ("do_epoll_wait", "[<0>] ep_poll+0x3a/0x3b0\n[<0>] do_epoll_wait+0xae/0xd0\n")
        )
        rest = stat.rpartition(") ")[2].split(" ", 1)[1]
        own = {
            "stat": f"{pid} ({name}) {'D' if is_blocked else 'S'} {rest}",
            "status": status.replace("6879", str(pid)),
            "comm": f"{name}\n",
            "wchan": waits,
            "stack": stack,
            "cgroup": f"0::/system.slice/{name}.service\n",
            "statm": "2048 512 300 1 0 400 0\n",
            "oom_score": "667\n",
        }
        files |= {f"proc/{pid}/{file}": content.encode() for file, content in own.items()}
    files |= {name: log(megabytes, chosen) for name, megabytes in LOGS.items()}
    for number in range(FILES_OF_ALL - len(files)):
        kind = _unread(number, chosen)
        files[f"{kind.folder}/{kind.stem}.{number}"] = kind.content.encode() * SIZE_OF_UNREAD
    with tarfile.open(path, "w") as archive:
        for name, content in files.items():
            _add(archive, name, content)


def log(megabytes: int, chosen: random.Random) -> bytes:
    """Return a system log, of whose lines three in ten are the kernel's."""
    lines: list[str] = []
    size = 0
    while size < megabytes * 1_000_000:
        at = len(lines)
        template = chosen.choice(KERNEL if chosen.random() < 0.3 else PROGRAMS)
        said = template.format(chosen.randrange(9999))
        stamp = f"Nov {21 + at // 86_400 % 8:02} {at // 3600 % 24:02}:{at // 60 % 60:02}:{at % 60:02}"
        lines.append(f"{stamp} web12 {'kernel: ' if template in KERNEL else ''}{said}")
        size += len(lines[-1]) + 1
    return "\n".join(lines).encode()


def _analysed(path: Path) -> str:
    """Analyse an archive by the whole command; return CPU and wall seconds and the peak of memory."""
    started = time.monotonic()
    command = [sys.executable, "-m", "cli", "analyze", str(path)]
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    _, status, used = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    cpu, wall = used.ru_utime + used.ru_stime, time.monotonic() - started
    return f"{cpu:.1f} CPU seconds, {wall:.1f} s, {used.ru_maxrss / 1024:.0f} MB of memory"


def _served(path: Path) -> str:
    """Send an archive to a throw-away instance; return the time to the verdict, and CPU seconds."""
    from backend.client import Client  # noqa: PLC0415 - the engine alone needs no service
    from benchmarks.paste_cost import GROUPS, measure_folder  # noqa: PLC0415 - same
    from cli.service.instance import throw_away  # noqa: PLC0415 - same

    with (
        throw_away(say=lambda _: None) as instance,
        Client(instance.url, token=instance.create_token("bench"), timeout_seconds=600) as casebook,
    ):
        took = measure_folder(instance, casebook, lambda: casebook.post_files([(path.name, path)]).case.id)
    groups = ", ".join(f"{took['cpu_ms'][name] / 1000:.1f} {name}" for name in GROUPS[:4])
    total = sum(took["cpu_ms"].values()) / 1000
    return f"{took['judged_s']:.0f} s from the first byte to the verdict, {total:.0f} CPU seconds: {groups}"


def _unread(number: int, chosen: random.Random) -> Unread:
    """Return the next file that nobody reads."""

    def word() -> str:
        return chosen.choice(WORDS)

    kind = number % 4
    if kind == 0:
        lines = [
            f"2026-11-21 05:{at:02}:00.{number % 1000:03} 7f{number:x} {word()} {word()}" for at in range(40)
        ]
        return Unread("var/log/ceph", "osd", "\n".join(lines))
    if kind == 1:
        return Unread(f"proc/{number}", "fdinfo", f"{number}\n")
    if kind == 2:
        return Unread("etc/conf.d", "conf", "\n".join(f"{word()} = {word()}" for _ in range(30)))
    members = ",\n".join(f'  "{word()}{at}": "{word()}"' for at in range(25))
    return Unread("sos_commands/ceph", "dump", f"{{\n{members}\n}}\n")


def _add(archive: tarfile.TarFile, name: str, content: bytes) -> None:
    member = tarfile.TarInfo(f"{PREFIX}/{name}")
    member.size = len(content)
    archive.addfile(member, io.BytesIO(content))


def _read(path: Path) -> str:
    """Read an archive; return CPU and wall seconds, the peak of memory and how many members were read."""
    started, worked = time.monotonic(), time.process_time()
    [evidence] = read_paths([path])
    worked, took = time.process_time() - worked, time.monotonic() - started
    megabytes = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    return f"{worked:.1f} | {took:.1f} | {megabytes:.0f} | {len(evidence.members)}"


def _page(rows: list[str], whole: str, served: str) -> str:
    return "\n".join(
        (
            "# Whole sosreports",
            "",
            "Written by `python -m benchmarks.sosreports`: generated archives, read by the engine alone on",
            f"{os.cpu_count()} CPUs under a load of {os.getloadavg()[0]:.0f}. Goals: 14,864 files in 8 s,",
            "79,702 in 25 s with 250 MB.",
            "",
            "| files | MB | CPU seconds | wall seconds | MB of memory | members read |",
            "| ---: | ---: | ---: | ---: | ---: | ---: |",
            *rows,
            "",
            "`casebook analyze` of a report with 26 MB of logs and 10,400 files of 1,300 processes, whole",
            f"command, goal 6 s: {whole}.",
            "",
            "The same report, sent to a throw-away instance in one request:",
            f"{served}.",
            f"Before members were stored together: {BEFORE}.",
            "",
        )
    )


if __name__ == "__main__":
    main()
