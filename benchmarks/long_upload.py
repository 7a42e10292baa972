"""Gigabytes over a line that is cut for a minute: `python -m benchmarks.long_upload` writes LONG_UPLOAD.md.

`casebook upload` sends a perf script to a throw-away instance over `tests.e2e.line`, which breaks once,
halfway, for a minute. Then the service says what it has, and its digest is compared with that of the file.
"""

from __future__ import annotations

import gzip
import hashlib
import json
import os
import subprocess
import sys
import tempfile
import time
from datetime import UTC, datetime
from pathlib import Path
from typing import NamedTuple
from urllib.parse import urlsplit

from backend.client import Client
from backend.evidence.sample_cases import SAMPLES
from cli.service.instance import Instance, throw_away

RESULTS = Path(__file__).with_name("LONG_UPLOAD.md")
RECORDING = SAMPLES / "reclaim-at-the-limit/perf.script.txt.gz"
GB = 10**9
CUT_SECONDS = 60
RATE = 80e6
POLL_SECONDS = 0.5


class Sent(NamedTuple):
    """One run.

    Attributes:
        size_bytes: Of the file.
        sent_after: Seconds until the command ended.
        kept_after: Seconds until the file was evidence.
        line_bytes: What the line carried.
        cuts: How often it broke.
        is_same: Whether the stored file equals the sent file.
    """

    size_bytes: int
    sent_after: float
    kept_after: float
    line_bytes: int
    cuts: int
    is_same: bool


def make(path: Path, size_bytes: int) -> str:
    """Write a long perf script, every round of it with its number, and return its SHA-256."""
    recorded = gzip.decompress(RECORDING.read_bytes())
    digest = hashlib.sha256()
    with path.open("wb") as out:
        number = 0
        while out.tell() < size_bytes:
            piece = f"# round {number}\n".encode() + recorded
            digest.update(piece)
            out.write(piece)
            number += 1
    return digest.hexdigest()


def send(instance: Instance, path: Path, sha256: str) -> Sent:
    """Send the file over the line, and wait until it is evidence."""
    token = instance.create_token("long")
    size = path.stat().st_size
    port = str(urlsplit(instance.url).port)
    words = ["--rate", str(RATE), "--cut-bytes", str(size // 2), "--most-cuts", "1"]
    words += ["--cut-seconds", str(CUT_SECONDS)]
    with subprocess.Popen(
        [sys.executable, "-m", "tests.e2e.line", port, *words],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    ) as line:
        assert line.stdout is not None  # noqa: S101 - set above
        url = f"http://127.0.0.1:{line.stdout.readline().strip()}"
        began = time.monotonic()
        command = [sys.executable, "-m", "cli", "upload", str(path), "--url", url, "--token", token]
        subprocess.run(command, check=True)
        sent_after = time.monotonic() - began
        output, _ = line.communicate()
    carried = json.loads(output.splitlines()[-1])
    with Client(instance.url, token=token) as casebook:
        case = next(casebook.cases())
        while not (stored := [one for one in casebook.evidence(case.id) if one.size_bytes == size]):
            time.sleep(POLL_SECONDS)
    kept_after = time.monotonic() - began
    return Sent(size, sent_after, kept_after, carried["bytes"], carried["cuts"], stored[0].sha256 == sha256)


def page(sent: Sent, load: tuple[float, ...]) -> str:
    """Return the figures as a page."""
    rows = [
        ("file", f"{sent.size_bytes / GB:.2f} GB"),
        (f"times it was cut, halfway, for {CUT_SECONDS} s", f"{sent.cuts}"),
        ("all of it had been sent after", f"{sent.sent_after:.0f} s"),
        ("it was evidence, hashed and in the store, after", f"{sent.kept_after:.0f} s"),
        ("the line carried", f"{sent.line_bytes / GB:.2f} GB"),
        ("sent more than once", f"{max(0, sent.line_bytes - sent.size_bytes) / 1e6:.0f} MB"),
        ("SHA-256 as it was", "yes" if sent.is_same else "NO"),
    ]
    return "\n".join(
        [
            "# Gigabytes over a line that is cut for a minute",
            "",
            f"{datetime.now(UTC):%Y-%m-%d}, {os.cpu_count()} CPUs, load {load[0]:.1f} at the end: shared.",
            "Measured by `python -m benchmarks.long_upload`.",
            "",
            f"`casebook upload` over a line of {RATE / 1e6:.0f} MB/s (`tests/e2e/line.py`).",
            "",
            "| what | measured |",
            "| --- | ---: |",
            *(f"| {what} | {measured} |" for what, measured in rows),
            "",
        ]
    )


def main(gigabytes: float) -> None:
    """Measure once and write the page."""
    with tempfile.TemporaryDirectory() as folder, throw_away(say=print) as instance:
        path = Path(folder, "perf.script")
        sha256 = make(path, int(gigabytes * GB))
        sent = send(instance, path, sha256)
    text = page(sent, os.getloadavg())
    RESULTS.write_text(text)
    sys.stdout.write(text)


if __name__ == "__main__":
    main(float(sys.argv[1]) if len(sys.argv) > 1 else 4.0)
