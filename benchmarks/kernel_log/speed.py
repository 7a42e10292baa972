"""Reading speed of kernel logs: `python -m benchmarks.kernel_log.speed [MB]`.

    --write DIR      writes the logs into a folder and stops, for an earlier commit to read
    --read FILE…     reads logs that `--write` left; run it with the earlier commit's `PYTHONPATH`

Three logs of the same length: a boot log, a log of messages of every class, and a mixture of nine ordinary
lines with one of a class. CPU time of this process, the fastest of three runs.
"""

from __future__ import annotations

import argparse
import itertools
import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING

from ingest.model.section import Text
from ingest.readers.logs import kernel_log

if TYPE_CHECKING:
    from collections.abc import Sequence

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


def logs(size_bytes: int) -> dict[str, str]:
    """Return the texts by what they hold; each of about `size_bytes`."""
    from ingest.catalogue.log_classes import CLASSES  # noqa: PLC0415 - an earlier commit has none

    samples = [one.sample for one in CLASSES]
    mixture = [line for sample in samples for line in (*ORDINARY[:9], sample)]
    shapes = {"boot log": ORDINARY, "every class": samples, "mixture": mixture}
    return {name: _log(lines, size_bytes) for name, lines in shapes.items()}


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


def measure(text: str) -> float:
    """Return the CPU seconds of the fastest reading."""
    times = []
    for _ in range(ROUNDS):
        started = time.process_time()
        kernel_log.read(Text(text.split("\n")))
        times.append(time.process_time() - started)
    return min(times)


def main() -> None:
    """Measure and print megabytes per CPU second."""
    arguments = argparse.ArgumentParser(prog="python -m benchmarks.kernel_log.speed")
    arguments.add_argument("megabytes", nargs="?", type=float, default=50.0)
    arguments.add_argument("--write", type=Path)
    arguments.add_argument("--read", type=Path, nargs="*")
    given = arguments.parse_args()
    if given.read:
        texts = {path.stem: path.read_text(encoding="utf-8") for path in given.read}
    else:
        texts = logs(int(given.megabytes * 1e6))
    if given.write:
        for name, text in texts.items():
            (given.write / f"{name}.log").write_text(text, encoding="utf-8")
        return
    for name, text in texts.items():
        seconds = measure(text)
        sys.stdout.write(
            f"{name}: {len(text) / 1e6:.0f} MB, {seconds:.2f} s, {len(text) / 1e6 / seconds:.2f} MB/s\n"
        )


if __name__ == "__main__":
    main()
