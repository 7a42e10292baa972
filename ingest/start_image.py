"""What the interpreter makes at every start, made once: module code, regular expressions, methods of classes.

    use()       before the modules are imported

`make build` writes the image: `python -m tools.start_image`. It holds for one build of Python only:

    modules      code of a module, while size and time of its source are those that it was made of; without,
                 each module costs eight system calls, and code that may not write bytecode compiles it again
    expressions  the program that `re` makes of an expression and its flags
    texts        the code of the texts that `dataclasses` and `collections` write and execute

The last two are keyed by what they are made of, so none is ever stale. What the image lacks is made as
always. The file is as trusted as the bytecode beside it.

With an image, annotations that are texts stay texts: `NamedTuple` would compile each to say whether it is an
expression, and `dataclasses` looks for `ClassVar` by an expression in each.
"""

from __future__ import annotations

import collections
import dataclasses
import importlib
import marshal
import os
import re
import sys
import typing
from importlib.machinery import ModuleSpec, SourceFileLoader
from mmap import ACCESS_READ, mmap
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple, TypeAlias

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence
    from types import CodeType, ModuleType

ROOT = str(Path(__file__).parents[1])
FILE = Path(__file__).with_name("start.image")
VARIABLE = "CASEBOOK_START_IMAGE"
"""`off` for none."""

_sre: Any = importlib.import_module("_sre")
"""The engine of `re`."""

_FORM = 1
_PYTHON = f"{_FORM}|{sys.version}|{_sre.MAGIC}"
_HEAD_BYTES = 8

Place: TypeAlias = tuple[int, int]
"""First byte and length of what is made."""


class Part(NamedTuple):
    """The code of a module.

    Attributes:
        path: Of the source, below the root where it is ours.
        size: Of the source in bytes.
        mtime_ns: Of the source.
        place: Of the code in the image.
    """

    path: str
    size: int
    mtime_ns: int
    place: Place


