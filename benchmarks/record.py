"""Record this machine under mixed work, and make inputs of given sizes out of the recordings.

python -m benchmarks.record 100 500 1000        # megabytes; needs root and perf

Each recording is another mix of programs (python, node, cargo, sort, openssl, dd), system-wide at 4999 Hz.
An input is different recordings one after the other until it has its size, cut at the end of a sample.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from contextlib import ExitStack
from pathlib import Path
from typing import IO

ROOT = Path(__file__).parents[1]
INPUTS = ROOT / "var" / "bench"
SECONDS = 12
MEGABYTE = 1_000_000
COPY_BYTES = 1 << 20

PYTHON_WORK = "import json\nwhile True: json.loads(json.dumps(list(range(20000))))"
NODE_WORK = "for(;;){let a={};for(let i=0;i<1e5;i++)a['k'+i]=[i,String(i)];JSON.stringify(a)}"
CARGO_WORK = (
    "while :; do touch ingest/native/src/lib.rs; cargo check --quiet "
    "--manifest-path ingest/native/Cargo.toml --target-dir var/bench/target; done"
)
SORT_WORK = "while :; do head -c 20000000 /dev/urandom | base64 | sort > /dev/null; done"
OPENSSL_WORK = "while :; do openssl speed -seconds 1 sha256 rsa2048 >/dev/null 2>&1; done"
DD_WORK = "while :; do dd if=/dev/zero of=var/bench/dd.bin bs=1M count=300 status=none; done"
WORK = {
    "python": [sys.executable, "-c", PYTHON_WORK],
    "node": ["node", "-e", NODE_WORK],
    "cargo": ["sh", "-c", CARGO_WORK],
    "sort": ["sh", "-c", SORT_WORK],
    "openssl": ["sh", "-c", OPENSSL_WORK],
    "dd": ["sh", "-c", DD_WORK],
}
MIXES = [
    ("python", "node"),
    ("cargo", "sort"),
    ("openssl", "dd"),
    ("node", "cargo", "dd"),
    ("python", "sort", "openssl"),
    ("cargo", "python"),
]


def record(mix: tuple[str, ...], text: Path) -> None:
    """Record one mix and print it as text."""
    data = text.with_suffix(".data")
    with ExitStack() as stack:
        for name in mix:
            worker = subprocess.Popen(WORK[name], cwd=ROOT, start_new_session=True, stderr=subprocess.DEVNULL)
            stack.callback(worker.wait)
            stack.callback(os.killpg, worker.pid, 15)
        command = ["perf", "record", "-F", "4999", "-a", "-g", "-o", str(data), "--", "sleep", str(SECONDS)]
        subprocess.run(command, check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    with text.open("wb") as out:
        command = ["perf", "script", "--no-inline", "-i", str(data)]
        subprocess.run(command, check=True, stdout=out, stderr=subprocess.DEVNULL)
    data.unlink()


def recordings(count: int) -> list[Path]:
    """Return `count` recordings, made when they are not there."""
    INPUTS.mkdir(parents=True, exist_ok=True)
    made = []
    for number, mix in enumerate(MIXES[:count]):
        text = INPUTS / f"recording-{number}.txt"
        if not text.is_file():
            sys.stderr.write(f"recording {', '.join(mix)} for {SECONDS} s\n")
            record(mix, text)
        made.append(text)
    (INPUTS / "dd.bin").unlink(missing_ok=True)
    return made


def make_input(size_bytes: int, parts: list[Path], name: str = "perf") -> Path:
    """Return a text of about `size_bytes`, whole samples only."""
    path = INPUTS / f"{name}-{size_bytes // MEGABYTE}MB.txt"
    if path.is_file():
        return path
    partial = path.with_suffix(".new")
    with partial.open("wb") as out:
        while out.tell() < size_bytes:
            for part in parts:
                with part.open("rb") as source:
                    shutil.copyfileobj(source, out, COPY_BYTES)
                if out.tell() >= size_bytes:
                    break
    _cut(partial, size_bytes)
    partial.rename(path)
    return path


def _cut(path: Path, size_bytes: int) -> None:
    with path.open("r+b") as text:
        end = _end_of_sample(text, size_bytes)
        text.truncate(end)


def _end_of_sample(text: IO[bytes], size_bytes: int) -> int:
    start = max(0, size_bytes - COPY_BYTES)
    text.seek(start)
    return start + text.read(COPY_BYTES).rindex(b"\n\n") + 2


if __name__ == "__main__":
    chosen = [int(word) for word in sys.argv[1:]] or [100, 500, 1000]
    for size in chosen:
        sys.stdout.write(f"{make_input(size * MEGABYTE, recordings(len(MIXES)))}\n")
