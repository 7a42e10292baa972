"""Kernels of hosts as lines: what affects each, and which release clears most of it."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypedDict

from signatures.rendering.lines import bare

if TYPE_CHECKING:
    from collections.abc import Iterator


class Clearing(TypedDict):
    """A release of the same family, and the problems that it clears, adds or leaves unknown."""

    release: str
    is_in_fleet: bool
    cleared: list[str]
    undecided: list[str]
    added: list[str]


class KernelRow(TypedDict):
    """A kernel of the list, as `GET /kernels` has it."""

    release: str
    package: str
    listed_hosts: int
    case_hosts: int
    affecting: int
    best: Clearing | None


class ProblemStatus(TypedDict):
    """Whether a problem affects a kernel, and why; `capture` decides what is not known."""

    key: str
    status: str
    basis: str
    found_on: int
    capture: str


class KernelRead(KernelRow):
    """A kernel with all problems, as `GET /kernels/{release}` has it."""

    says: str
    clearings: list[Clearing]
    statuses: list[ProblemStatus]


def kernel_row(kernel: KernelRow) -> str:
    """Return a kernel as one line: hosts, problems that affect it, and what clears most."""
    best = kernel["best"]
    return "  ".join([*_head(kernel), *([_clears(best, kernel["affecting"])] if best else [])])


def kernel_lines(kernel: KernelRead) -> Iterator[str]:
    """Yield a kernel, what other releases clear, and each problem with its reason."""
    yield "  ".join(_head(kernel))
    yield bare(kernel["says"])
    yield from (_clears(one, kernel["affecting"]) for one in kernel["clearings"])
    for one in kernel["statuses"]:
        found = f", found on {one['found_on']}" if one["found_on"] else ""
        decides = f"; this decides: {one['capture']}" if one["capture"] else ""
        status = one["status"].replace("_", " ")
        yield f"{one['key']:<40} {status}{found}: {bare(one['basis'])}{decides}"


def _head(kernel: KernelRow) -> list[str]:
    hosts = [
        f"{count:,} {words}"
        for count, words in ((kernel["listed_hosts"], "listed"), (kernel["case_hosts"], "in cases"))
        if count
    ]
    return [
        bare(kernel["release"]),
        *([bare(kernel["package"])] if kernel["package"] else []),
        ", ".join(hosts),
        f"{kernel['affecting']} affecting",
    ]


def _clears(one: Clearing, affecting: int) -> str:
    unknown = f", {len(one['undecided'])} unknown" if one["undecided"] else ""
    added = f", adds {len(one['added'])}" if one["added"] else ""
    new = "" if one["is_in_fleet"] else " (no host runs it)"
    return f"{bare(one['release'])}{new} clears {len(one['cleared'])} of {affecting}{unknown}{added}"