class Image:
    """A loaded image, and the hooks that use it."""

    def __init__(self, content: bytes | mmap) -> None:
        """Take the bytes of the file.

        Raises:
            ValueError: They are torn, or of another Python.
        """
        head = _HEAD_BYTES + int.from_bytes(content[:_HEAD_BYTES], "little")
        view = memoryview(content)
        try:
            python, modules, expressions, texts = marshal.loads(view[_HEAD_BYTES:head])  # noqa: S302 - as bytecode
        except (EOFError, TypeError) as error:
            raise ValueError(f"no image: {error}") from error
        if python != _PYTHON:
            raise ValueError(f"of {python}")
        self._made = view[head:]
        self._modules: dict[str, tuple[str, int, int, Place]] = modules
        self._expressions: dict[tuple[str | bytes, int], Place] = expressions
        self._texts: dict[str, Place] = texts
        self._compile = re._compiler.compile  # type: ignore[attr-defined]  # noqa: SLF001 - of this very Python

    def install(self) -> None:
        """Use the image from now on in this process."""
        sys.meta_path.insert(0, self)
        re._compiler.compile = self.expression  # type: ignore[attr-defined]  # noqa: SLF001 - same
        for module in (dataclasses, collections):
            vars(module).update(exec=self.execute, eval=self.evaluate)
        vars(typing).update(_make_nmtuple=_named_tuple)
        vars(dataclasses).update(_is_type=_is_type)

    def find_spec(
        self, name: str, path: Sequence[str] | None = None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        """Return the specification of a module inside a package; None for what the image lacks."""
        del target
        row = self._modules.get(name) if path is not None else None
        if row is None:
            return None
        part = Part(*row)
        place = part.path if part.path[0] == "/" else f"{ROOT}/{part.path}"
        folder, _, file = place.rpartition("/")
        is_package = file == "__init__.py"
        if (folder.rpartition("/")[0] if is_package else folder) not in path:  # type: ignore[operator]
            return None
        spec = ModuleSpec(name, _Loader(name, place, self, part), origin=place, is_package=is_package)
        spec.has_location = True
        spec.cached = f"{folder}/__pycache__/{file[:-3]}.{sys.implementation.cache_tag}.pyc"
        if is_package:
            spec.submodule_search_locations = [folder]
        return spec

    def made(self, place: Place) -> Any:
        """Return what is at a place."""
        first, length = place
        return marshal.loads(self._made[first : first + length])  # noqa: S302 - as bytecode

    def expression(self, pattern: Any, flags: int = 0) -> re.Pattern[Any]:
        """Return a compiled expression, as `re` makes it."""
        place = self._expressions.get((pattern, int(flags))) if isinstance(pattern, str | bytes) else None
        if place is None:
            compiled: re.Pattern[Any] = self._compile(pattern, flags)
            return compiled
        found: re.Pattern[Any] = _sre.compile(pattern, *self.made(place))
        return found

    def execute(self, text: str, *spaces: Any) -> None:
        """Execute the text of a function, as the builtin does."""
        exec(self._code_of(text, "exec"), *spaces)  # noqa: S102 - of `dataclasses`

    def evaluate(self, text: str, *spaces: Any) -> Any:
        """Evaluate the text of a function, as the builtin does."""
        return eval(self._code_of(text, "eval"), *spaces)  # noqa: S307 - of `collections`

    def _code_of(self, text: str, mode: str) -> CodeType:
        place = self._texts.get(text)
        found: CodeType = (
            compile(text, "<string>", mode, dont_inherit=True) if place is None else self.made(place)
        )
        return found


_OURS = ("backend.", "cli.", "ingest.", "signatures.")
_MARKS = ("ClassVar", "InitVar", "KW_ONLY")
"""Names in annotations that make something else than a field; our modules have no others for these."""

_is_type_by_expression: Any = vars(dataclasses)["_is_type"]
_named_tuple_of_names: Any = collections.namedtuple  # noqa: PYI024 - of `typing`
_named_tuple_of_types: Any = vars(typing)["_make_nmtuple"]


def _is_type(annotation: str, cls: type, *others: Any) -> bool:
    """Return whether an annotation is one of the marks, as `dataclasses` finds out."""
    if cls.__module__.startswith(_OURS) and not any(mark in annotation for mark in _MARKS):
        return False
    return bool(_is_type_by_expression(annotation, cls, *others))


def _named_tuple(name: str, types: Iterable[tuple[str, Any]], *others: Any, **options: Any) -> Any:
    """Return the class that `typing` makes of the fields of a `NamedTuple`."""
    annotations = dict(types)
    if set(map(type, annotations.values())) != {str}:
        return _named_tuple_of_types(name, types, *others, **options)
    return _named_tuple_of_texts(name, annotations, *others, **options)


def _named_tuple_of_texts(
    name: str, annotations: dict[str, str], module: str, defaults: Sequence[Any] = ()
) -> Any:
    found: Any = _named_tuple_of_names(name, annotations, defaults=defaults, module=module)
    found.__annotations__ = found.__new__.__annotations__ = annotations
    return found


class _Loader(SourceFileLoader):
    """Loads a module of the image, or its source when that is another than the one it was made of."""

    def __init__(self, name: str, path: str, image: Image, part: Part) -> None:
        super().__init__(name, path)
        self._image = image
        self._part = part

    def get_code(self, fullname: str) -> CodeType | None:
        found = os.stat(self.path)  # noqa: PTH116 - a path for each module takes longer
        if (found.st_size, found.st_mtime_ns) == (self._part.size, self._part.mtime_ns):
            code: CodeType = self._image.made(self._part.place)
            return code
        return super().get_code(fullname)


def use(file: Path = FILE) -> None:
    """Use the image, if there is one of this Python."""
    if os.environ.get(VARIABLE) == "off":
        return
    try:
        with file.open("rb") as opened:
            image = Image(mmap(opened.fileno(), 0, access=ACCESS_READ))
    except (OSError, ValueError):
        return
    image.install()


def content_of(
    modules: Mapping[str, tuple[str, CodeType]],
    expressions: Mapping[tuple[str | bytes, int], tuple[Any, ...]],
    texts: Mapping[str, CodeType],
) -> bytes:
    """Return the bytes of an image.

    Args:
        modules: By name, the path of the source of a module and its code.
        expressions: By expression and flags, what `_sre.compile` takes after the expression.
        texts: By text, its code.
    """
    made = bytearray()

    def place_of(value: Any) -> Place:
        dumped = marshal.dumps(value)
        made.extend(dumped)
        return len(made) - len(dumped), len(dumped)

    rows = {}
    for name, (path, code) in sorted(modules.items()):
        found = Path(path).stat()
        rows[name] = (path.removeprefix(f"{ROOT}/"), found.st_size, found.st_mtime_ns, place_of(code))
    programs = {key: place_of(program) for key, program in expressions.items()}
    codes = {text: place_of(code) for text, code in texts.items()}
    head = marshal.dumps((_PYTHON, rows, programs, codes))
    return len(head).to_bytes(_HEAD_BYTES, "little") + head + made


def write(content: bytes, file: Path = FILE) -> None:
    """Write an image; a process that reads at the same time has the old one or the new one."""
    partial = file.with_suffix(".partial")
    partial.write_bytes(content)
    partial.replace(file)
