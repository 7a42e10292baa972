"""A kernel for the guest: Debian's package of a series, unpacked once below `var/reproduce`."""

from __future__ import annotations

import re
import subprocess
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pathlib import Path

_META_PACKAGES = {"6.1": "linux-image-amd64", "6.12": "linux-image-6.12-amd64"}
"""Meta packages of Debian 12; any other series is asked for by `linux-image-SERIES-amd64`."""


class KernelError(Exception):
    """A kernel that the package registry does not offer, or a module that it does not have."""


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
    """Download and unpack the newest Debian kernel of `series` below `folder`, once.

    Raises:
        KernelError: apt-get finds no such package.
    """
    root = folder / series
    if not (root / "complete").exists():
        root.mkdir(parents=True, exist_ok=True)
        depends = _output("apt-cache", "depends", _META_PACKAGES.get(series, f"linux-image-{series}-amd64"))
        package = re.search(r"Depends: (linux-image-\S+)", depends)
        if package is None:
            raise KernelError(f"apt-cache knows no kernel package of {series}; run 'apt-get update'")
        subprocess.run(["apt-get", "download", "--quiet", package[1]], cwd=root, check=True)
        (archive,) = root.glob("linux-image-*.deb")
        subprocess.run(["dpkg-deb", "--extract", archive, root], check=True)
        archive.unlink()
        (release,) = (root / "lib/modules").iterdir()
        subprocess.run(["depmod", "--basedir", root, release.name], check=True)
        (root / "complete").touch()
    (modules,) = (root / "lib/modules").iterdir()
    return Kernel(modules.name, root / "boot" / f"vmlinuz-{modules.name}", modules)


def _module_name(path: str) -> str:
    return path.rsplit("/", 1)[-1].partition(".ko")[0].replace("-", "_")


def _output(*command: str) -> str:
    return subprocess.run(command, check=False, capture_output=True, text=True).stdout
