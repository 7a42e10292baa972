"""Kernel packages of Debian, and the first ones of releases of Ubuntu: old kernels whose faults are not mended.

A series of Ubuntu is written `ubuntu-4.15`. apt reads it from the archive of Ubuntu with lists and a cache of its
own, and checks it against the keys of the package `ubuntu-keyring`; the host's own packages stay as they are.
"""

from __future__ import annotations

import re
import subprocess
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pathlib import Path

_META_PACKAGES = {"6.1": "linux-image-amd64", "6.12": "linux-image-6.12-amd64"}
"""Meta packages of Debian 12; any other series is asked for by `linux-image-SERIES-amd64`."""

_FIRST_KERNELS = {
    "ubuntu-4.15": ("bionic", "4.15.0-20-generic"),
    "ubuntu-5.15": ("jammy", "5.15.0-25-generic"),
    "ubuntu-6.8": ("noble", "6.8.0-31-generic"),
}
"""Release of Ubuntu and the kernel that it was released with."""

_ARCHIVE = "http://archive.ubuntu.com/ubuntu"
_KEYRING = "/usr/share/keyrings/ubuntu-archive-keyring.gpg"


class KernelError(Exception):
    """A kernel that the package registry does not offer, or a module that it does not have."""


def download(series: str, folder: Path) -> None:
    """Download the packages of a kernel into a folder.

    Raises:
        KernelError: The archive has no such kernel.
    """
    if series in _FIRST_KERNELS:
        options = _ubuntu(*_FIRST_KERNELS[series], folder)
    elif series.startswith("ubuntu-"):
        raise KernelError(f"no kernel {series}; of Ubuntu there are {', '.join(_FIRST_KERNELS)}")
    else:
        options = [_debian(series)]
    subprocess.run(["apt-get", "--quiet", "download", *options], cwd=folder, check=True)


def _debian(series: str) -> str:
    command = ["apt-cache", "depends", _META_PACKAGES.get(series, f"linux-image-{series}-amd64")]
    depends = subprocess.run(command, check=False, capture_output=True, text=True).stdout
    package = re.search(r"Depends: (linux-image-\S+)", depends)
    if package is None:
        raise KernelError(f"apt-cache knows no kernel package of {series}; run 'apt-get update'")
    return package[1]


def _ubuntu(release: str, kernel: str, folder: Path) -> list[str]:
    """Return options and packages of apt-get, after it has read the lists of a release of Ubuntu."""
    state = folder.resolve() / "apt"
    (state / "lists/partial").mkdir(parents=True, exist_ok=True)
    (state / "archives/partial").mkdir(parents=True, exist_ok=True)
    sources = state / "sources.list"
    sources.write_text(f"deb [arch=amd64 signed-by={_KEYRING}] {_ARCHIVE} {release} main\n", encoding="utf-8")
    settings = {
        "Dir::Etc::SourceList": sources,
        "Dir::Etc::SourceParts": "/dev/null",
        "Dir::State::Lists": state / "lists",
        "Dir::Cache": state,
        "Acquire::Languages": "none",
    }
    options = [word for name, value in settings.items() for word in ("-o", f"{name}={value}")]
    updated = subprocess.run(["apt-get", "--quiet", *options, "update"], check=False, cwd=folder)
    if updated.returncode:
        raise KernelError(f"apt-get cannot read {_ARCHIVE}; it needs the package ubuntu-keyring")
    return [*options, f"linux-image-{kernel}", f"linux-modules-{kernel}"]
