"""Which kernel runs: `uname -a`, `uname -r`, `/proc/version`; on Windows `ver`.

Examples:
    Linux analytics-db-02 6.12.117+deb12-cloud-amd64 #1 SMP PREEMPT_DYNAMIC Debian 6.12.117-1~deb12u1 … x86_64
    Linux version 5.15.65+ (builder@host) (clang …) #1 SMP Sat Jan 21 10:23:11 UTC 2023
    6.12.117+deb12-cloud-amd64
    Ubuntu 5.15.0-91.101-generic 5.15.131                       proc/version_signature
    Microsoft Windows [Version 10.0.14393]

The part from `#` on is the build text; distributions put their own version there.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from ingest.native.linear import Pattern
from ingest.parsing.fact_reader import FactReader

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ingest.model.reading import Reading
    from ingest.model.section import Text

NAME = "kernel-version"
VERSION = 4
TITLE = "Kernel version"
EXAMPLE = (
    "Linux analytics-db-02 6.12.117+deb12-cloud-amd64 #1 SMP PREEMPT_DYNAMIC Debian 6.12.117-1~deb12u1 "
    "(2026-11-14) x86_64 GNU/Linux"
)

PATHS: tuple[str, ...] = (
    "sos_commands/*/uname_-a",
    "proc/version",
    "proc/version_signature",
    "proc/sys/kernel/osrelease",
)
COMMANDS: tuple[str, ...] = (r"uname -[a-z]*[ar][a-z]*", r"uname --(?:all|kernel-release)")
HINTS: tuple[str, ...] = ("uname*", "proc_version*")

_UNAME = re.compile(r"^\s*Linux (?P<host>\S+) (?P<release>\d+\.\d\S*) (?P<build>#.*\S)\s*$")
_VERSION = re.compile(r"^\s*Linux version (?P<release>\d+\.\d\S*) (?P<rest>\(.*\S)\s*$")
_RELEASE = Pattern(r"^\s*(?P<release>\d+\.\d+(?:\.\d+)?[\w.+~-]*)\s*$")

_SIGNATURE = re.compile(r"^\s*(?P<signature>Ubuntu \d+\.\d+\.\d+-\d\S* \d+\.\d+\.\d+)\s*$")
_WINDOWS = re.compile(r"^\s*Microsoft Windows \[Version (?P<build>\d+\.\d+\.\d+)(?:\.\d+)?\]\s*$")


STARTS = (r"\s*(?:Linux|Ubuntu|Microsoft Windows) ",)


def begins(lines: Sequence[str], at: int) -> bool:
    """Return whether `lines[at]` is a line of uname -a, /proc/version, /proc/version_signature or ver."""
    return any(shape.match(lines[at]) for shape in (_UNAME, _VERSION, _SIGNATURE, _WINDOWS))


def continues(line: str) -> bool:
    """Say that nothing follows: the output is one line."""
    del line
    return False


def read(text: Text) -> Reading:
    """Read the release, the build and the host's name."""
    reader = FactReader(text)
    for line, entry in enumerate(text.lines, start=text.first_line):
        if found := _UNAME.match(entry):
            reader.add("kernel.release", found["release"], line)
            reader.add("kernel.build_text", found["build"], line)
            reader.add("host.name", found["host"], line)
        elif found := _VERSION.match(entry):
            reader.add("kernel.release", found["release"], line)
            reader.add("kernel.build_text", found["rest"][found["rest"].find("#") :], line)
            reader.add("kernel.builder_text", found["rest"].partition("#")[0].strip(), line)
        elif found := _SIGNATURE.match(entry):
            reader.add("kernel.version_signature", found["signature"], line)
        elif found := _RELEASE.match(entry):
            reader.add("kernel.release", found["release"], line)
        elif found := _WINDOWS.match(entry):
            reader.add("os.build", found["build"], line)
        elif entry.strip():
            reader.skips.add("not a kernel version", line)
    return reader.result()
