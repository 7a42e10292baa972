"""Writes the image that every start uses: `python -m tools.start_image` (`ingest.start_image`).

It holds what the import of every module of the packages makes, that of what they import included, and what
the analysis of sample cases and kernel logs makes.
"""

from __future__ import annotations

import collections
import dataclasses
import importlib
import marshal
import os
import pkgutil
import re
import subprocess
import sys
import sysconfig
from importlib.machinery import SourceFileLoader
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ingest import start_hooks, start_image

if TYPE_CHECKING:
    from collections.abc import Mapping
    from types import CodeType

    from ingest.start_image import Part, Place

    Asked = tuple[list[str], list[tuple[str | bytes, int]], list[str]]

_sre: Any = importlib.import_module("_sre")
ROOT = Path(__file__).parents[1]
PACKAGES = ("ingest", "signatures", "backend", "cli")


SAMPLES = (ROOT / "backend/evidence/sample_cases", ROOT / "tests/data/kernel-log")
COMMON = ("click.", "numpy.")
"""Of what is installed, what most commands import."""

LOG = ROOT / "signatures/library/net/tcp-memory-limit/evidence/pos-orphans/dmesg.txt"
"""A short log without call traces."""

ASKING = """
import io, marshal, sys
from ingest import start_image

asked = {}, {}, {}
find = start_image.Image._place

def noting(self, table, key):
    asked[table][key] = True
    return find(self, table, key)

start_image.Image._place = noting
from cli import main
from cli.process import late_package, short_program

for name in short_program.LATE:
    late_package.delay(name)
printed, sys.stdout = sys.stdout, io.StringIO()
try:
    main.main(["analyze", sys.argv[1]])
except SystemExit:
    pass
printed.buffer.write(marshal.dumps(tuple(map(list, asked))))
"""
"""Prints what is asked of an image, in order."""

LIBRARY = sysconfig.get_path("stdlib")
OF_THE_START = ("sitecustomize", "usercustomize")
"""Modules that may be others in another environment of the same Python."""


class Recorder:
    """Records expressions and texts while modules are imported.

    Attributes:
        expressions: By expression and flags, what `_sre.compile` takes after the expression.
        texts: By text, its code.
    """

    def __init__(self) -> None:
        """Record from now on, for the whole process."""
        self.expressions: dict[tuple[str | bytes, int], tuple[Any, ...]] = {}
        self.texts: dict[str, CodeType] = {}
        self._compile = re._compiler.compile  # type: ignore[attr-defined]  # noqa: SLF001 - of this very Python
        re._compiler.compile = self._expression  # type: ignore[attr-defined]  # noqa: SLF001 - same
        re._compiler._sre = self  # type: ignore[attr-defined]  # noqa: SLF001 - same
        self._taken: tuple[Any, ...] = ()
        for module in (dataclasses, collections):
            vars(module).update(exec=self._execute, eval=self._evaluate)
        start_hooks.hurry(self._execute)

    def __getattr__(self, name: str) -> Any:
        """Return what `_sre` has."""
        return getattr(_sre, name)

    def compile(self, pattern: Any, flags: int, *program: Any) -> re.Pattern[Any]:
        """Compile an expression as `_sre` does."""
        self._taken = (int(flags), *program)
        made: re.Pattern[Any] = _sre.compile(pattern, flags, *program)
        return made

    def _expression(self, pattern: Any, flags: int = 0) -> re.Pattern[Any]:
        made: re.Pattern[Any] = self._compile(pattern, flags)
        if isinstance(pattern, str | bytes):
            flags_of, code, groups, index, names = self._taken
            # The index is a read-only view in a compiled expression, and a dictionary before.
            self.expressions[pattern, int(flags)] = (flags_of, [*map(int, code)], groups, dict(index), names)
        return made

    def _execute(self, text: str, space: dict[str, Any], *spaces: Any) -> None:
        if not space["__name__"].startswith((*PACKAGES, *COMMON)):
            exec(text, space, *spaces)  # noqa: S102 - of `dataclasses`
            return
        exec(self._code_of(text, "exec"), space, *spaces)  # noqa: S102 - of `dataclasses`

    def _evaluate(self, text: str, *spaces: Any) -> Any:
        return eval(self._code_of(text, "eval"), *spaces)  # noqa: S307 - of `collections`

    def _code_of(self, text: str, mode: str) -> CodeType:
        code: CodeType = compile(text, "<string>", mode, dont_inherit=True)
        self.texts[text] = code
        return code


