"""Kernel releases in the notation of their vendors, comparable only within one ecosystem.

Examples:
    6.12.20                            kernel.org
    3.10.0-1062.8.1.el7.x86_64         rhel, line el7
    5.15.0-119-generic                 ubuntu, flavour generic
    5.14.21-150500.55.7-default        suse, line 150500 (15 SP5)
    5.10.210-201.852.amzn2.x86_64      amazon-linux, line amzn2
    5.15.65+                           cos

`5.15` is newer than `5.4`: comparison is numeric. After 6.19 comes 7.0.
"""

from __future__ import annotations

import re
from typing import NamedTuple

ECOSYSTEMS = (
    "kernel.org",
    "rhel",
    "oracle-uek",
    "fedora",
    "amazon-linux",
    "azure-linux",
    "suse",
    "debian",
    "ubuntu",
    "cos",
    "wsl",
    "windows",
    "application",
)
"""Ecosystems of version tables; `application` is displayed, not judged."""

_RELEASE = re.compile(r"(\d+)\.(\d+)(?:\.(\d+))?(.*)")
_TAILS = (
    # (pattern of the tail, ecosystem, is the base version frozen, group of the line, group of the flavour)
    (re.compile(r"\.(?P<line>el\d+uek)"), "oracle-uek", True),
    (re.compile(r"\.(?P<line>el\d+)"), "rhel", True),
    (re.compile(r"\.(?P<line>fc\d+)"), "fedora", False),
    (re.compile(r"\.(?P<line>amzn\d+)"), "amazon-linux", False),
    (re.compile(r"\.(?P<line>cm\d|azl\d)"), "azure-linux", False),
    (re.compile(r"^-(?P<line>\d{6})\.\d.*-(?P<flavour>default|azure|rt)$"), "suse", True),
    (re.compile(r"-(?P<flavour>default)$"), "suse", True),
    (
        re.compile(
            r"^-\d+-(?P<flavour>generic|gcp|aws|azure|oracle|gke|kvm|lowlatency|oem|ibm|raspi|nvidia)"
        ),
        "ubuntu",
        False,
    ),
    (re.compile(r"deb\d+|-(?P<flavour>amd64|cloud-amd64|cloud-arm64|arm64)$"), "debian", False),
    (re.compile(r"^\+$"), "cos", False),
    (re.compile(r"microsoft-standard"), "wsl", False),
)
_MAINLINE = re.compile(r"(?:-rc\d+)?(?:-flatcar|-talos)?(?:\.x86_64|-x86_64)?")
_DEBIAN_PACKAGE = re.compile(r"Debian (\d+\.\d+\.\d+-\S+)")


class Kernel(NamedTuple):
    """A parsed `uname -r`.

    Attributes:
        version: Major, minor, sublevel.
        ecosystem: `kernel.org`, a vendor, or `local` for an unknown suffix.
        is_frozen: The vendor freezes the base version and backports changes.
        line: Separately maintained release line: `el7`, `amzn2023`, `150500`; "" where there is none.
        flavour: `generic`, `gcp`, `default`; "" where there is none.
        order: All numbers of the release in order, comparable within line and flavour.
    """

    release: str
    version: tuple[int, int, int]
    ecosystem: str
    is_frozen: bool
    line: str = ""
    flavour: str = ""
    order: tuple[int, ...] = ()


def kernel_of(release: str) -> Kernel | None:
    """Parse a release; None when it is not a Linux release."""
    found = _RELEASE.fullmatch(release.strip())
    if found is None:
        return None
    version = (int(found[1]), int(found[2]), int(found[3] or 0))
    tail = found[4]
    for pattern, name, is_frozen in _TAILS:
        if match := pattern.search(tail):
            parts = match.groupdict()
            line, flavour = parts.get("line") or "", parts.get("flavour") or ""
            return Kernel(release, version, name, is_frozen, line, flavour, _order(release, line))
    ecosystem = "kernel.org" if _MAINLINE.fullmatch(tail) else "local"
    return Kernel(release, version, ecosystem, False, order=version)


