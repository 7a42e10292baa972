"""The files and tools whose output the overview asks for: `cat a; grep x b` asks for `a` and `b`."""

from __future__ import annotations

import ast
import importlib
import inspect
import pkgutil
import re
from collections.abc import Mapping
from pathlib import Path

import yaml

import signatures.overview
import signatures.waits

TABLE = yaml.safe_load(Path(__file__).with_name("asked_outputs.yaml").read_text())
TOOLS = frozenset(TABLE["tools"].split())
WITH_SUBCOMMANDS = frozenset({"perf", "zpool", "nvme"})
_SPLIT = re.compile(r"\s*(?:;|&&|\bdo\b|\bdone\b)\s*")
_PREFIX = re.compile(r"^(?:sudo |timeout -s KILL \d+ )+")
_PATH = re.compile(r"(?<![\w.])/(?:proc|sys|etc|var)/[^\s;|&')]+")


def commands():
    """Return every text of the overview and the wait graph that is a shell command."""
    found = set()
    for package in (signatures.overview, signatures.waits):
        for module in pkgutil.walk_packages(package.__path__, f"{package.__name__}."):
            imported = importlib.import_module(module.name)
            for name, value in vars(imported).items():
                found.update(() if name.startswith("__") else _texts(value))
            tree = ast.walk(ast.parse(inspect.getsource(imported)))
            constants = (one.value for one in tree if isinstance(one, ast.Constant))
            found.update(one for one in constants if isinstance(one, str))
    for table in Path(signatures.overview.__file__).parent.rglob("*.yaml"):
        found.update(_texts(yaml.safe_load(table.read_text(encoding="utf-8"))))
    return {one for one in found if _tool(one)}


def outputs(command):
    """Yield each file or tool whose output a command prints."""
    folder = ""
    command = command.replace("$t/", "/proc/PID/").replace("/proc/$p/", "/proc/PID/")
    for part in _SPLIT.split(command):
        piece = _PREFIX.sub("", part.partition("|")[0].strip())
        tool, _, rest = piece.partition(" ")
        if tool == "cd":
            folder = f"{rest}/"
        elif tool in {"cat", "grep", "head", "sort"}:
            paths = _PATH.findall(rest)
            names = [one for one in rest.split() if folder and re.match(r"[a-z]+\.[\w.*]+$", one)]
            yield from (*paths, *(f"{folder}{one}" for one in names))
        elif tool in TOOLS - {"echo", "date"}:
            named = rest.split()[:1] if tool in WITH_SUBCOMMANDS else []
            yield " ".join([tool, *named])


def _tool(text):
    """Return whether a text is a command, and no sentence or message that begins like one."""
    first, _, rest = _PREFIX.sub("", text).partition(" ")
    is_prose = "\n" in text or text.endswith(".") or re.search(r"^\S+:|\b(?:the|is|of|or|its|with)\b", rest)
    return bool(rest and (first.rstrip(";") in TOOLS or first in {"for", "cd"}) and not is_prose)


def _texts(value, depth=0):
    if isinstance(value, str):
        yield value
    elif depth < 6 and isinstance(value, Mapping):
        for one in value.values():
            yield from _texts(one, depth + 1)
    elif depth < 6 and isinstance(value, tuple | list | frozenset | set):
        for one in value:
            yield from _texts(one, depth + 1)
