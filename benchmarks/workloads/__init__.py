"""Programs that `benchmarks.record` records, by the character of their stacks.

python -m benchmarks.workloads kernel 20        # runs them for 20 seconds, then ends them
"""

from __future__ import annotations

import os
import random
import signal
import subprocess
import sys
import time
from pathlib import Path

HERE = Path(__file__).parent
ROOT = HERE.parents[1]
SCRATCH = ROOT / "var" / "bench" / "work"
GRACE_SECONDS = 10
FUNCTIONS = 300
CALLEES = 6
DEPTH = 30
SEED = 1


def _repeated(command: str) -> tuple[str, ...]:
    return "sh", "-c", f"while :; do {command}; done > /dev/null 2>&1"


CHARACTERS: dict[str, tuple[tuple[str, ...], ...]] = {
    # Short stacks of the kernel.
    "kernel": (
        _repeated("dd if=/dev/zero of=$SCRATCH/dd.bin bs=64k count=4000"),
        _repeated("openssl speed -seconds 1 sha256 rsa2048"),
        _repeated("ls -lR /usr/lib /usr/share"),
    ),
    # Many threads and short-lived processes.
    "builds": (
        _repeated(
            "touch $ROOT/ingest/native/src/lib.rs; cargo check --offline "
            "--manifest-path $ROOT/ingest/native/Cargo.toml --target-dir $SCRATCH/target"
        ),
        _repeated("gcc -O2 -o $SCRATCH/calls.o -c $SCRATCH/calls.c"),
        _repeated("head -c 20000000 /dev/urandom | base64 | sort"),
        _repeated("for name in /etc/*; do wc -c $name; done"),
        (sys.executable, str(HERE / "threads.py")),
    ),
    # Stacks of an interpreter and of a just-in-time compiler.
    "interpreters": (
        ("node", "--perf-basic-prof", str(HERE / "render.js")),
        (sys.executable, str(HERE / "interpreter.py")),
    ),
    # Recursion in a virtual machine.
    "java": (
        (
            "java",
            "-XX:+PreserveFramePointer",
            "-XX:+UnlockDiagnosticVMOptions",
            "-XX:+DumpPerfMapAtExit",
            "-Xmx512m",
            "-cp",
            str(SCRATCH),
            "Work",
        ),
    ),
    # Deep stacks of compiled code, most of them unique.
    "calls": ((str(SCRATCH / "calls"),), (str(SCRATCH / "calls"),)),
}


def build() -> None:
    """Compile what the programs need."""
    SCRATCH.mkdir(parents=True, exist_ok=True)
    source = SCRATCH / "calls.c"
    source.write_text(calls(), encoding="utf-8")
    options = ("-O1", "-fno-omit-frame-pointer", "-fno-inline", "-fno-optimize-sibling-calls")
    subprocess.run(["gcc", *options, "-o", str(SCRATCH / "calls"), str(source)], check=True)
    subprocess.run(["javac", "-d", str(SCRATCH), str(HERE / "Work.java")], check=True)


def calls() -> str:
    """Return a C program of functions that call each other by chance, down to a depth of about thirty."""
    chance = random.Random(SEED)  # noqa: S311 - the same program every time
    verbs = ("parse", "visit", "emit", "fold", "lower")
    names = [f"{chance.choice(verbs)}_{number}" for number in range(FUNCTIONS)]
    lines = [
        "#include <stdint.h>",
        "#include <unistd.h>",
        "static uint64_t state, sink;",
        "static uint64_t turn(void) {",
        "  state ^= state << 13; state ^= state >> 7; return state ^= state << 17;",
        "}",
        *(f"uint64_t {name}(int depth);" for name in names),
    ]
    for name in names:
        rows = [f"    case {at}: return {chance.choice(names)}(depth - 1) + {at};" for at in range(CALLEES)]
        lines += [
            f"uint64_t {name}(int depth) {{",
            "  if (depth <= 0) { for (int at = 0; at < 40000; at++) sink += at ^ state; return sink; }",
            f"  switch (turn() % {CALLEES}) {{",
            *rows,
            "  }",
            "  return 0;",
            "}",
        ]
    first = f"{names[0]}({DEPTH} - turn() % 8)"
    lines.append(f"int main(void) {{ state = getpid() * 2654435761u + 1; for (;;) {first}; }}")
    return "\n".join(lines) + "\n"


def run(character: str, seconds: float) -> None:
    """Run the programs of a character together for `seconds`."""
    quiet = subprocess.DEVNULL
    environment = {**os.environ, "ROOT": str(ROOT), "SCRATCH": str(SCRATCH)}
    workers = [
        subprocess.Popen(
            command, cwd=SCRATCH, env=environment, start_new_session=True, stdout=quiet, stderr=quiet
        )
        for command in CHARACTERS[character]
    ]
    time.sleep(seconds)
    for worker in workers:
        os.killpg(worker.pid, signal.SIGTERM)
    for worker in workers:
        try:
            worker.wait(GRACE_SECONDS)
        except subprocess.TimeoutExpired:
            os.killpg(worker.pid, signal.SIGKILL)
            worker.wait()