def main() -> None:
    """Import everything, and write what that made."""
    os.environ[start_image.VARIABLE] = "off"
    recorder = Recorder()
    for package in PACKAGES:
        root = importlib.import_module(package)
        for one in pkgutil.walk_packages(root.__path__, f"{package}."):
            if not one.name.endswith("__main__"):
                importlib.import_module(one.name)
    importlib.import_module("ingest.readers").import_all()
    # Expressions that are compiled when first used.
    importlib.import_module("cli.evidence.analysis").analyse([str(one) for one in SAMPLES if one.exists()])
    modules = {}
    for name, module in list(sys.modules.items()):
        spec = getattr(module, "__spec__", None)
        if spec is None or spec.name != name or not isinstance(spec.loader, SourceFileLoader):
            continue
        if not _is_kept(name, spec.loader.path):
            continue
        code = spec.loader.get_code(name)
        if code is not None:
            modules[name] = (spec.loader.path, code)
    everything = (modules, recorder.expressions, recorder.texts)
    write(content_of(*everything))
    # Which of it a short log takes, the image itself tells.
    write(content_of(*everything, asked=_asked_for(LOG)))


def _asked_for(log: Path) -> Asked:
    """Return which modules, expressions and texts `casebook analyze` of a log asks the image for."""
    environment = {name: value for name, value in os.environ.items() if name != start_image.VARIABLE}
    command = [sys.executable, "-c", ASKING, log]
    printed = subprocess.run(command, env=environment, cwd=ROOT, stdout=subprocess.PIPE, check=True).stdout
    asked: Asked = marshal.loads(printed)  # noqa: S302 - of our own process
    return asked


def _is_kept(name: str, path: str) -> bool:
    """Return whether the image has a module: ours, the standard library's, one that most commands import."""
    if "site-packages" in path:
        return name.startswith(COMMON)
    if "." in name:
        return True
    return path.startswith(f"{LIBRARY}/") and name not in OF_THE_START


def content_of(
    modules: Mapping[str, tuple[str, CodeType]],
    expressions: Mapping[tuple[str | bytes, int], tuple[Any, ...]],
    texts: Mapping[str, CodeType],
    asked: Asked = ([], [], []),
) -> bytes:
    """Return the bytes of an image.

    Args:
        modules: By name, the path of the source of a module and its code.
        expressions: By expression and flags, what `_sre.compile` takes after the expression.
        texts: By text, its code.
        asked: Names, expressions and texts that are found without reading the table of the others.
    """
    made = bytearray()

    def place_of(value: Any) -> Place:
        dumped = marshal.dumps(value)
        made.extend(dumped)
        return len(made) - len(dumped), len(dumped)

    rows: dict[str, Part] = {}
    for name, (path, code) in sorted(modules.items()):
        found = Path(path).stat()
        rows[name] = (
            path.removeprefix(f"{start_image.ROOT}/"),
            found.st_size,
            found.st_mtime_ns,
            place_of(code),
        )
    programs = {key: place_of(program) for key, program in expressions.items()}
    codes = {text: place_of(code) for text, code in texts.items()}
    every: tuple[Mapping[Any, Any], ...] = (rows, programs, codes)
    keys: tuple[list[Any], ...] = asked
    few = tuple({key: table.get(key) for key in of} for table, of in zip(every, keys, strict=True))
    head = marshal.dumps((start_image.python(), few, place_of(every)))
    return len(head).to_bytes(start_image.HEAD_BYTES, "little") + head + made


def write(content: bytes, file: Path = Path(start_image.FILE)) -> None:
    """Write an image; a process that reads at the same time has the old one or the new one."""
    partial = file.with_suffix(".partial")
    partial.write_bytes(content)
    partial.replace(file)


if __name__ == "__main__":
    main()
