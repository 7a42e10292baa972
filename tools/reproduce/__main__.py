"""Reproduce the evidence of a signature in a virtual machine, and judge it.

python -m tools.reproduce cgroup/pids-limit
python -m tools.reproduce --list
python -m tools.reproduce --table
"""

from __future__ import annotations

import argparse
import shutil
import sys
from pathlib import Path

from tools.reproduce import guest, image, kernel, packages, scenario

FOLDER = Path("var/reproduce")

_PACKAGES = {
    "qemu-system-x86_64": "qemu-system-x86",
    "busybox": "busybox-static",
    "cpio": "cpio",
    "depmod": "kmod",
    "dpkg-deb": "dpkg",
    "apt-get": "apt",
}
"""Programs that every run needs, and their Debian packages."""


def main(arguments: list[str]) -> int:
    """Run one scenario; the exit status is 0 when its signature has the verdict that the scenario expects."""
    parser = argparse.ArgumentParser(prog="tools.reproduce", description=__doc__.splitlines()[0])
    parser.add_argument("signature", nargs="?", help="id of the signature")
    parser.add_argument("--list", action="store_true", help="list the signatures that have a scenario")
    parser.add_argument("--table", action="store_true", help="print benchmarks/REPRODUCERS.md")
    parser.add_argument("--kernel", help="series of the kernel, such as 6.12 or ubuntu-5.15")
    parser.add_argument("--kvm", action="store_true", help="use /dev/kvm; default: emulate the processor")
    options = parser.parse_args(arguments)
    if options.table:
        # The library takes a second to load, which `--list` does not need.
        from tools.reproduce import table  # noqa: PLC0415

        sys.stdout.write(table.written())
        return 0
    if options.list or not options.signature:
        for name in scenario.names():
            _say(f"{name:36} {scenario.load(name).title}")
        return 0
    missing = [f"{name} ({package})" for name, package in _PACKAGES.items() if not _which(name)]
    if missing:
        _complain(f"needs {', '.join(missing)}: apt-get install {' '.join(_PACKAGES.values())}")
        return 2
    try:
        chosen = scenario.load(options.signature)
        built = kernel.fetch(options.kernel or chosen.kernel, FOLDER / "kernels")
        output = FOLDER / "runs" / chosen.signature / built.release
        shutil.rmtree(output, ignore_errors=True)
        _say(
            f"{chosen.title}: Linux {built.release}, {chosen.cpus} CPUs, at most {chosen.seconds} s",
        )
        guest.run(chosen, built, output, "kvm" if options.kvm else "tcg")
    except (scenario.ScenarioError, packages.KernelError, image.ProgramError, guest.GuestError) as error:
        _complain(f"reproduce: {error}")
        return 2
    return _judge(chosen, output / "evidence")


def _judge(chosen: scenario.Scenario, evidence: Path) -> int:
    """Print what the library makes of the evidence; return 0 when it is what the scenario expects."""
    # The readers and the library take a second to load, which `--list` does not need.
    from signatures.authoring.fixture_tests import read_folder  # noqa: PLC0415
    from signatures.document.catalog import load_catalog  # noqa: PLC0415
    from signatures.judging.judge import judge  # noqa: PLC0415
    from signatures.judging.scope import items_of  # noqa: PLC0415

    for path in sorted(path for path in evidence.rglob("*") if path.is_file()):
        _say(f"{path}: {path.stat().st_size} bytes")
    verdicts = {
        found.signature.id: found.verdict for found in judge(items_of(read_folder(evidence)), load_catalog())
    }
    for name, verdict in verdicts.items():
        if verdict in {"match", "suspect"}:
            _say(f"{verdict}: {name}")
    found = verdicts.get(chosen.signature, "not in the library")
    if found != chosen.verdict:
        _complain(f"{chosen.signature} is {found}, not {chosen.verdict}")
        return 1
    return 0


def _say(line: str) -> None:
    sys.stdout.write(f"{line}\n")
    sys.stdout.flush()


def _complain(line: str) -> None:
    sys.stderr.write(f"{line}\n")


def _which(name: str) -> str | None:
    return shutil.which(name, path="/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin")


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
