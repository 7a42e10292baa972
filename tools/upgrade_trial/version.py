"""A version of Casebook that can be run: a built checkout, or the wheel of a release."""

from __future__ import annotations

import subprocess
import sys
import sysconfig
import zipfile
from typing import TYPE_CHECKING, NamedTuple

from tools.release.source_tree import PACKAGE

if TYPE_CHECKING:
    from pathlib import Path


class Version(NamedTuple):
    """How its command is run.

    Attributes:
        command: First words of the command line.
        python_path: Value of PYTHONPATH; "" for what is installed.
    """

    command: tuple[str, ...]
    python_path: str


def of_checkout(path: Path) -> Version:
    """Return the version of a built checkout."""
    return Version((str(path / ".venv/bin/casebook"),), str(path))


def of_wheel(path: Path, folder: Path) -> Version:
    """Unpack a wheel into the empty `folder`, beside the dependencies of this environment.

    They are those of the newer version, which the ranges of the older one allow: no index is asked.
    """
    with zipfile.ZipFile(path) as wheel:
        wheel.extractall(folder / "package")
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", folder / "venv"], check=True)
    (site,) = (folder / "venv/lib").glob("python3.*/site-packages")
    # A path that a .pth names has its own .pth ignored, so the checkout of this environment stays out.
    (site / "older.pth").write_text(f"{folder / 'package'}\n{sysconfig.get_path('purelib')}\n", "utf-8")
    return Version((str(folder / "venv/bin/python"), "-m", f"{PACKAGE}.cli"), "")
