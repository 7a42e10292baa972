"""Technical words for redaction, from sources of Debian: writes ingest/redact/technical_words.xz.

python -m tools.technical_words LINUX_IMAGE.deb…        # on Debian, after `apt-get update`

Names of modules, symbols and strings of the given kernels; strings of installed programs; names of packages
and words of their short descriptions; commands, units and libraries of the installed packages; words of
manual pages. A word of prose counts when two sources have it: examples in manual pages name hosts and
people. Needs dpkg-deb and apt-cache.
"""

from __future__ import annotations

import gzip
import lzma
import re
import subprocess
import sys
import tempfile
from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

ROOT = Path(__file__).resolve().parents[1]
WORDS = ROOT / "ingest" / "redact" / "technical_words.xz"
SHORTEST, LONGEST = 3, 24
LEAST_PACKAGES = LEAST_PAGES = LEAST_PROGRAMS = 2
SHORTEST_OF_STRINGS = 5
MANUALS = Path("/usr/share/man")
LISTS = Path("/var/lib/dpkg/info")
PROGRAMS = ("/usr/bin", "/usr/sbin")
MAX_PROGRAM = 64 << 20
CAPTURING = re.compile(
    "bpftrace|dmesg|ethtool|free|iostat|ip|journalctl|ls|lsblk|lscpu|lsof|lspci|mpstat|perf|pidstat|ps|sadf|sar"
    "|slabtop|smartctl|ss|strace|systemctl|tc|top|trace-cmd|udevadm|uptime|vmstat"
)
_NAME_FOLDERS = ("/bin/", "/sbin/", "/systemd/system/", "/systemd/user/", "/lib/")
_PART = re.compile(r"[a-z]+")
_CASED = re.compile(r"[A-Z]?[a-z]+|[A-Z]+(?![a-z])")
_STRING = re.compile(rb"(?<=\0)[\x01-\x07]?[\x20-\x7e\n\t]{5,}(?=\0)")
"""Strings of C; the first byte may be the level of a kernel's message."""
_MACRO = re.compile(r"(?m)^\.\S*|\\f.|\\[(*]..|\\.")


def main(kernels: Iterable[str]) -> None:
    """Write the words of all sources."""
    found = {*packages(), *installed(), *manuals(), *programs()}
    for kernel in kernels:
        found.update(of_kernel(Path(kernel)))
    words = sorted(word for word in found if SHORTEST <= len(word) <= LONGEST)
    content = lzma.compress("\n".join(words).encode("ascii"), preset=9 | lzma.PRESET_EXTREME)
    WORDS.write_bytes(content)
    sys.stdout.write(f"{len(words):,} words, {len(content):,} bytes\n")


def parts(name: str) -> Iterator[str]:
    """Yield the words in a name, in lower case: `NetworkManager-wait` has three."""
    yield from _PART.findall(name.lower())
    yield from (part.lower() for part in _CASED.findall(name))


def packages() -> set[str]:
    """Return the words of names of packages, and those of at least two short descriptions."""
    available = subprocess.run(["apt-cache", "dumpavail"], check=True, capture_output=True, text=True).stdout
    names = re.findall(r"(?m)^(?:Package|Source|Provides): (.*)$", available)
    described = Counter(
        word for text in set(re.findall(r"(?m)^Description: (.*)$", available)) for word in set(parts(text))
    )
    often = {word for word, count in described.items() if count >= LEAST_PACKAGES}
    return often | {part for name in names for part in parts(name)}


def installed() -> set[str]:
    """Return the words of commands, units and libraries of the installed packages."""
    files = (line for one in LISTS.glob("*.list") for line in one.read_text("utf-8", "replace").splitlines())
    names = (line.rpartition("/")[2] for line in files if any(folder in line for folder in _NAME_FOLDERS))
    return {part for name in names for part in parts(name)}


def manuals() -> set[str]:
    """Return the names of manual pages, and the words of at least two."""
    count: Counter[str] = Counter()
    names: set[str] = set()
    for page in MANUALS.glob("man*/*.gz"):
        names.update(parts(page.name.partition(".")[0]))
        try:
            text = gzip.decompress(page.read_bytes()).decode("utf-8", "replace")
        except OSError:
            continue
        count.update(set(parts(_MACRO.sub(" ", text))))
    return names | {word for word, number in count.items() if number >= LEAST_PAGES}


def programs() -> set[str]:
    """Return the words in strings of two installed programs, and of each that prints captures."""
    count: Counter[str] = Counter()
    captures: set[str] = set()
    files = (file for folder in PROGRAMS for file in Path(folder).iterdir() if file.is_file())
    for file in {file.resolve() for file in files}:
        content = file.read_bytes() if file.stat().st_size <= MAX_PROGRAM else b""
        if content.startswith(b"\x7fELF"):
            words = words_of_strings(content)
            count.update(words)
            captures.update(words if CAPTURING.fullmatch(file.name) else ())
    return captures | {word for word, number in count.items() if number >= LEAST_PROGRAMS}


def of_kernel(package: Path) -> set[str]:
    """Return the words of modules, symbols and messages of a kernel."""
    with tempfile.TemporaryDirectory() as folder:
        subprocess.run(["dpkg-deb", "--extract", str(package), folder], check=True)
        found: set[str] = set()
        strings: set[str] = set()
        for file in Path(folder).rglob("*"):
            if not file.is_file() or file.is_symlink():
                continue
            found.update(parts(file.name.partition(".ko")[0]))
            if file.name.startswith(("System.map", "config")):
                found.update(
                    part
                    for name in re.findall(r"\w+", file.read_text("utf-8", "replace"))
                    for part in parts(name)
                )
            elif file.name.startswith("vmlinu"):
                strings.update(words_of_strings(image(file.read_bytes())))
            elif ".ko" in file.suffixes:
                content = file.read_bytes()
                strings.update(
                    words_of_strings(lzma.decompress(content) if file.suffix == ".xz" else content)
                )
        return found | strings


def image(compressed: bytes) -> bytes:
    """Return the kernel in a bzImage that is compressed with xz, as Debian's are; b"" for others."""
    at = compressed.find(b"\xfd7zXZ\x00")
    return lzma.LZMADecompressor().decompress(compressed[at:]) if at >= 0 else b""


def words_of_strings(content: bytes) -> set[str]:
    """Return the words of five letters or more in the strings of a binary."""
    texts = {run.decode("ascii") for run in _STRING.findall(content)}
    return {part for text in texts for part in parts(text) if len(part) >= SHORTEST_OF_STRINGS}


if __name__ == "__main__":
    main(sys.argv[1:])
