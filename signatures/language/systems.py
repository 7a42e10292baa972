"""The system that a signature is about, and the one that evidence comes from.

    applies: {os: linux, arch: x86_64, virtualisation: guest, kernel: ">=5.14,<6.18", cgroup: v2}

What the evidence does not tell excludes nothing.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from signatures.language.kernel_ranges import in_range

if TYPE_CHECKING:
    from signatures.language.kernel_families import Kernel

LINUX = "linux"
WINDOWS = "windows"
CHOICES = {
    "os": (LINUX, WINDOWS),
    "arch": ("x86_64", "i686", "aarch64", "armv7l", "ppc64le", "s390x", "riscv64", "loongarch64"),
    "virtualisation": ("guest", "none"),
    "cgroup": ("v1", "v2"),
}
"""What a signature may write, but for `kernel`, which is a range of releases."""

KEYS = (*CHOICES, "kernel")
WORDS = {"arch": "machine", "virtualisation": "virtualisation", "cgroup": "cgroup version"}


class System(NamedTuple):
    """A system; of a signature what it needs, of evidence what it tells. "" is any, or unknown.

    Attributes:
        virtualisation: `guest` of a hypervisor, or `none`: the hardware itself.
        kernel: A range of releases; always "" of evidence, whose kernel is parsed.
    """

    os: str = ""
    arch: str = ""
    virtualisation: str = ""
    cgroup: str = ""
    kernel: str = ""


ANY_LINUX = System(LINUX)
"""What a signature is about that does not say."""


def misfit(needed: System, found: System, kernel: Kernel | None) -> str:
    """Return why a signature is about another system than the evidence; "" when nothing excludes it."""
    if needed.os and found.os and needed.os != found.os:
        return f"it is about {needed.os.title()}, the evidence is of {found.os.title()}"
    for name, words in WORDS.items():
        need, has = getattr(needed, name), getattr(found, name)
        if need and has and need != has:
            return f"it needs {words} {need}, the evidence is of {has}"
    if needed.kernel and kernel is not None and in_range(kernel, needed.kernel) is False:
        return f"it needs a kernel {needed.kernel}, the evidence is of {kernel.release}"
    return ""
