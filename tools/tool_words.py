"""Words of administration tools for redaction: writes ingest/redact/tool_words.xz and tool_words.SOURCES.

    xargs apt-get download < tools/tool_packages.txt        # on Debian, in an empty folder
    python -m tools.tool_words FOLDER

Commands, options and keys of the packages that sosreports have output of: words of file names, and those
that two manual pages, units or settings have. Authors and examples of manual pages are left out: they name
people and hosts. SOURCES has each package with its version and SHA-256.
"""

from __future__ import annotations

import gzip
import hashlib
import lzma
import re
import subprocess
import sys
import tarfile
from collections import Counter
from io import BytesIO
from pathlib import Path
from typing import TYPE_CHECKING

from tools.technical_words import LONGEST, SHORTEST, parts

if TYPE_CHECKING:
    from collections.abc import Iterator

FOLDER = Path(__file__).resolve().parents[1] / "ingest" / "redact"
WORDS, SOURCES = FOLDER / "tool_words.xz", FOLDER / "tool_words.SOURCES"
LEAST_FILES = 2
MAX_PACKAGE, MAX_TEXT = 4 << 20, 256 << 10
"""Bytes; larger ones are mostly data."""
_READ = re.compile(r"\./(?:usr/share/man/man[1-9]|etc|(?:usr/)?s?bin|(?:usr/)?lib/systemd/system)/")
_PROGRAM = re.compile(r"/s?bin/")
_PEOPLE = re.compile(
    r"(?ims)^\.S[hH] +\"?(?:authors?|copyright|credits|history|examples?|thanks)\b.*?(?=^\.S[hH] |\Z)"
)
_NAMES = frozenset("@<>")
"""Marks of addresses of people."""
_MACRO = re.compile(r"(?m)^\.\S*|\\f.|\\[(*]..|\\.")


def main(folder: Path) -> None:
    """Write the words of all packages in a folder."""
    names: set[str] = set()
    count: Counter[str] = Counter()
    sources = []
    for package in sorted(folder.glob("*.deb")):
        if package.stat().st_size <= MAX_PACKAGE:
            for path, text in texts(package):
                names.update(parts(path.rpartition("/")[2].partition(".")[0]))
                count.update(words_of(text))
            digest = hashlib.sha256(package.read_bytes()).hexdigest()
            sources.append(f"{package.stem.replace('%3a', ':')} {digest}\n")
    found = names | {word for word, number in count.items() if number >= LEAST_FILES}
    words = sorted(word for word in found if SHORTEST <= len(word) <= LONGEST)
    content = lzma.compress("\n".join(words).encode("ascii"), preset=9 | lzma.PRESET_EXTREME)
    WORDS.write_bytes(content)
    SOURCES.write_text("".join(sources), encoding="utf-8")
    sys.stdout.write(f"{len(words):,} words of {len(sources)} packages, {len(content):,} bytes\n")


def texts(package: Path) -> Iterator[tuple[str, str]]:
    """Yield the path of each command, unit, setting and manual page of a package with its text."""
    archive = subprocess.run(
        ["dpkg-deb", "--fsys-tarfile", str(package)], check=True, capture_output=True
    ).stdout
    with tarfile.open(fileobj=BytesIO(archive)) as files:
        for member in files:
            stream = files.extractfile(member) if member.isfile() and _READ.match(member.name) else None
            if stream is not None:
                content = b"" if _PROGRAM.search(member.name) else stream.read(MAX_TEXT)
                if content.startswith(b"\x1f\x8b"):
                    content = gzip.decompress(content)
                yield member.name, content.decode("utf-8", "replace")


def words_of(text: str) -> set[str]:
    """Return the words in a text, without those of its authors."""
    told = _MACRO.sub(" ", _PEOPLE.sub("", text))
    words = {word for word in set(told.split()) if _NAMES.isdisjoint(word)}
    return {part for word in words for part in parts(word)}


if __name__ == "__main__":
    main(Path(sys.argv[1]))
