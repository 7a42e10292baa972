"""Install the wheel of var/release in clean environments: `python -m tools.release.check [PYTHON…]`.

PYTHON is a version or an interpreter. Each environment gets the bare wheel, then the extra `server`. From the
bare one `analyze` runs, and `serve` names what is missing; from the other `serve` starts with its database,
broker and pages. benchmarks/INSTALL.md has the figures; rows of other Pythons and the section of
`tools.release.foreign` stay.
"""

from __future__ import annotations

import json
import os
import platform
import re
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import NamedTuple

import httpx

from tools.release.environments import (
    UV,
    CheckError,
    clean_environment,
    install,
    megabytes,
    run,
    timed,
)
from tools.release.source_tree import ROOT

FOLDER = ROOT / "var/release"
TABLE = ROOT / "benchmarks/INSTALL.md"
EVIDENCE = ROOT / "tests/data/perf-script/memcg-reclaim.default.txt"
PYTHONS = ("3.11", "3.12", "3.13", "3.14")
LARGEST_MEGABYTES = 90
SERVE_SECONDS = 240
HEAD = """# Installation from the wheel

`make release-check` wrote this page: the wheel of `make release` in a new environment of each Python,
outside of the checkout. MB are 10⁶ bytes of files below `lib` after `uv pip install`. Times of the command
are CPU seconds; that of `serve`, which prepares a database, is wall-clock, at the load average beside it.
Goal: the command in {limit} MB; numpy for Python 3.11 is 5 MB larger than for later ones. Of 98 MB numpy and
its BLAS are 57, modules and tables of Casebook 13, its library with captures 4, the native module with the
catalogue of kernel messages 9, pydantic, which `upload` needs for its client, 7, PyYAML 3, others 4.

| Python | system | command | `-V` | `analyze` | `[server]` | `serve` ready | load | page, script, style |
| --- | --- | ---: | ---: | ---: | ---: | ---: | ---: | --- |
"""
SECTION = "\n## "
SCRIPT = re.compile(r'<script[^>]* src="([^"]+)"')
STYLE = re.compile(r'<link[^>]* href="([^"]+\.css)"')


class Row(NamedTuple):
    """Figures of one Python: sizes in MB, times in seconds."""

    python: str
    bare: float
    version: float
    analyze: float
    findings: int
    server: float
    ready: float
    load: float
    statuses: tuple[int, ...]


def main(pythons: list[str]) -> None:
    """Check every Python and write the table; a Python that uv cannot find is named."""
    (wheel,) = FOLDER.glob(f"*{platform.machine()}.whl")
    (rows, rest), missing, failures = _stored(), [], []
    for python in pythons:
        with tempfile.TemporaryDirectory(prefix="casebook-release-") as folder:
            environment = Path(folder) / "environment"
            made = run([UV, "venv", "--quiet", "--python", python, environment])
            if made.returncode:
                missing.append(f"{python} ({made.stderr.strip().splitlines()[-1].strip()})")
                continue
            try:
                row = _check(wheel, environment, Path(folder))
                rows[_release(row.python)] = _line(row)
                sys.stdout.write(f"{_line(row)}\n")
                sys.stdout.flush()
            except CheckError as error:
                failures.append(f"{python}: {error}")
    lines = [HEAD.format(limit=LARGEST_MEGABYTES), *(f"{line}\n" for _, line in sorted(rows.items()))]
    TABLE.write_text("".join([*lines, *rest]), encoding="utf-8")
    if missing or failures:
        sys.exit("\n".join([*failures, *(f"not checked: {one}" for one in missing)]))


def _stored() -> tuple[dict[tuple[str, ...], str], tuple[str, ...]]:
    """Return the rows of the table by release of Python, and the sections below it, which stay."""
    table, *rest = TABLE.read_text(encoding="utf-8").partition(SECTION) if TABLE.is_file() else ("",)
    rows = {_release(line.split()[1]): line for line in table.splitlines() if line.startswith("| 3.")}
    return rows, tuple(rest)


def _release(python: str) -> tuple[str, ...]:
    return tuple(python.split(".")[:2])


def _check(wheel: Path, environment: Path, folder: Path) -> Row:
    casebook = environment / "bin/casebook"
    python = environment / "bin/python"
    install(["--python", python], str(wheel), FOLDER)
    bare = megabytes(environment / "lib")
    version, _ = timed([casebook, "-V"], folder)
    analyze, printed = timed([casebook, "analyze", EVIDENCE, "--format", "json"], folder)
    findings = len(json.loads(printed)["findings"])
    refused = run([casebook, "serve"], folder).stderr
    if "kernel-casebook[server]" not in refused:
        raise CheckError(f"serve without [server] says {refused!r}")
    install(["--python", python], f"{wheel}[server]", FOLDER)
    server = megabytes(environment / "lib")
    ready, statuses = _served(casebook, folder)
    release = run([python, "-V"]).stdout.split()[1]
    return Row(release, bare, version, analyze, findings, server, ready, os.getloadavg()[0], statuses)


def _served(casebook: Path, folder: Path) -> tuple[float, tuple[int, ...]]:
    """Start the service; return seconds until it answers, and the statuses of page, script and style."""
    command = [casebook, "serve", "--with-parent", "--port", "0", "--data-dir", folder / "data"]
    started = time.monotonic()
    log = folder / "serve.log"
    with log.open("w") as stream:
        process = subprocess.Popen(
            command, cwd=folder, stdout=stream, stderr=subprocess.STDOUT, env=clean_environment()
        )
        try:
            url = ""
            while not url:
                text = log.read_text()
                if process.poll() is not None or time.monotonic() > started + SERVE_SECONDS:
                    raise CheckError(f"serve did not start\n{text[-2000:]}")
                url = next((line.strip() for line in text.splitlines() if "/sign-in?token=" in line), "")
                time.sleep(0.1)
            seconds = time.monotonic() - started
            return seconds, _page(url.partition("/sign-in")[0])
        finally:
            process.send_signal(signal.SIGTERM)
            process.wait(60)


def _page(base: str) -> tuple[int, ...]:
    httpx.get(f"{base}/api/v1/health").raise_for_status()
    page = httpx.get(base)
    files = [pattern.search(page.text) for pattern in (SCRIPT, STYLE)]
    if '<div id="root">' not in page.text or not all(files):
        raise CheckError(f"the page is not ours: {page.text[:200]!r}")
    answers = [httpx.get(f"{base}{found[1]}") for found in files if found]
    if not all(answer.is_success and answer.content for answer in answers):
        raise CheckError(f"the page lacks {[str(one.url) for one in answers if not one.is_success]}")
    return (page.status_code, *(answer.status_code for answer in answers))


def _line(row: Row) -> str:
    cells = (
        row.python,
        platform.freedesktop_os_release()["PRETTY_NAME"],
        f"{row.bare:.1f} MB",
        f"{row.version:.2f} s",
        f"{row.analyze:.2f} s, {row.findings} findings",
        f"{row.server:.0f} MB",
        f"{row.ready:.0f} s",
        f"{row.load:.0f}",
        ", ".join(map(str, row.statuses)),
    )
    return f"| {' | '.join(cells)} |"


if __name__ == "__main__":
    main(sys.argv[1:] or list(PYTHONS))
