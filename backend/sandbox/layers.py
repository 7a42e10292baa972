"""Layers of the sandbox: what the kernel granted, and whether that is enough.

    layer       mechanism                                      without it
    files       Landlock, else a mount namespace of its own    not accepted
    calls       seccomp                                        not accepted
    network     an empty network namespace                     seccomp still refuses sockets
    privileges  no_new_privs, no capabilities                  always there
    limits      rlimits, the parent's watch                    always there

`CASEBOOK_SANDBOX=required` accepts all layers with Landlock only; `best` whatever keeps the files of the
machine from the parser: a kernel with neither Landlock nor namespaces is refused by both.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

Policy = Literal["required", "best"]


class NotConfinedError(Exception):
    """The kernel offers too little for a sandbox; one sentence that states what is missing."""


@dataclass(frozen=True, slots=True)
class Layers:
    """The layers that a process has.

    Attributes:
        landlock: Version of the Landlock interface in use; 0 for none.
        mounts: Whether it has a mount namespace with nothing but the allowed files.
        network: Whether it has an empty network namespace.
        calls: Whether seccomp filters its system calls.
    """

    landlock: int
    mounts: bool
    network: bool
    calls: bool

    @property
    def is_complete(self) -> bool:
        """Whether every layer is there, files by Landlock."""
        return self.landlock > 0 and self.network and self.calls

    def is_accepted(self, policy: Policy) -> bool:
        """Return whether evidence may be read with these layers."""
        if policy == "required":
            return self.is_complete
        return self.calls and (self.landlock > 0 or self.mounts)

    def missing(self) -> list[str]:
        """Return what the kernel did not grant, as names of its features."""
        found = {
            "Landlock": self.landlock > 0,
            "user and network namespaces": self.network,
            "seccomp": self.calls,
        }
        return [name for name, is_there in found.items() if not is_there]

    def describe(self) -> str:
        """Return the layers in one phrase."""
        parts = [
            f"Landlock (version {self.landlock})" if self.landlock else "",
            "mount namespace" if self.mounts else "",
            "network namespace" if self.network else "",
            "seccomp" if self.calls else "",
            "no privileges, limits",
        ]
        missing = self.missing()
        absent = f"; not granted by the kernel: {', '.join(missing)}" if missing else ""
        return ", ".join(part for part in parts if part) + absent


def refusal(layers: Layers, policy: Policy) -> str:
    """Return why these layers are not accepted, and what to do."""
    missing = ", ".join(layers.missing())
    advice = (
        "CASEBOOK_SANDBOX=best accepts less"
        if layers.is_accepted("best")
        else "enable Landlock (Linux 5.13, `lsm=landlock`) or user namespaces, and seccomp"
    )
    return f"evidence is not read: CASEBOOK_SANDBOX={policy}, and the kernel grants no {missing}; {advice}"
