"""Messages of one source package, kept in the cache folder: who prints what at which level, where.

Calls are cached by the digest of their file: most files of a release are those of the one before.
"""

from __future__ import annotations

import gzip
import hashlib
import json
import marshal
import re
import sqlite3
import subprocess
import tarfile
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

from tools.message_catalogue.c_text import Call, Macro, Scanned, scan
from tools.message_catalogue.callees import CONTINUED, DEBUG, Callees, level_of
from tools.message_catalogue.modules import modules_of
from tools.message_catalogue.skeletons import Skeleton, skeletons

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

SCAN_VERSION = 2
"""Raised when `scan` finds other calls."""

MESSAGES_VERSION = 3
"""Raised when other messages or levels are made of the calls."""

_ELSEWHERE = re.compile(
    r"(?:tools|scripts|Documentation|samples|usr|LICENSES|debian|certs)/|arch/\w+/(?:boot|tools)/|.*/asic_reg/"
    r"|.*/(?:selftests?|kunit)/|.*_kunit\.c$"
)
"""What no running kernel prints."""

_RARE = re.compile(
    r"arch/(?!x86|arm|powerpc|s390|riscv|loongarch)\w+/|drivers/staging/|xen/tools/|module/os/freebsd/|.*/x86emu/"
)
"""What few machines run, and what the catalogue has no room for."""

_INFORMATION = 6

_CONTINUABLE = re.compile(r"^(?:printk\w*|pr_\w+)$")


@dataclass(frozen=True, slots=True)
class Source:
    """A source package; see sources.yaml."""

    name: str
    release: str
    kind: str
    url: str
    sha256: str
    folders: tuple[str, ...] = ()


class Message(NamedTuple):
    """A line that a call prints."""

    skeleton: Skeleton
    level: int
    path: str
    function: str
    is_error: bool


class Extracted(NamedTuple):
    """What one source package prints, and the module of each file."""

    messages: list[Message]
    modules: dict[str, str]


def extracted(source: Source, archive: Path, cache: Path) -> Extracted:
    """Return the messages of an archive."""
    kept = cache / f"{source.name}.v{MESSAGES_VERSION}.json.gz"
    if kept.exists():
        with gzip.open(kept, "rt", encoding="utf-8") as file:
            data = json.load(file)
        rows = [
            Message(Skeleton(tuple(w), tuple(map(bool, g)), bool(o)), *rest)
            for w, g, o, *rest in data["messages"]
        ]
        return Extracted([one for one in rows if _is_kept(one, source)], data["modules"])
    scanned, makefiles = _scan(source, archive, cache)
    callees = Callees((path, macro) for path, file in scanned.items() for macro in file.macros)
    messages = [one for path, file in scanned.items() for one in _messages(path, file, callees)]
    modules = modules_of(makefiles)
    used = {one.path for one in messages}
    result = Extracted(messages, {path: name for path, name in modules.items() if path in used})
    rows = [
        [one.skeleton.words, list(map(int, one.skeleton.gaps)), int(one.skeleton.is_open), *one[1:]]
        for one in messages
    ]
    with gzip.open(kept, "wt", encoding="utf-8", compresslevel=5) as file:
        json.dump({"messages": rows, "modules": result.modules}, file)
    return result._replace(messages=[one for one in messages if _is_kept(one, source)])


def _is_kept(message: Message, source: Source) -> bool:
    # Modules outside of the kernel are built without their informational messages.
    return not _RARE.match(message.path) and (source.kind == "kernel" or message.level < _INFORMATION)


def _messages(path: str, file: Scanned, callees: Callees) -> Iterator[Message]:
    for call in file.calls:
        level = level_of(call, path, callees)
        if level is None or level in {CONTINUED, DEBUG}:
            continue
        goes_on = bool(_CONTINUABLE.match(call.callee))
        for skeleton in skeletons(call.text, goes_on=goes_on):
            is_error = call.is_error or call.callee.startswith("dev_err_probe")
            yield Message(skeleton, level, path, call.function, is_error)


def _scan(source: Source, archive: Path, cache: Path) -> tuple[dict[str, Scanned], dict[str, str]]:
    """Return what each C file says and the text of each Makefile, by path inside of the tree."""
    found: dict[str, Scanned] = {}
    makefiles: dict[str, str] = {}
    database = sqlite3.connect(cache / f"calls.v{SCAN_VERSION}.sqlite")
    database.execute("create table if not exists calls (digest blob primary key, data blob) without rowid")
    for path, content in _files(source, archive):
        if not path.endswith((".c", ".h", ".S")):
            makefiles[path] = content.decode("utf-8", "replace")
            continue
        digest = hashlib.sha256(content).digest()[:16]
        row = database.execute("select data from calls where digest = ?", (digest,)).fetchone()
        if row is None:
            file = scan(content.decode("utf-8", "replace"))
            data = marshal.dumps(
                ([tuple(one) for one in file.calls], [tuple(one) for one in file.macros], file.prefix)
            )
            database.execute("insert into calls values (?, ?)", (digest, data))
        else:
            calls, macros, prefix = marshal.loads(row[0])  # noqa: S302 - a file that this program wrote
            file = Scanned(tuple(Call(*one) for one in calls), tuple(Macro(*one) for one in macros), prefix)
        if file.calls or file.macros:
            found[path] = file
    database.commit()
    database.close()
    return found, makefiles


def _files(source: Source, archive: Path) -> Iterator[tuple[str, bytes]]:
    """Yield path inside of the tree and content of C files and Makefiles."""
    program = {".xz": "xz", ".gz": "gzip", ".bz2": "bzip2"}[archive.suffix]
    with (
        subprocess.Popen([program, "-dc", str(archive)], stdout=subprocess.PIPE) as unpacked,
        tarfile.open(fileobj=unpacked.stdout, mode="r|") as tree,
    ):
        for member in tree:
            path = member.name.removeprefix("./").partition("/")[2]
            if not member.isfile() or not _is_read(path) or _ELSEWHERE.match(path):
                continue
            if source.folders and not path.startswith(tuple(f"{one}/" for one in source.folders)):
                continue
            file = tree.extractfile(member)
            if file is not None:
                yield path, file.read()


def _is_read(path: str) -> bool:
    return path.endswith((".c", ".h")) or path.rsplit("/", 1)[-1].partition(".")[0] in {"Makefile", "Kbuild"}
