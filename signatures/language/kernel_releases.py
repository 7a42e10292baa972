"""Kernel releases in the notation of version tables, comparable only within one ecosystem.

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

_DEBIAN_PACKAGE = re.compile(r"Debian (\d+\.\d+\.\d+-\S+)")


def order_within(release: str, line: str) -> tuple[int, ...]:
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
    return order_within(text, line[1] if line else "")


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
