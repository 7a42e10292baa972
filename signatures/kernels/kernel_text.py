"""A kernel as people paste it: `uname -a`, /proc/version, a version signature, an image name, os-release.

Examples:
    Linux db7 6.1.0-25-amd64 #1 SMP PREEMPT_DYNAMIC Debian 6.1.106-3 (2024-08-26) x86_64 GNU/Linux
    Ubuntu 5.15.0-91.101-generic 5.15.131
    node-1  Ready  <none>  v1.27.3  10.0.0.1  <none>  Container-Optimized OS from Google  5.15.109+  containerd://1.7
    al2023-ami-2023.6.20241121.0-kernel-6.1-x86_64
    ID=cos
    kernel-core-5.14.0-427.13.1.el9_4.x86_64
"""

from __future__ import annotations

import re
from functools import cache, lru_cache
from pathlib import Path
from typing import Any, NamedTuple

from ingest.native.linear import Pattern
from ingest.tables import table
from signatures.kernels.fix_records import version_of
from signatures.kernels.running_kernel import Running
from signatures.language.kernel_families import NONE, Family, Kernel, families, kernel_of

MAX_TEXT = 4000
_DATA = Path(__file__).parent / "images.yaml"
_SIGNATURE = re.compile(
    r"\bUbuntu (?P<abi>\d+\.\d+\.\d+-\d+)\.[\w.~+]+-(?P<flavour>[a-z][\w-]*) \d+\.\d+\.\d+"
)
_UNAME = re.compile(
    r"\bLinux (?:version )?(?:\S+ )??(?P<release>\d+\.\d+(?:\.\d+)?[\w.+~-]*) ?(?P<build>[#(].*)?"
)
_PACKAGE = re.compile(
    r"\b(?:kernel(?:-uek|-core|-default|-lt|-ml|-rt|-image)?|linux-image(?:-unsigned)?|vmlinuz)-"
    r"(?P<release>\d+\.\d+\.\d+[\w.+~-]*)"
)
_RELEASE = re.compile(r"(?<![\w./:-])v?(?P<release>\d\.\d+\.\d+[\w.+~-]*|\d\.\d+\.\d+)(?![\w.])")
_KUBERNETES = Pattern(
    r"\S+\s+(?:Ready|NotReady)\S*\s.*?\s(?P<release>\d+\.\d+\.\d+\S*)\s+(?:\(\w+\)\s+)?\w[\w-]*://"
)
_OS = re.compile(r"^[ \t]*(?P<key>ID|VERSION_ID)=[\"']?(?P<value>[\w.+-]+)[\"']?[ \t\r]*$", re.MULTILINE)
_GKE = re.compile(r"(?:^|\s)(?P<name>gke-[\w-]{1,80})(?=\s)")
"""Name of a node of GKE, as `uname -a` and `kubectl get nodes` print it."""
_OS_WORDS = (
    ("Container-Optimized OS", "cos"),
    ("Bottlerocket", "bottlerocket"),
    ("NixOS", "nixos"),
    ("OpenWrt", "openwrt"),
    ("Slackware", "slackware"),
)


class KernelText(NamedTuple):
    """The kernel that a text names.

    Attributes:
        kernel: None when the text names none.
        says: What was understood, in one line.
    """

    running: Running
    kernel: Kernel | None
    says: str


def kernel_text(text: str) -> KernelText:
    """Return the kernel that a text names."""
    text = text.strip()[:MAX_TEXT]
    entries = {found["key"]: found["value"] for found in _OS.finditer(text)}
    os_id = entries.get("ID") or next((name for words, name in _OS_WORDS if words in text), "")
    version = entries.get("VERSION_ID", "")
    release, build = _release(text)
    if release:
        host = _GKE.search(text)
        running = Running(release, build, version, os_id=os_id, host=host["name"] if host else "")
        return KernelText(running, running.kernel, words_of_kernel(running.kernel, release))
    stated, title = _stated(text, os_id, version)
    if stated is None:
        return KernelText(Running(os_version=version, os_id=os_id), None, "No kernel found in this text.")
    says = f"{title}: {words_of_kernel(stated, '')} The running release decides: `uname -a`."
    return KernelText(Running(os_version=version, os_id=os_id, stated=stated), stated, says)


def _release(text: str) -> tuple[str, str]:
    """Return release and build text, "" where the text has none."""
    if found := _SIGNATURE.search(text):
        return f"{found['abi']}-{found['flavour']}", text
    for shape in (_KUBERNETES, _UNAME, _PACKAGE):
        if found := shape.search(text):
            return _bare(found["release"]), text
    if kernel_of(text) is not None:
        return text, ""
    if _image(text) is not None:
        return "", ""
    found = _RELEASE.search(text) if "=" not in text else None
    return (_bare(found["release"]), text) if found else ("", "")


def _bare(release: str) -> str:
    return re.sub(r"(?:_amd64|_arm64)?\.(?:deb|rpm)$", "", release).rstrip(".,:;")


def _stated(text: str, os_id: str, version: str) -> tuple[Kernel | None, str]:
    """Return the default kernel of an image or a distribution."""
    found = _image(text)
    if found is not None:
        row, match = found
        base = match.groupdict().get("base") or row.get("base", "")
        return _kernel(row["family"], base), row["title"]
    for row in _data()["distributions"]:
        is_version = version == row["version"] or version.startswith(f"{row['version']}.")
        if os_id in row["id"] and is_version:
            return _kernel(row["family"], row["base"]), f"Default kernel of {os_id} {version}"
    return (_kernel(os_id, ""), f"{os_id} {version}".strip()) if os_id in _by_name() else (None, "")


def _image(text: str) -> tuple[dict[str, Any], re.Match[str]] | None:
    if len(text.split()) > 3 or "\n" in text:
        return None
    for row in _data()["images"]:
        if match := _compiled(row["match"]).search(text):
            return row, match
    return None


@cache
def _compiled(pattern: str) -> Pattern:
    return Pattern(pattern)


def _kernel(name: str, base: str) -> Kernel:
    family = _by_name()[name]
    version = version_of(base)
    padded = (*version, 0, 0, 0)[:3]
    return Kernel(
        "", (padded[0], padded[1], padded[2]), family.ecosystem, not version, family=family, base=version
    )


@lru_cache(maxsize=1)
def _by_name() -> dict[str, Family]:
    return {family.name: family for family in families()}


@lru_cache(maxsize=1)
def _data() -> dict[str, Any]:
    rows: dict[str, Any] = table(_DATA)
    return rows


def words_of_kernel(kernel: Kernel | None, release: str) -> str:
    """Return what is known of a kernel as a sentence."""
    if kernel is None:
        return f"{release} is not a Linux release."
    title = kernel.family.title
    if kernel.family.base == NONE:
        return f"{title}: {kernel.family.note or 'the release says nothing about the code'}."
    if not kernel.base:
        return f"{title}; the kernel is not in this text."
    title += f" {kernel.family.assumed}" if kernel.family.assumed else ""
    base = ".".join(map(str, kernel.base))
    if kernel.is_exact:
        return f"kernel.org {base}." if kernel.family.name == "kernel.org" else f"{title}: {base}."
    if len(kernel.base) == 2:
        return f"{title}, branch {base} of linux-stable; which update is not in this text."
    if kernel.family.base == "frozen":
        return f"{title}: {base} with backports that the number does not show."
    return f"{title}: contains linux-stable {base}; what the vendor adds is unknown."
