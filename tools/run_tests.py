"""Run every part of `make test`, also when one fails; report times, failures and the slowest tests.

python -m tools.run_tests

Parts of different lanes run side by side, since most tests wait for servers and browsers. Every line of
output is printed with the name of its part and stored in `var/test/<part>.log`. The exit status is 1 if any
part fails.
"""

from __future__ import annotations

import os
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from threading import Lock
from typing import NamedTuple
from xml.etree import ElementTree as ET

RESULTS = Path("var/test")
SLOWEST = 10
REASON = 300


class Part(NamedTuple):
    """A target of the Makefile, with its time budget in minutes on 2 idle cores.

    Attributes:
        niceness: What it is started with: parts that only compute step back for those that wait for answers.
    """

    name: str
    target: str
    budget_minutes: int
    niceness: int = 0


LANES = (
    (Part("browser", "test-e2e", 6),),
    (Part("python", "test-python", 8, niceness=2),),
    (
        Part("check", "check", 3, niceness=4),
        Part("ui", "test-ui", 1, niceness=4),
        Part("rust", "test-rust", 1, niceness=4),
    ),
)


class Result(NamedTuple):
    """What a part took, and how it ended."""

    part: Part
    status: int
    seconds: float
    cpu_seconds: float


class Case(NamedTuple):
    """A test of a JUnit file."""

    part: str
    name: str
    seconds: float
    failed: bool
    reason: str = ""


_printing = Lock()


def say(text: str) -> None:
    """Print a line whole, whichever thread prints."""
    with _printing:
        sys.stdout.write(f"{text}\n")
        sys.stdout.flush()


def run(part: Part) -> Result:
    """Run a part with its output prefixed and stored."""
    began = time.monotonic()
    with (
        (RESULTS / f"{part.name}.log").open("wb") as log,
        subprocess.Popen(
            ["nice", "-n", str(part.niceness), "make", part.target],
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
        ) as process,
    ):
        for line in process.stdout or ():
            log.write(line)
            say(f"{part.name:10} {line.decode(errors='replace').rstrip()}")
        # Popen.wait() does not return the CPU time of the descendants.
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
    cpu_seconds = usage.ru_utime + usage.ru_stime
    return Result(part, process.returncode, time.monotonic() - began, cpu_seconds)


def run_lane(parts: tuple[Part, ...]) -> list[Result]:
    """Run parts one after another."""
    return [run(part) for part in parts]


def cases(folder: Path) -> list[Case]:
    """Return the tests of all JUnit files, `<part>.xml` and `<part>-<number>.xml`."""
    found = []
    for path in sorted(folder.glob("*.xml")):
        part = path.stem.split("-")[0]
        for element in ET.parse(path).iter("testcase"):  # noqa: S314 (written by our own tests)
            name = f"{element.get('classname')} {element.get('name')}"
            ends = [end for tag in ("failure", "error") if (end := element.find(tag)) is not None]
            reason = next((line for end in ends for line in _reasons(end)), "")
            found.append(Case(part, name, float(element.get("time") or 0), bool(ends), reason))
    return found


def _reasons(end: ET.Element) -> list[str]:
    """Return the lines that tell why a test failed, shortened: its log is long, and not kept everywhere."""
    lines = (end.get("message") or end.text or "").splitlines()
    return [line.strip()[:REASON] for line in lines if line.strip()]


def summary(results: list[Result], tests: list[Case]) -> str:
    """Return the table of parts, the failed tests and the slowest tests."""
    lines = ["part         result     time   budget      CPU   tests"]
    for result in results:
        ended = "passed" if result.status == 0 else "FAILED"
        count = sum(test.part == result.part.name for test in tests) or ""
        times = (result.seconds, 60 * result.part.budget_minutes, result.cpu_seconds)
        clocks = " ".join(f"{_clock(seconds):>8}" for seconds in times)
        lines.append(f"{result.part.name:12} {ended:6} {clocks} {count:>7}")
    failed = [test for test in tests if test.failed]
    if failed:
        lines += ["", "failed tests"]
        for test in failed:
            lines += [f"  {test.part:10} {test.name}", f"  {'':10}   {test.reason}"]
    slowest = sorted(tests, key=lambda test: -test.seconds)[:SLOWEST]
    lines += ["", "slowest tests", *(f"  {one.seconds:6.1f} s  {one.part:10} {one.name}" for one in slowest)]
    return "\n".join(lines)


def _clock(seconds: float) -> str:
    minutes, rest = divmod(round(seconds), 60)
    return f"{minutes}:{rest:02}"


def main() -> int:
    """Run all parts; return the exit status."""
    RESULTS.mkdir(parents=True, exist_ok=True)
    for old in RESULTS.iterdir():
        old.unlink()
    began = time.monotonic()
    with ThreadPoolExecutor(len(LANES)) as lanes:
        results = [result for lane in lanes.map(run_lane, LANES) for result in lane]
    say(f"\n{summary(results, cases(RESULTS))}")
    failed = [result.part.name for result in results if result.status]
    say(f"\n{_clock(time.monotonic() - began)} in all, {len(failed)} of {len(results)} parts failed")
    for name in failed:
        say(f"failed: {name} (see {RESULTS / name}.log)")
    return int(bool(failed))


if __name__ == "__main__":
    sys.exit(main())
