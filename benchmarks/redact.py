"""Leaks of planted secrets after redaction, and its speed, compared with `sos clean`.

python -m benchmarks.redact SOSREPORT CAPTURE… > benchmarks/REDACT.md

Names of eighteen kinds are made up from a fixed seed and planted as lines that tools print them in, and so
are those of `tests/data/redaction` in their many spellings: into files of the sosreport and behind the end of
each capture. Then everything is redacted, and every byte is looked through for every name, in capitals or
not, and for half of it.
"""

from __future__ import annotations

import io
import platform
import random
import shutil
import subprocess
import sys
import tarfile
import tempfile
import time
from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from benchmarks import redact_large
from ingest.redact import Redactor
from ingest.redact.texts import pieces
from signatures.document.vocabulary import library_words
from tests.ingest.redact import planted as spelled

if TYPE_CHECKING:
    from collections.abc import Iterator

SEED = 11
EACH = 7
SPELLED = ("seen", "unseen")
LETTERS = "bcdfghjklmnpqrstvwxz"
KEY_CHARS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789"
PART = 6
"""A leak is also a part of at least six letters that is half of the name or more."""


class Planted(NamedTuple):
    """One name and the line it is planted in."""

    kind: str
    name: str
    line: str


def plant() -> list[Planted]:
    """Return the names and their lines, always the same."""
    dice = random.Random(SEED)  # noqa: S311 - repeatable on purpose

    def word(length: int = 7) -> str:
        return "".join(dice.choice(LETTERS) for _ in range(length))

    def key(length: int, letters: str = KEY_CHARS) -> str:
        return "".join(dice.choice(letters) for _ in range(length))

    def digits(length: int) -> str:
        return key(length, "123456789abcdef")

    def octets() -> str:
        return ".".join(str(dice.randrange(1, 255)) for _ in range(3))

    def pairs(separator: str) -> str:
        return separator.join(f"{dice.randrange(1, 255):02x}" for _ in range(5))

    stamp = "Nov 21 03:12:09"
    found: list[Planted] = []
    for _ in range(EACH):
        host, user, domain = f"{word(5)}-{word(4)}-0{dice.randrange(1, 9)}", word(8), f"{word(9)}.com"
        address = f"10.{octets()}"
        rows = {
            "host name": (host, f"{stamp} {host} sshd[1]: Server listening on 0.0.0.0 port 22."),
            "full host name": (f"{word(6)}.{word(5)}.{domain}", "ntpd: peer {} reached"),
            "IPv4 address": (address, "TCP: request from {} dropped"),
            "dashed IPv4 address": (f"10-{octets().replace('.', '-')}", "node ip-{} is ready"),
            "IPv6 address": (f"fd{digits(2)}:{digits(4)}::{digits(3)}", "inet6 {} scope global"),
            "hardware address": (f"3c:{pairs(':')}", "link/ether {} brd ff:ff:ff:ff:ff:ff"),
            "hardware address with dashes": (f"3c-{pairs('-')}", "Physical address {}"),
            "user": (user, f"{stamp} gw sudo:  {user} : TTY=pts/0 ; PWD=/ ; USER=root ; COMMAND=/bin/ls"),
            "home directory": (word(9), "cwd=/home/{}/src"),
            "e-mail address": (f"{word(6)}@{word(8)}.org", "reported by {} today"),
            "password": (f"{word(6)}{dice.randrange(1000, 9999)}", "DB_PASSWORD={}"),
            "password in a URL": (
                f"{word(5)}{dice.randrange(1000, 9999)}",
                "amqp://broker:{}@localhost:5672/",
            ),
            "bearer token": (key(32), "Authorization: Bearer {}"),
            "AWS key": (f"AKIA{key(16, KEY_CHARS[:26])}", "using {} for upload"),
            "GitHub token": (f"ghp_{key(36)}", "remote: {}"),
            "JSON web token": (f"eyJ{key(20)}.eyJ{key(30)}.{key(40)}", "cookie jwt {}"),
            "UUID": (
                f"{digits(8)}-{digits(4)}-4{digits(3)}-a{digits(3)}-{digits(12)}",
                "root=UUID={} ro",
            ),
            "serial number": (f"{word(3).upper()}{dice.randrange(10**6, 10**7)}", "Serial Number: {}"),
        }
        found += [Planted(kind, name, line.format(name)) for kind, (name, line) in rows.items()]
    for name in SPELLED:
        case = spelled.load(name)
        found += [Planted(f"{one.kind} ({name})", one.written, one.line) for one in case.planted]
    return found


