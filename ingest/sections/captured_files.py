"""Readers of captured files, one module each, and which of them reads what.

A path counts by its tail, component by component: `cg_during/memory.stat` is a `memory.stat`.
"""

from __future__ import annotations

import re
from fnmatch import fnmatchcase
from functools import cache, lru_cache
from typing import TYPE_CHECKING

from ingest.native.linear import Pattern
from ingest.readers import FILES

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ingest.parsing.protocols import CapturedFile

_PRIVILEGE = re.compile(
    r"^(?:sudo(?: -\S+)*|command|env|nice(?: -n ?\d+)?|LC_ALL=\S+|LANG=\S+"
    r"|watch(?: -[a-z]+(?: \d[\d.]*)?){0,4}|timeout(?: -\S+(?: [A-Z]+)?){0,2} \d\S*"
    r"|(?:(?:/usr)?/bin/)?(?:ba|da|a)?sh -[a-z]{0,3}c(?= ['\"]))\s+"
)
_INSIDE = re.compile(
    r"^(?:(?:kubectl|oc|k3s kubectl)(?: -{1,2}\S+(?: [^-\s]\S*)?){0,6} exec\s[^|;&]{1,200}? -- "
    r"|(?:docker|podman|nerdctl|crictl)(?: compose)? exec"
    r"(?: -(?:[uew]|-(?:user|env|workdir)) \S+| -\S+){0,6} [\w.-]{1,80} "
    r"|(?:docker|podman|nerdctl) run [^|;]{0,400}?(?=(?:(?:/usr)?/bin/)?(?:ba|da|a)?sh -[a-z]{0,3}c ['\"])"
    r"|nsenter(?: -\S+(?: [\d$][\w$]*)?){1,8} (?:-- )?(?=[a-z/])"
    r"|ssh(?: -\S+(?: [\w./=@-]+)?){0,6} [\w.@-]{1,120} (?=[a-z/'\"]))"
)
"""What runs a command in a container, in a namespace or on another host."""

_REDIRECTION = Pattern(r"\s*(?:2?>+\s*\S+|2>&1)")
_PRINTED_FILE = re.compile(
    r"^(?:cat|tail|head|more|less|grep)(?: (?:-\S+|\d+|''|\"\"|\.|'\.'|\"\.\"))* (?P<path>[^\s|;&<>$*]+)$"
)
_SEARCHED_FILE = re.compile(
    r"^[ef]?grep(?: (?:--?[abEFhiswvxP]+|-[ABCm] ?\d+|-e))*"
    r" (?:'[^']+'|\"[^\"]+\"|[^\s|;&<>$*'\"/-][^\s|;&<>$*'\"]*) (?P<path>/[^\s|;&<>$*]+)$"
)
"""grep for a word in one file: what it prints are lines of that file."""
MOST_NAMES = 4096
"""Names of files whose patterns are kept."""

_CLOCK = Pattern(r"\s*(?:;|&&)\s*date\b[^|;&]*$")
"""A time that is printed behind the file."""

_NAMES_ITS_FILE = re.compile(r"^grep (?:\S+ )*-[a-zA-Z]*[HrR]")
"""grep that puts the path of the file before each line."""


@lru_cache(maxsize=4096)
def reader_of_path(path: str) -> CapturedFile | None:
    """Return the reader of the file captured at `path`, None if there is none."""
    bare = path.strip("/")
    if not _every_path().fullmatch(bare):
        return None
    parts = bare.split("/")
    return next((file for pattern, file in _by_name()[parts[-1]] if _is_tail(parts, pattern)), None)


class _ByName(dict[str, "tuple[tuple[list[str], CapturedFile], ...]"]):
    """The patterns that end in a name, or in one that fits it, in the order of the readers."""

    def __missing__(self, name: str) -> tuple[tuple[list[str], CapturedFile], ...]:
        patterns = ((pattern.split("/"), file) for file in FILES for pattern in file.PATHS)
        found = tuple((parts, file) for parts, file in patterns if fnmatchcase(name, parts[-1]))
        if len(self) < MOST_NAMES:
            self[name] = found
        return found


@cache
def _by_name() -> _ByName:
    return _ByName()


@cache
def _every_path() -> Pattern:
    """Return the expression of all paths that are read: most members of an archive are not."""
    tails = "|".join(_expression(pattern) for file in FILES for pattern in file.PATHS)
    return Pattern(f"(?:.*/)?(?:{tails})")


def _expression(pattern: str) -> str:
    """Return a glob pattern as an expression; `*` stays within one component."""
    pieces = re.split(r"(\*|\?|\[[^][]*\])", pattern)
    wild = {"*": "[^/]*", "?": "[^/]"}
    return "".join(wild.get(one) or (one if one.startswith("[") else re.escape(one)) for one in pieces)


def _is_tail(parts: list[str], pattern: list[str]) -> bool:
    """Return whether the last components are as the pattern has them."""
    return len(parts) >= len(pattern) and all(map(fnmatchcase, parts[-len(pattern) :], pattern))


