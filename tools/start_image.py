"""Writes the image that every start uses: `python -m tools.start_image` (`ingest.start_image`).

It holds what the import of every module of the packages makes, that of what they import included, and what
the analysis of sample cases and kernel logs makes.
"""

from __future__ import annotations

import collections
import dataclasses
import importlib
import os
import pkgutil
import re
import sys
from importlib.machinery import SourceFileLoader
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ingest import start_image

if TYPE_CHECKING:
    from types import CodeType

_sre: Any = importlib.import_module("_sre")
ROOT = Path(__file__).parents[1]
PACKAGES = ("ingest", "signatures", "backend", "cli")


SAMPLES = (ROOT / "backend/evidence/sample_cases", ROOT / "tests/data/kernel-log")
COMMON = ("click.", "numpy.")
"""Of what is installed, what most commands import."""


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
        if "." not in name or ("site-packages" in spec.loader.path and not name.startswith(COMMON)):
            continue
        code = spec.loader.get_code(name)
        if code is not None:
            modules[name] = (spec.loader.path, code)
    start_image.write(start_image.content_of(modules, recorder.expressions, recorder.texts))


if __name__ == "__main__":
    main()
