"""The system that evidence comes from: operating system, architecture, hypervisor, cgroups."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from signatures.judging.extract import cgroup_version
from signatures.language.systems import CHOICES, LINUX, WINDOWS, System

if TYPE_CHECKING:
    from collections.abc import Collection

    from signatures.judging.fact_index import ScopeFacts

OF_WINDOWS = frozenset({"perfmon-csv", "etw-stacks"})
OF_ANY = frozenset(
    {
        "text",
        "collector",
        "bare-stack",
        "thread-dump",
        "folded",
        "pprof",
        "speedscope",
        "json-profile",
        "pprof-traces",
        "chrome-trace",
        "firefox-profile",
        "fio-json",
        "wrk",
        "round-trips",
        "packet-rows",
        "docker-stats",
        "kubectl-describe",
        "kubectl-get",
        "kubectl-top",
        "lsof",
        "kernel-version",
    }
)
"""Formats that programs of any operating system write; `kernel-version` reads `ver`, too."""

_MACHINE = re.compile(rf"\b({'|'.join(CHOICES['arch'])})\b")
_SAME = {"amd64": "x86_64", "arm64": "aarch64"}


def os_of(formats: Collection[str], facts: ScopeFacts | None = None) -> str:
    """Return `linux` or `windows`; "" when the evidence is of both or could be of either."""
    found = {WINDOWS for one in formats if one in OF_WINDOWS}
    found |= {LINUX for one in formats if one not in OF_WINDOWS | OF_ANY}
    if facts is not None:
        found |= {WINDOWS} if facts.texts("os.build") else set()
        found |= {LINUX} if facts.texts("kernel.release") else set()
    return found.pop() if len(found) == 1 else ""


def system_of(formats: Collection[str], facts: ScopeFacts, build_text: str) -> System:
    """Return what the facts tell; values that differ are unknown."""
    return System(
        os=os_of(formats, facts),
        arch=_arch(facts, build_text),
        virtualisation="guest" if facts.texts("host.hypervisor") else "",
        cgroup=cgroup_version(facts),
    )


def _arch(facts: ScopeFacts, build_text: str) -> str:
    stated = {str(fact.value) for fact in facts.texts("cpu.architecture")}
    stated = {_SAME.get(one, one) for one in stated} or set(_MACHINE.findall(build_text))
    return stated.pop() if len(stated) == 1 else ""
