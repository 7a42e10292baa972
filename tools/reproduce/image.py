"""The guest's root: an initramfs of busybox, modules, programs and the scenario."""

from __future__ import annotations

import os
import shutil
import subprocess
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from tools.reproduce.kernel import Kernel
    from tools.reproduce.scenario import Scenario

INIT = Path(__file__).parent / "init.sh"
"""First process of the guest."""

EVIDENCE_DISK = "virtio_pci", "virtio_blk"
"""Modules of the disk that carries the evidence out."""


class ProgramError(Exception):
    """A program that the scenario needs and this host does not have."""


def build(scenario: Scenario, kernel: Kernel, output: Path) -> None:
    """Write the initramfs to `output`.

    Raises:
        ProgramError: A program is missing.
        KernelError: A module is missing.
    """
    modules = [*EVIDENCE_DISK, *(name.split(":")[0] for name in scenario.modules)]
    with tempfile.TemporaryDirectory() as folder:
        root = Path(folder)
        for name in ("bin", "sbin", "proc", "sys", "dev", "run", "tmp", "mnt", "etc", "evidence"):
            (root / name).mkdir()
        _copy_program(root, "busybox", "bin/busybox")
        for program in ("sh", *scenario.programs):
            if program != "sh":
                _copy_program(root, program, f"sbin/{program}")
        if scenario.load:
            _compile(scenario.load, root / "sbin/load")
        for module in kernel.closure(tuple(modules)):
            _copy(root, module, f"lib/modules/{kernel.release}/{module.relative_to(kernel.modules)}")
        # Kernels before 5.2 have no modules.builtin.modinfo.
        for name in ("modules.order", "modules.builtin", "modules.builtin.modinfo"):
            if (kernel.modules / name).exists():
                _copy(root, kernel.modules / name, f"lib/modules/{kernel.release}/{name}")
        subprocess.run(["depmod", "--basedir", root, kernel.release], check=True)
        shutil.copy(INIT, root / "init")
        shutil.copy(scenario.script, root / "scenario")
        lines = [_arguments(name) for name in (*EVIDENCE_DISK, *scenario.modules)]
        (root / "modules").write_text("".join(f"{line}\n" for line in lines))
        (root / "init").chmod(0o755)
        listing = subprocess.run(["find", "."], cwd=root, check=True, capture_output=True).stdout
        with output.open("wb") as archive:
            subprocess.run(
                ["cpio", "--quiet", "--create", "--format=newc"],
                cwd=root,
                input=listing,
                stdout=archive,
                check=True,
            )


def _compile(source: Path, program: Path) -> None:
    """Compile a program of a scenario so that the guest needs no libraries."""
    # Frame pointers: such programs walk their own stacks, and `perf record -g` does.
    words = ("-O1", "-Wall", "-fno-omit-frame-pointer", "-static", "-pthread")
    if shutil.which("cc") is None:
        raise ProgramError("cc is not installed on this host; the scenario has a program to compile")
    if subprocess.run(["cc", *words, source, "-o", program], check=False).returncode:
        raise ProgramError(f"{source} does not compile")


def _arguments(module: str) -> str:
    """`scsi_debug:opts=4,delay=0` as modprobe takes it."""
    name, _, parameters = module.partition(":")
    return f"{name} {parameters.replace(',', ' ')}".strip()


def _copy_program(root: Path, name: str, place: str) -> None:
    path = shutil.which(name, path=f"{os.environ['PATH']}:/usr/sbin:/sbin")
    if path is None:
        raise ProgramError(f"{name} is not installed on this host; the scenario copies it into the guest")
    _copy(root, Path(path).resolve(), place)
    libraries = subprocess.run(["ldd", path], check=False, capture_output=True, text=True).stdout
    for word in libraries.split():
        if word.startswith("/"):
            _copy(root, Path(word), word.lstrip("/"))


def _copy(root: Path, source: Path, place: str) -> None:
    target = root / place
    target.parent.mkdir(parents=True, exist_ok=True)
    if not target.exists():
        shutil.copy(source, target)
