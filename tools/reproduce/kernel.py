"""A kernel for the guest: the packages of a series, unpacked once below `var/reproduce`."""

from __future__ import annotations

import subprocess
from dataclasses import dataclass
from typing import TYPE_CHECKING

from tools.reproduce import packages
from tools.reproduce.packages import KernelError

if TYPE_CHECKING:
    from pathlib import Path


@dataclass(frozen=True, slots=True)
class Kernel:
    """An unpacked kernel package.

    Attributes:
        release: As `uname -r` says it.
        image: Path of the bootable kernel.
        modules: Folder `lib/modules/RELEASE`.
    """

    release: str
    image: Path
    modules: Path

    def closure(self, names: tuple[str, ...]) -> list[Path]:
        """Module files of `names` and of all they depend on, relative to the folder of modules.

        Raises:
            KernelError: The kernel has no such module, not even built in.
        """
        paths = {}
        for line in (self.modules / "modules.dep").read_text(encoding="utf-8").splitlines():
            path, _, needed = line.partition(":")
            paths[_module_name(path)] = (path, needed.split())
        builtin = {_module_name(line) for line in (self.modules / "modules.builtin").read_text().splitlines()}
        found: dict[str, None] = {}
        for name in names:
            if name in paths:
                path, needed = paths[name]
                found.update(dict.fromkeys([*needed, path]))
            elif name not in builtin:
                raise KernelError(f"{self.release} has no module {name}")
        return [self.modules / path for path in found]


def fetch(series: str, folder: Path) -> Kernel:
    """Download and unpack the kernel of `series` below `folder`, once.

    Raises:
        KernelError: The archive has no such kernel.
    """
    root = folder / series
    if not (root / "complete").exists():
        root.mkdir(parents=True, exist_ok=True)
        packages.download(series, root)
        for archive in sorted(root.glob("linux-*.deb")):
            subprocess.run(["dpkg-deb", "--extract", archive, root], check=True)
            archive.unlink()
        (release,) = (root / "lib/modules").iterdir()
        subprocess.run(["depmod", "--basedir", root, release.name], check=True)
        (root / "complete").touch()
    (modules,) = (root / "lib/modules").iterdir()
    return Kernel(modules.name, root / "boot" / f"vmlinuz-{modules.name}", modules)


def _module_name(path: str) -> str:
    return path.rsplit("/", 1)[-1].partition(".ko")[0].replace("-", "_")
