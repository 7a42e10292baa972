"""Kernel packages of Debian, and the first of releases of Ubuntu: old kernels whose faults are not mended.

A series of Ubuntu is written `ubuntu-4.15`. apt reads it from the archive of Ubuntu with lists and a cache of
its own; the packages of the host stay as they are. Debian has no keys of that archive, so the digests of what
was recorded with stand in `ubuntu.sha256`.
"""

from __future__ import annotations

import hashlib
import re
import subprocess
from pathlib import Path

_META_PACKAGES = {"6.1": "linux-image-amd64", "6.12": "linux-image-6.12-amd64"}
"""Meta packages of Debian 12; any other series is asked for by `linux-image-SERIES-amd64`."""

_FIRST_KERNELS = {
    "ubuntu-4.15": ("bionic", "4.15.0-20-generic"),
    "ubuntu-5.15": ("jammy", "5.15.0-25-generic"),
    "ubuntu-6.8": ("noble", "6.8.0-31-generic"),
}
"""Release of Ubuntu and the kernel that it was released with."""

_DIGESTS = Path(__file__).with_name("ubuntu.sha256")
"""What `sha256sum` prints of the packages."""

_ARCHIVE = "http://archive.ubuntu.com/ubuntu"


class KernelError(Exception):
    """A kernel that the package registry does not offer, or a module that it does not have."""


def download(series: str, folder: Path) -> None:
    """Download the packages of a kernel into a folder.

    Raises:
        KernelError: The archive has no such kernel, or another one than was recorded.
    """
    if series in _FIRST_KERNELS:
        release, kernel = _FIRST_KERNELS[series]
        _download(folder, *_ubuntu(release, folder), f"linux-image-{kernel}", f"linux-modules-{kernel}")
        known = _DIGESTS.read_text(encoding="utf-8").splitlines()
        for archive in folder.glob("linux-*.deb"):
            if f"{hashlib.sha256(archive.read_bytes()).hexdigest()}  {archive.name}" not in known:
                archive.unlink()
                raise KernelError(f"{archive.name} is not the package that was recorded with")
    elif series.startswith("ubuntu-"):
        raise KernelError(f"no kernel {series}; of Ubuntu there are {', '.join(_FIRST_KERNELS)}")
    else:
        _download(folder, _debian(series))


def _download(folder: Path, *words: str) -> None:
    subprocess.run(["apt-get", "--quiet", "download", *words], cwd=folder, check=True)


def _debian(series: str) -> str:
    command = ["apt-cache", "depends", _META_PACKAGES.get(series, f"linux-image-{series}-amd64")]
    depends = subprocess.run(command, check=False, capture_output=True, text=True).stdout
    package = re.search(r"Depends: (linux-image-\S+)", depends)
    if package is None:
        raise KernelError(f"apt-cache knows no kernel package of {series}; run 'apt-get update'")
    return package[1]


def _ubuntu(release: str, folder: Path) -> list[str]:
    """Read the lists of a release of Ubuntu; return the options with which apt-get uses them."""
    state = folder.resolve() / "apt"
    (state / "lists/partial").mkdir(parents=True, exist_ok=True)
    (state / "archives/partial").mkdir(parents=True, exist_ok=True)
    sources = state / "sources.list"
    sources.write_text(f"deb [arch=amd64 trusted=yes] {_ARCHIVE} {release} main\n", encoding="utf-8")
    settings = {
        "Dir::Etc::SourceList": sources,
        "Dir::Etc::SourceParts": "/dev/null",
        "Dir::State::Lists": state / "lists",
        "Dir::Cache": state,
        "Acquire::Languages": "none",
    }
    options = [word for name, value in settings.items() for word in ("-o", f"{name}={value}")]
    if subprocess.run(["apt-get", "--quiet", *options, "update"], check=False, cwd=folder).returncode:
        raise KernelError(f"apt-get cannot read {_ARCHIVE}")
    return options
