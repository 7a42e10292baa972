"""Run the wheel for aarch64 on this machine, emulated: `python -m tools.release.foreign ROOT`.

ROOT is the root of a Linux for aarch64 with a Python, for example packages of Debian unpacked by `dpkg -x`.
The wheel is installed with its dependencies for aarch64, as `uv pip install` does there, and
qemu-aarch64-static of qemu-user-static runs its command with that Python, in that root; so this runs as root.
What `analyze` prints has to equal what the wheel for x86_64 prints. benchmarks/INSTALL.md has the figures.
"""

from __future__ import annotations

import shutil
import sys
import tempfile
from pathlib import Path

from tools.release.check import FOLDER, SECTION, TABLE
from tools.release.environments import UV, CheckError, install, megabytes, run, timed
from tools.release.source_tree import ROOT

QEMU = "qemu-aarch64-static"
PLATFORM = "aarch64-manylinux_2_28"
DATA = ROOT / "tests/data"
FILES = (
    "perf-script/memcg-reclaim.default.txt",
    "kernel-log/dmesg-oom.txt",
    "bpftrace-text/memcg-reclaim.txt",
    "pprof/go.cpu.pb.gz",
)
JSON = ("--format", "json")
EQUAL = "equal"
TEXT = """{section}aarch64

`python -m tools.release.foreign` wrote this section: the wheel for aarch64, with its dependencies for
aarch64 ({megabytes:.1f} MB), run by Python {python} of {system} under {qemu}.
`casebook -V` prints `{version}` in {seconds:.1f} CPU seconds of the emulation, which grants no sandbox.
`serve` was not run under emulation.

| file | `analyze`, emulated | `analyze`, x86_64 | JSON |
| --- | ---: | ---: | --- |
"""


def main(root: Path) -> None:
    """Install, run and compare; write the section.

    Raises:
        CheckError: A command fails.
    """
    python = max((root / "usr/bin").glob("python3.*[0-9]"), key=lambda path: int(path.suffix[1:]))
    release = python.name.removeprefix("python")
    with (
        tempfile.TemporaryDirectory(prefix="casebook-foreign-", dir=root / "tmp") as folder,
        tempfile.TemporaryDirectory(prefix="casebook-native-") as native,
    ):
        foreign = Path(folder) / "site-packages"
        options = ["--target", foreign, "--python-platform", PLATFORM, "--python-version", release]
        install([*options, "--no-build"], str(_wheel("aarch64")), FOLDER)
        made = run([UV, "venv", "--quiet", "--clear", "--python", release, native])
        if made.returncode:
            raise CheckError(made.stderr)
        install(["--python", Path(native) / "bin/python"], str(_wheel("x86_64")), FOLDER)
        size = megabytes(foreign)
        emulator = shutil.copy(str(shutil.which(QEMU)), folder)
        data = shutil.copytree(DATA, Path(folder) / "data", ignore=_only_files)
        inside = Path("/") / Path(folder).relative_to(root)
        variable = f"PYTHONPATH={inside / 'site-packages'}"
        emulated = [
            "chroot",
            root,
            inside / Path(emulator).name,
            "-E",
            variable,
            "/usr/bin" / Path(python.name),
        ]
        casebook = inside / "site-packages/bin/casebook"
        seconds, version = timed([*emulated, casebook, "-V"], DATA)
        rows = [
            _row(
                name,
                timed([*emulated, casebook, "analyze", inside / "data" / name, *JSON], DATA),
                timed([Path(native) / "bin/casebook", "analyze", data / name, *JSON], DATA),
            )
            for name in FILES
        ]
        text = TEXT.format(
            section=SECTION,
            megabytes=size,
            python=run([*emulated, "-V"]).stdout.split()[1],
            system=_system(root),
            qemu=" ".join(run([QEMU, "--version"]).stdout.split()[:3]),
            version=version.strip(),
            seconds=seconds,
        )
    table, _, _ = TABLE.read_text(encoding="utf-8").partition(SECTION)
    TABLE.write_text("".join([table, text, *rows]), encoding="utf-8")
    sys.stdout.write("".join([text, *rows]))
    if any(not row.endswith(f"{EQUAL} |\n") for row in rows):
        raise CheckError("the wheels print different results")


def _wheel(machine: str) -> Path:
    (wheel,) = FOLDER.glob(f"*{machine}.whl")
    return wheel


def _only_files(folder: str, names: list[str]) -> list[str]:
    """Return what is not copied: all but FILES and the folders above them."""
    wanted = {part for name in FILES for part in (DATA / name, (DATA / name).parent)}
    return [name for name in names if Path(folder) / name not in wanted]


def _row(name: str, ours: tuple[float, str], expected: tuple[float, str]) -> str:
    lines = (ours[1].splitlines(), expected[1].splitlines())
    same = sum(one == other for one, other in zip(*lines, strict=False))
    result = EQUAL if ours[1] == expected[1] else f"{max(map(len, lines)) - same} lines differ"
    return f"| `{name}` | {ours[0]:.1f} s | {expected[0]:.2f} s | {len(expected[1]):,} bytes, {result} |\n"


def _system(root: Path) -> str:
    """Return the name of the system in ROOT: `Debian GNU/Linux 12 (bookworm)`."""
    for line in (root / "etc/os-release").read_text(encoding="utf-8").splitlines():
        name, _, value = line.partition("=")
        if name == "PRETTY_NAME":
            return value.strip('"')
    return "an unnamed system"


if __name__ == "__main__":
    try:
        main(Path(sys.argv[1]).resolve())
    except CheckError as error:
        sys.exit(f"Error: {error}")