def bare_command(command: str) -> str:
    """Return `command` without what runs it elsewhere or with privileges, and without redirections."""
    bare = _REDIRECTION.sub("", command.strip())
    while found := _PRIVILEGE.match(bare) or _INSIDE.match(bare):
        bare = bare[found.end() :].strip()
        if bare[:1] in {"'", '"'} and bare[-1:] == bare[:1] and len(bare) > 1:
            bare = bare[1:-1]
    return bare.strip()


def path_of_command(command: str) -> str:
    """Return the file that `command` prints, "" when it prints none or several."""
    whole = _CLOCK.sub("", bare_command(command))
    bare = whole.split("|")[0].strip()
    found = _SEARCHED_FILE.match(whole) or _SEARCHED_FILE.match(bare) or _PRINTED_FILE.match(bare)
    return found["path"] if found and not _NAMES_ITS_FILE.match(bare) else ""


@lru_cache(maxsize=1024)
def reader_of_command(command: str) -> CapturedFile | None:
    """Return the reader of the output of `command`, None if there is none."""
    bare = bare_command(command)
    first = bare.split("|")[0].strip()
    for file in FILES:
        if any(
            _shape(pattern).fullmatch(bare) or _shape(pattern).fullmatch(first) for pattern in file.COMMANDS
        ):
            return file
    return None


@cache
def _shape(pattern: str) -> Pattern:
    """Compile the pattern of a whole command line."""
    return Pattern(pattern)


def reader_of_hint(filename: str, own: object = None) -> CapturedFile | None:
    """Return the reader of a loose file with that name, if the content fits; None if there is none.

    Args:
        filename: The name.
        own: The reader that recognises the content, which is the only one then; None for all.
    """
    fits = (
        file
        for file, pieces, hint in _hints()
        if (own is None or file is own)
        and all(piece in filename for piece in pieces)
        and fnmatchcase(filename, hint)
    )
    return next(fits, None)


_WILD = re.compile(r"[*?]")


@cache
def _hints() -> tuple[tuple[CapturedFile, list[str], str], ...]:
    """Return the readers by patterns of names of loose files, and what all names have that one matches."""
    return tuple(
        (file, [] if "[" in hint else _WILD.split(hint), hint) for file in FILES for hint in file.HINTS
    )


_NEXT = re.compile(r";|&&")
_ONE_VALUE = (
    (re.compile(r"uname -r"), re.compile(r"\d{1,3}\.[\w.+~-]*")),
    (re.compile(r"nproc(?: --all)?|getconf PAGE_?SIZE"), re.compile(r"\d{1,9}")),
    (re.compile(r"grep [^|]*VmRSS[^|]* /proc/\d+/status"), re.compile(r"VmRSS:\s+\d{1,12} kB")),
    (re.compile(r"grep [^|]*Rss[^|]* /proc/\d+/smaps_rollup"), re.compile(r"Rss:\s+\d{1,12} kB")),
    (re.compile(r"lscpu \| grep [^|;&]*CPU[^|;&]*"), re.compile(r"CPU\(s\):\s+\d{1,9}")),
)
"""Commands that print one line, and what that line looks like."""


def last_values(command: str, lines: Sequence[str]) -> tuple[str, list[str]]:
    """Return the commands at the end of a list (`ps; uname -r && nproc`) that printed one last line each.

    Returns: the list without them, and these in order; none when a line is not what its command prints.
    """
    commands = [part.strip() for part in _NEXT.split(command)]
    if len(commands) < 2:
        return command, []
    separators = list(_NEXT.finditer(command))
    taken: list[str] = []
    while commands and len(taken) < len(lines) and _is_value(commands[-1], lines[-1 - len(taken)]):
        taken.insert(0, commands.pop())
    rest = command[: separators[len(commands) - 1].start()].rstrip() if commands and taken else command
    if not commands and len(taken) != len(lines):
        return command, []
    return (rest if commands else ""), taken


_QUIET = re.compile(r"\w+=\S.*|cd(?: \S+)?|sleep \d[\d.]*|set [-+]\w+")
"""Commands that print nothing."""


def first_values(command: str, lines: Sequence[str]) -> tuple[list[str], str]:
    """Return the commands at the start of a list (`nproc; uname -r; cat …`) that printed one first line each.

    Returns: these in order, and the list without them; none when a line is not what its command prints.
    """
    commands = [part.strip() for part in _NEXT.split(command)]
    separators = list(_NEXT.finditer(command))
    taken: list[str] = []
    done = 0
    for one in commands[:-1]:
        if len(taken) < len(lines) and _is_value(one, lines[len(taken)]):
            taken.append(one)
        elif not _QUIET.fullmatch(one):
            break
        done += 1
    if not taken or len(taken) == len(lines):
        return [], command
    return taken, command[separators[done - 1].end() :].strip()


def _is_value(command: str, line: str) -> bool:
    bare = command.strip().removeprefix("sudo ")
    return any(asks.fullmatch(bare) and shape.fullmatch(line.strip()) for asks, shape in _ONE_VALUE)
