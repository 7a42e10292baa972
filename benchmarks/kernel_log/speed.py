"""Speed of kernel logs: `python -m benchmarks.kernel_log.speed [MB]`.

    --write DIR      writes the logs into a folder and stops, for an earlier commit to read
    --read FILE…     reads such files; run it with the earlier commit's `PYTHONPATH`
    --whole          reads, judges and looks at the overview, not only the reader

Four logs of the same length: a boot log, a log of messages of every class, a mixture of nine ordinary lines
with one of a class, and a system log of which 70 % are other programs'. CPU time of this process, the fastest
of three runs.
"""

from __future__ import annotations

import argparse
import io
import itertools
import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING

from ingest.garbage import collect_rarely
from ingest.model.section import Text
from ingest.readers.logs import kernel_log

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

ROUNDS = 3
ORDINARY = (
    "pci 0000:00:1f.0: reg 0x10: [mem 0xfebc0000-0xfebdffff]",
    "ACPI: PCI: Interrupt link LNKC configured for IRQ 11",
    "usb 1-1: new high-speed USB device number 2 using ehci-pci",
    "e820: reserve RAM buffer [mem 0x0009fc00-0x0009ffff]",
    "systemd[1]: Started Journal Service.",
    "EXT4-fs (sda1): mounted filesystem with ordered data mode. Opts: (null)",
    "IPv6: ADDRCONF(NETDEV_CHANGE): eth0: link becomes ready",
    "audit: type=1131 audit(1700000000.123:456): pid=1 uid=0 auid=4294967295 ses=4294967295 msg='unit=cron'",
    "docker0: port 2(veth1a2b3c4) entered blocking state",
    "x86/fpu: Supporting XSAVE feature 0x001: 'x87 floating point registers'",
)

PROGRAMS = (
    "systemd[1]: Started Session {number} of user root.",
    "sshd[{number}]: Accepted publickey for deploy from 192.0.2.7 port 51{number} ssh2: RSA SHA256:q{number}",
    "CRON[{number}]: (root) CMD (/usr/lib/sysstat/debian-sa1 1 1)",
    'haproxy[811]: 192.0.2.9:4{number} http-in app 0/0/1 200 {number} "GET /items/{number} HTTP/1.1"',
    "postfix/smtp[{number}]: 4B{number}: to=<user@example.com>, delay=0.2, status=sent",
    "dockerd[902]: level=info msg=ignoring-event container={number} module=libcontainerd",
    "snmpd[740]: Connection from UDP: [192.0.2.3]:{number}->[192.0.2.1]:161",
)


def logs(size_bytes: int) -> dict[str, str]:
    """Return the texts by what they hold; each of about `size_bytes`."""
    from ingest.catalogue.log_classes import CLASSES  # noqa: PLC0415 - an earlier commit has none

    samples = [one.sample for one in CLASSES]
    mixture = [line for sample in samples for line in (*ORDINARY[:9], sample)]
    shapes = {"boot log": ORDINARY, "every class": samples, "mixture": mixture}
    written = {name: _log(lines, size_bytes) for name, lines in shapes.items()}
    return written | {"system log": _system_log(size_bytes)}


def _log(messages: Sequence[str], size_bytes: int) -> str:
    """Return a log of the messages in turn, a tenth of a second apart."""
    written, lines = 0, []
    for number, message in enumerate(itertools.cycle(messages)):
        line = f"[{number / 10:12.6f}] {message}"
        lines.append(line)
        written += len(line) + 1
        if written >= size_bytes:
            return "\n".join(lines)
    raise AssertionError


def _system_log(size_bytes: int) -> str:
    """Return a log of a second each, three lines of ten from the kernel."""
    written, lines = 0, []
    for number in itertools.count():
        stamp = f"{number // 3600 % 24:02}:{number // 60 % 60:02}:{number % 60:02}"
        head = f"Mar {number // 86400 % 28 + 1:>2} {stamp} web-07"
        if number % 10 < 3:
            line = f"{head} kernel: [{number:7}.000000] {ORDINARY[number // 10 % len(ORDINARY)]}"
        else:
            line = f"{head} {PROGRAMS[number % len(PROGRAMS)].format(number=number)}"
        lines.append(line)
        written += len(line) + 1
        if written >= size_bytes:
            break
    return "\n".join(lines)


def measure(text: str, run: Callable[[str], object]) -> float:
    """Return the CPU seconds of the fastest run."""
    times = []
    for _ in range(ROUNDS):
        started = time.process_time()
        run(text)
        times.append(time.process_time() - started)
    return min(times)


def _read(text: str) -> object:
    return kernel_log.read(Text(text.split("\n")))


def _whole(text: str) -> object:
    """Read, judge and look at the overview, as `casebook analyze` does."""
    from ingest.evidence import read_stream  # noqa: PLC0415 - an earlier commit may have it elsewhere
    from signatures.document.catalog import load_catalog  # noqa: PLC0415 - same
    from signatures.judging.judge import judge  # noqa: PLC0415 - same
    from signatures.judging.scope import items_of  # noqa: PLC0415 - same
    from signatures.overview import run  # noqa: PLC0415 - same

    evidence = read_stream(io.BytesIO(text.encode()), name="kernel.log")
    items = items_of([evidence])
    return judge(items, load_catalog()), tuple(run(items))


def main() -> None:
    """Measure and print megabytes per CPU second."""
    arguments = argparse.ArgumentParser(prog="python -m benchmarks.kernel_log.speed")
    arguments.add_argument("megabytes", nargs="?", type=float, default=50.0)
    arguments.add_argument("--write", type=Path)
    arguments.add_argument("--read", type=Path, nargs="*")
    arguments.add_argument("--whole", action="store_true")
    given = arguments.parse_args()
    if given.whole:
        collect_rarely()
    if given.read:
        texts = {path.stem: path.read_text(encoding="utf-8") for path in given.read}
    else:
        texts = logs(int(given.megabytes * 1e6))
    if given.write:
        for name, text in texts.items():
            (given.write / f"{name}.log").write_text(text, encoding="utf-8")
        return
    for name, text in texts.items():
        seconds = measure(text, _whole if given.whole else _read)
        sys.stdout.write(
            f"{name}: {len(text) / 1e6:.0f} MB, {seconds:.2f} s, {len(text) / 1e6 / seconds:.2f} MB/s\n"
        )


if __name__ == "__main__":
    main()
