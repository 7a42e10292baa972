"""Install the wheel of var/wheel as a new user and write the session: `python -m tools.release.transcript`.

The home directory has a kernel log and nothing else, and nothing of this checkout is on the path but uv.
benchmarks/CLEAN_INSTALL.md has the commands with their output; one that fails ends the run.
"""

from __future__ import annotations

import os
import platform
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

from tools.release.environments import UV, CheckError, clean_environment, megabytes, run
from tools.release.source_tree import ROOT

WHEELS = ROOT / "var/wheel"
LOG = ROOT / "tests/data/kernel-log/dmesg-oom.txt"
PAGE = ROOT / "benchmarks/CLEAN_INSTALL.md"
SYSTEM_PATH = "/usr/local/bin:/usr/bin:/bin"
COMMANDS = (
    "uv tool install --quiet ./{wheel}",
    "casebook --version",
    "casebook analyze --demo | head -n 12",
    "casebook completion bash > casebook.bash",
    "bash -c 'source casebook.bash; complete -p casebook'",
    'casebook analyze --fail-on default dmesg.txt | head -n 3; echo "status ${{PIPESTATUS[0]}}"',
    "uv tool uninstall kernel-casebook",
    "find . -name '*casebook*' -not -name '*.whl'",
)
TEXT = """# A clean installation

`python -m tools.release.transcript` wrote this page: the wheel of `make prove-install` on {system},
by a user whose home directory has a kernel log and nothing else. The installed files are {megabytes:.1f} MB,
Python {python} excluded.

```console
{lines}
```
"""


def main() -> None:
    """Run the commands and write the page.

    Raises:
        CheckError: A command fails.
    """
    (wheel,) = WHEELS.glob("*.whl")
    cache = run([UV, "cache", "dir"]).stdout.strip()
    with tempfile.TemporaryDirectory(prefix="casebook-home-") as folder:
        home = Path(folder)
        programs = home / "bin"
        programs.mkdir()
        (programs / "uv").symlink_to(UV)
        (home / wheel.name).symlink_to(wheel)
        shutil.copy(LOG, home / "dmesg.txt")
        environment = {
            **clean_environment(),
            "HOME": folder,
            "PATH": os.pathsep.join((str(home / ".local/bin"), str(programs), SYSTEM_PATH)),
            "UV_CACHE_DIR": cache,
            "UV_NO_PROGRESS": "1",
            "COLUMNS": "110",
        }
        lines, size, python = [], 0.0, ""
        for command in (one.format(wheel=wheel.name) for one in COMMANDS):
            lines += [f"$ {command}", *_output(command, home, environment)]
            installed = home / ".local/share/uv/tools/kernel-casebook"
            if installed.is_dir() and not size:
                size = megabytes(installed / "lib")
                python = run([installed / "bin/python", "-V"]).stdout.split()[1]
    system = platform.freedesktop_os_release()["PRETTY_NAME"]
    text = TEXT.format(system=system, megabytes=size, python=python, lines="\n".join(lines))
    PAGE.write_text(text, encoding="utf-8")
    sys.stdout.write(text)


def _output(command: str, home: Path, environment: dict[str, str]) -> list[str]:
    """Return the lines that a command prints, with ~ for the home directory."""
    done = subprocess.run(
        ["bash", "-c", f"exec 2>&1; {command}"],
        cwd=home,
        env=environment,
        stdout=subprocess.PIPE,
        text=True,
        check=False,
    )
    if done.returncode:
        raise CheckError(f"{command} ends with {done.returncode}: {done.stdout}")
    return done.stdout.replace(str(home), "~").rstrip().splitlines()


if __name__ == "__main__":
    main()