def _order(release: str, line: str) -> tuple[int, ...]:
    """Return the numbers of the release before the name of its line."""
    whole = release if not line or line.isdecimal() else release.partition(f".{line}")[0]
    return tuple(int(number) for number in re.findall(r"\d+", whole))


def debian_package(build_text: str) -> tuple[int, ...]:
    """Return the numbers of the package that `uname -v` names (`Debian 6.1.106-3`), () when it names none."""
    found = _DEBIAN_PACKAGE.search(build_text)
    return tuple(int(number) for number in re.findall(r"\d+", found[1])) if found else ()


def order_of(ecosystem: str, text: str) -> tuple[int, ...]:
    """Return the numbers of a release in a version table, comparable with `Kernel.order`."""
    line = re.search(r"\.(el\d+uek|el\d+|fc\d+|amzn\d+|cm\d|azl\d)", text)
    if ecosystem == "kernel.org":
        return padded(numbers(text))
    return _order(text, line[1] if line else "")


def line_of(text: str) -> str:
    """Return the line in the release of a version table, "" without one."""
    found = re.search(r"\.(el\d+uek|el\d+|fc\d+|amzn\d+|cm\d|azl\d)", text) or re.search(r"-(\d{6})\.", text)
    return found[1] if found else ""


_SHAPES = {
    "kernel.org": r"\d+\.\d+(\.\d+)*(-rc\d+)?",
    "rhel": r"\d+\.\d+\.\d+-\d+(\.\d+)*\.el\d+(_\d+)?",
    "oracle-uek": r"\d+\.\d+\.\d+-\d+(\.\d+)*\.el\d+uek",
    "fedora": r"\d+\.\d+\.\d+-\d+\.fc\d+",
    "amazon-linux": r"\d+\.\d+\.\d+-\d+\.\d+\.amzn\d+",
    "azure-linux": r"\d+(\.\d+)+-\d+\.(cm|azl)\d",
    "suse": r"\d+\.\d+\.\d+-\d{6}\.\d+(\.\d+)*",
    "debian": r"\d+\.\d+\.\d+-\d+\S*",
    "ubuntu": r"\d+\.\d+\.0-\d+",
    "cos": r"\d+\.\d+\.\d+\+?",
    "wsl": r"\d+\.\d+(\.\d+)*",
    "windows": r"\d+\.\d+\.\d+",
}
_EXAMPLES = {
    "kernel.org": "6.18.25",
    "rhel": "3.10.0-1062.8.1.el7",
    "oracle-uek": "5.15.0-101.103.2.1.el9uek",
    "fedora": "6.8.5-301.fc40",
    "amazon-linux": "5.10.210-201.852.amzn2",
    "azure-linux": "5.15.158.2-1.cm2",
    "suse": "5.14.21-150500.55.7",
    "debian": "6.1.106-3 (the package, not the ABI)",
    "ubuntu": "4.15.0-67",
    "cos": "5.15.65+",
    "wsl": "5.15.90.1",
    "windows": "10.0.17763",
}


def example_of(ecosystem: str) -> str:
    """Return an example release of an ecosystem, "" when the format is free."""
    return _EXAMPLES.get(ecosystem, "")


def check_release(ecosystem: str, text: str) -> str:
    """Return the error in a release of a version table, "" when it is valid for the ecosystem."""
    shape = _SHAPES.get(ecosystem)
    if shape is None or re.fullmatch(shape, text):
        return ""
    return f"{text!r} is not a release of {ecosystem}, for example {_EXAMPLES[ecosystem]}"


def numbers(text: str) -> tuple[int, ...]:
    """Return `6.18.25` as numbers.

    Raises:
        ValueError: Not a version.
    """
    found = re.match(r"\d+(?:\.\d+)*", text)
    if found is None:
        raise ValueError(f"{text!r} is not a kernel version")
    return tuple(int(part) for part in found[0].split("."))


def padded(version: tuple[int, ...]) -> tuple[int, ...]:
    """Return major, minor and sublevel; missing parts are 0."""
    return (*version, 0, 0, 0)[:3]
