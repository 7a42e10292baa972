"""Kernel families: whose build a release is, and which linux-stable release it contains.

Examples:
    6.12.20                            kernel.org, exactly 6.12.20
    6.1.159-181.297.amzn2023.x86_64    Amazon Linux, contains 6.1.159
    6.1.0-25-amd64, Debian 6.1.106-3   Debian, contains 6.1.106
    5.15.0-124-generic                 Ubuntu, 5.15 with an unknown stable update
    3.10.0-1062.8.1.el7.x86_64         RHEL 7, 3.10.0 with backports
    6.15.1-1.el9.elrepo.x86_64         ELRepo, contains 6.15.1, and no kernel of RHEL

The data are in `kernel_families.yaml`. A form that fits none is `local`: its number says nothing.
"""

from __future__ import annotations

import re
from functools import lru_cache
from pathlib import Path
from typing import NamedTuple

from ingest.native.linear import Pattern
from ingest.tables import table
from signatures.language.kernel_releases import line_of, order_within

EXACT, STABLE, PACKAGE, SIGNATURE, FROZEN, NONE = (
    "exact",
    "stable",
    "package",
    "signature",
    "frozen",
    "none",
)
_DATA = Path(__file__).with_suffix(".yaml")
_RELEASE = re.compile(r"(\d+)\.(\d+)(?:\.(\d+))?(?P<tail>[^\d\s]\S*)?")
_PACKAGE = Pattern(r"\b(?:Debian|Kali) (?P<package>(?P<base>\d+\.\d+(?:\.\d+)?)\S*-\S+)")
_SIGNATURE = re.compile(r"\bUbuntu (?P<package>\d+\.\d+\.\d+-\d[\w.~+-]*) (?P<base>\d+\.\d+\.\d+)")
_UBUNTU = re.compile(r"^\d+\.\d+\.\d+-\d+-(?P<flavour>[a-z]+)")
_SUSE = re.compile(r"-(?P<flavour>default|azure|rt|preempt|64kb)$")
MAX_RELEASE = 200
MAX_BUILD = 2000


class Family(NamedTuple):
    """Kernels of one vendor.

    Attributes:
        name: Identifier such as `rhel`.
        ecosystem: Name in version tables, `local` where it has none.
        base: What the release says about linux-stable: `exact`, `stable`, `package`, `signature`, `frozen`
            or `none`.
        fix: Command that decides whether the running build has a fix.
        adds: What the vendor adds, "" when nothing in particular is known.
        note: Reason why the release says nothing, "" elsewhere.
        assumed: Signs from which alone the family is concluded, "" where the release names it.
    """

    name: str
    title: str
    base: str
    ecosystem: str = "local"
    fix: str = ""
    adds: str = ""
    note: str = ""
    assumed: str = ""
    example: str = ""
    forms: tuple[tuple[tuple[str, Pattern], ...], ...] = ()


UNRECOGNISED = Family(
    "local", "unrecognised vendor", NONE, note="no family of kernels has releases of this form"
)


class Kernel(NamedTuple):
    """A parsed release.

    Attributes:
        version: Major, minor, sublevel as printed.
        ecosystem: `kernel.org`, a vendor, or `local`.
        is_frozen: The number stays while changes are backported, or says nothing.
        line: Separately maintained release line: `el7`, `amzn2023`, `150500`; "" where there is none.
        flavour: `generic`, `gcp`, `default`; "" where there is none.
        order: All numbers of the release in order, comparable within line and flavour.
        family: Whose build it is.
        base: linux-stable release that it contains: (x, y, z), (x, y) with an unknown stable update, or ().
        package: Package version that the evidence names: `6.1.106-3`; "" when it names none.
        is_candidate: A release candidate: older than the release of its number.
    """

    release: str
    version: tuple[int, int, int]
    ecosystem: str
    is_frozen: bool
    line: str = ""
    flavour: str = ""
    order: tuple[int, ...] = ()
    family: Family = UNRECOGNISED
    base: tuple[int, ...] = ()
    package: str = ""
    is_candidate: bool = False

    @property
    def is_exact(self) -> bool:
        """Whether it is a build of kernel.org's sources."""
        return self.family.base == EXACT


@lru_cache(maxsize=1)
def families() -> tuple[Family, ...]:
    """Return all families in the order in which they are tried."""
    data = table(_DATA)
    captures = data["capture"]
    return tuple(
        Family(
            name=row["name"],
            title=row["title"],
            base=row["base"],
            ecosystem=row.get("ecosystem", "local"),
            fix=captures[row["fix"]] if "fix" in row else captures["symbols"],
            adds=row.get("adds", ""),
            note=row.get("note", ""),
            assumed=row.get("assumed", ""),
            example=row["example"],
            forms=tuple(
                tuple((key, Pattern(pattern)) for key, pattern in form.items()) for form in row["form"]
            ),
        )
        for row in data["families"]
    )


@lru_cache(maxsize=256)
def kernel_of(
    release: str, build: str = "", os_id: str = "", host: str = "", command_line: str = ""
) -> Kernel | None:
    """Parse a release; None when it is not a Linux release.

    Cached: every fix of every signature asks for the kernel of the same evidence.

    Args:
        release: `uname -r`.
        build: `uname -v`, /proc/version or /proc/version_signature; "" when unknown.
        os_id: ID of os-release, "" when unknown.
        host: Name of the host, "" when unknown.
        command_line: Command line of the boot, "" when unknown.
    """
    release = release.strip()
    found = _RELEASE.fullmatch(release) if len(release) <= MAX_RELEASE else None
    if found is None:
        return None
    build = build[:MAX_BUILD]
    version = (int(found[1]), int(found[2]), int(found[3] or 0))
    evidence = {"release": release, "build": build, "os": os_id, "host": host, "boot": command_line}
    family = _family({key: text[:MAX_BUILD] for key, text in evidence.items()})
    base, package = _base(family, version, build)
    line = line_of(release)
    return Kernel(
        release=release,
        version=version,
        ecosystem=family.ecosystem,
        is_frozen=family.base in (FROZEN, NONE) and family is not UNRECOGNISED,
        line=line,
        flavour=_flavour(family, release),
        order=version if family.base == EXACT or family is UNRECOGNISED else order_within(release, line),
        family=family,
        base=base,
        package=package,
        is_candidate=bool(re.search(r"-rc\d+", release)),
    )


def _family(evidence: dict[str, str]) -> Family:
    for family in families():
        for form in family.forms:
            if all(evidence[key] and pattern.search(evidence[key]) for key, pattern in form):
                return family
    return UNRECOGNISED


def _base(family: Family, version: tuple[int, int, int], build: str) -> tuple[tuple[int, ...], str]:
    """Return the linux-stable release that a build contains, and its package version."""
    shapes: dict[str, Pattern | re.Pattern[str]] = {PACKAGE: _PACKAGE, SIGNATURE: _SIGNATURE}
    named = shapes.get(family.base)
    if family.base == NONE:
        return (), ""
    if named is None:
        return version, ""
    found = named.search(build)
    if found is not None:
        base = tuple(int(number) for number in found["base"].split("."))
        return (*base, 0)[:3], found["package"]
    return (version if version[2] else version[:2]), ""


def _flavour(family: Family, release: str) -> str:
    found = (_UBUNTU if family.ecosystem == "ubuntu" else _SUSE).search(release)
    return found["flavour"] if found and family.ecosystem in ("ubuntu", "suse") else ""