def plain_lines() -> str:
    """Return the lines of the same evidence that name in plain words what is planted encoded."""
    return "".join(spelled.load(name).plain for name in SPELLED)


def leaks(planted: list[Planted], content: bytes) -> Counter[str]:
    """Return the number of leaked names of each kind in `content`, whole or in part."""
    low = content.lower()
    output: Counter[str] = Counter()
    for one in planted:
        name = one.name.lower().encode()
        size = max(PART, (len(name) + 1) // 2)
        if name in low or (len(name) > size and (name[:size] in low or name[-size:] in low)):
            output[one.kind] += 1
    return output


class Measured(NamedTuple):
    """Result of redacting one text or archive."""

    name: str
    size_bytes: int
    seconds: float
    planted: int
    leaked: Counter[str]
    reshaped: int


def redacted(name: str, texts: list[tuple[str, bytes]], planted: list[Planted], before: bytes) -> Measured:
    """Redact `texts` in this process, on one core, and count the leaks; `before` is without names."""
    words = library_words()
    start = time.perf_counter()
    redactor = Redactor(b"benchmark".ljust(32, b"."), words=words)
    for path, content in texts:
        redactor.learn([content], path)
    redactor.settle()
    output = [(redactor.text(path), b"".join(redactor.redact([content], path))) for path, content in texts]
    seconds = time.perf_counter() - start
    # Some letters of a made-up name stand in the evidence by chance: those were not planted.
    chance = leaks(planted, before)
    whole = b"\n".join(path.encode() + b"\n" + content for path, content in output)
    reshaped = sum(
        len(one) != len(other)
        for (_, was), (_, is_now) in zip(texts, output, strict=True)
        for one, other in zip(was.split(b"\n"), is_now.split(b"\n"), strict=True)
    )
    size = sum(len(content) for _, content in texts)
    return Measured(name, size, seconds, len(planted), leaks(planted, whole) - chance, reshaped)


def sosreport_texts(path: Path, planted: list[Planted]) -> list[tuple[str, bytes]]:
    """Return the texts of a sosreport with the planted lines behind some of them."""
    with path.open("rb") as stream:
        texts = [
            (piece.path, b"".join(piece.chunks)) for piece in pieces(stream, path.name) if not piece.reason
        ]
    places = [at for at, (name, _) in enumerate(texts) if "/sos_commands/" in name]
    if planted:
        texts.append((f"{texts[0][0].partition('/')[0]}/sos_commands/planted", plain_lines().encode()))
    for number, one in enumerate(planted):
        at = places[number % len(places)]
        texts[at] = (texts[at][0], texts[at][1].rstrip(b"\n") + b"\n" + one.line.encode() + b"\n")
    return texts


def sos_clean(
    texts: list[tuple[str, bytes]], planted: list[Planted], before: bytes
) -> tuple[float, Counter[str]] | None:
    """Run `sos clean` on the same texts as a sosreport; None when there is no sos or it gives nothing."""
    if shutil.which("sos") is None:
        return None
    root = texts[0][0].partition("/")[0]
    with tempfile.TemporaryDirectory() as folder:
        archive = Path(folder, f"{root}.tar.xz")
        with tarfile.open(archive, "w:xz", preset=0) as tar:
            # sos knows its own archives by this folder.
            own = tarfile.TarInfo(f"{root}/sos_logs")
            own.type, own.mode = tarfile.DIRTYPE, 0o755
            tar.addfile(own)
            for name, content in texts:
                member = tarfile.TarInfo(name)
                member.size = len(content)
                tar.addfile(member, io.BytesIO(content))
        start = time.perf_counter()
        # -j 1: one core, as ours.
        subprocess.run(
            ["sos", "clean", "--batch", "-j", "1", "--tmp-dir", folder, str(archive)],
            check=False,
            capture_output=True,
        )
        seconds = time.perf_counter() - start
        cleaned = sorted(Path(folder).glob("*obfuscated*.tar*"))
        if not cleaned:
            return None
        with tarfile.open(cleaned[0]) as tar:
            parts = [stream.read() for member in tar if (stream := tar.extractfile(member))]
    return seconds, leaks(planted, b"\n".join(parts)) - leaks(planted, before)


def version_of_sos() -> str:
    """Return the version of the installed sos."""
    output = subprocess.run(
        ["dpkg-query", "-W", "-f", "${Version}", "sosreport"], check=False, capture_output=True
    )
    return output.stdout.decode().strip() or "not packaged"


def main(arguments: list[str]) -> None:
    """Measure, and print the page."""
    planted = plant()
    sosreport = Path(arguments[0])
    texts = sosreport_texts(sosreport, planted)
    before = b"\n".join(content for _, content in sosreport_texts(sosreport, []))
    rows = [redacted(sosreport.name, texts, planted, before)]
    lines = (plain_lines() + "".join(f"{one.line}\n" for one in planted)).encode()
    for path in map(Path, arguments[1:]):
        with path.open("rb") as stream:
            piece = next(pieces(stream, path.name))
            content = b"".join(piece.chunks)
        rows.append(redacted(piece.path, [(piece.path, content + lines)], planted, content))
    large = redact_large.rows(sosreport_texts(sosreport, []))
    lines_told = page(planted, rows, large, sos_clean(texts, planted, before))
    sys.stdout.write("\n".join(lines_told) + "\n")


def page(
    planted: list[Planted],
    rows: list[Measured],
    large: list[redact_large.Large],
    peer: tuple[float, Counter[str]] | None,
) -> Iterator[str]:
    """Yield the lines of the page."""
    kinds = list(dict.fromkeys(one.kind for one in planted))
    yield "# Redaction: what is left, and how fast"
    yield ""
    yield f"Printed by `make bench-redact` on {platform.machine()}, one core, while other work ran."
    dice = len(planted) - sum(len(spelled.load(name).planted) for name in SPELLED)
    yield f"{len(planted)} made-up secrets are planted in each file: {dice} of eighteen kinds, {EACH} each,"
    yield "and those of `tests/data/redaction`: *seen*, in spellings that the rules were written with, and"
    yield "*unseen*, written down whole before any was run. No line is lost; a line of another length holds a"
    yield "name in a code whose length depends on its letters."
    yield f"A name is left when it, or a half of it of {PART} letters or more, is anywhere in the result or"
    yield "in a file's name."
    yield ""
    yield "| file | MB | seconds | MB/s | planted | left | lines of another length |"
    yield "| --- | --- | --- | --- | --- | --- | --- |"
    for row in rows:
        yield _row(row.name, row.size_bytes, row.seconds, row.planted, row.leaked.total(), row.reshaped)
    if peer is not None:
        name = f"the same sosreport by `sos clean` {version_of_sos()}"
        yield _row(name, rows[0].size_bytes, peer[0], len(planted), peer[1].total(), "not looked at")
    yield ""
    yield from redact_large.page(large)
    yield "## By kind"
    yield ""
    each = Counter(one.kind for one in planted)
    yield "| kind | planted in all files | left | left by `sos clean`, of its sosreport |"
    yield "| --- | --- | --- | --- |"
    for kind in kinds:
        ours = sum(row.leaked[kind] for row in rows)
        theirs = "not run" if peer is None else f"{peer[1][kind]} of {each[kind]}"
        yield f"| {kind} | {each[kind] * len(rows)} | {ours} | {theirs} |"
    yield ""
    yield "Ours is the time to find names, decide and replace, in memory; that of `sos clean` includes"
    yield "unpacking and packing. Patterns are compiled once in a process, in about 0.2 seconds: the first"
    yield "row has them. Small files cost what it takes to judge and to spell the planted names."
    yield "Of the 158 secrets of *unseen* the rules left 101 when they first met them; then they were mended."
    yield "Three of them stay whole, each with its reason in `tests/data/redaction/unseen.yaml`. The"
    yield "others that count as left are replaced, and share a half with a word that stays."


def _row(name: str, size_bytes: int, seconds: float, *counts: object) -> str:
    speed = f"{size_bytes / seconds / 1e6:.1f}"
    cells = (name, f"{size_bytes / 1e6:.2f}", f"{seconds:.2f}", speed, *counts)
    return f"| {' | '.join(map(str, cells))} |"


if __name__ == "__main__":
    main(sys.argv[1:])
