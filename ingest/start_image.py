"""What the interpreter makes at every start, made once: module code, regular expressions, methods of classes.

    use()       before the modules are imported

`make build` writes the image: `python -m tools.start_image`. It holds for one build of Python only:

    modules      code of a module, while size and time of its source are those that it was made of; without,
                 each module costs eight system calls, and code that may not write bytecode compiles it again
    expressions  the program that `re` makes of an expression and its flags
    texts        the code of the texts that `dataclasses` and `collections` write and execute

The last two are keyed by what they are made of, so none is ever stale. What the image lacks is made as
always. The file is as trusted as the bytecode beside it.

What `casebook analyze` of a short log takes stands in tables of its own; those of the rest are read when
something else is asked for.

This module imports nothing that is not there when the interpreter has started: the standard library comes
from the image, too. `ingest.start_hooks` uses the rest.
"""

from __future__ import annotations

import marshal
import os
import sys
from _frozen_importlib import ModuleSpec
from _frozen_importlib_external import SourceFileLoader

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from mmap import mmap
    from types import CodeType, ModuleType
    from typing import Any, TypeAlias

    Place: TypeAlias = tuple[int, int]
    """First byte and length of what is made."""

    Tables: TypeAlias = tuple[dict[str, "Part | None"], dict[Any, Place | None], dict[str, Place | None]]
    """Modules by name, expressions by themselves with their flags, texts; None for what there is not."""

    Part: TypeAlias = tuple[str, int, int, Place]
    """Of a module: path of the source, below the root if it is ours; its size, its time, its code."""

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))  # noqa: PTH100, PTH120 - paths are imported later
FILE = f"{ROOT}/ingest/start.image"
VARIABLE = "CASEBOOK_START_IMAGE"
"""`off` for none."""

_FORM = 3
HEAD_BYTES = 8


def python() -> str:
    """Return the name of this build of Python and of what an image holds for it."""
    import _sre  # type: ignore[import-not-found]  # noqa: PLC0415 - the engine of `re`, without `re`

    return f"{_FORM}|{sys.version}|{_sre.MAGIC}"


class Image:
    """A loaded image, and the finder of its modules."""

    def __init__(self, content: bytes | mmap) -> None:
        """Take the bytes of the file.

        Raises:
            ValueError: They are torn, or of another Python.
        """
        head = HEAD_BYTES + int.from_bytes(content[:HEAD_BYTES], "little")
        view = memoryview(content)
        try:
            made_by, few, rest = marshal.loads(view[HEAD_BYTES:head])  # noqa: S302 - as bytecode
        except (EOFError, TypeError) as error:
            raise ValueError(f"no image: {error}") from error
        if made_by != python():
            raise ValueError(f"of {made_by}")
        self._made = view[head:]
        self._tables: Tables = few
        self._rest: Place | None = rest

    def install(self) -> None:
        """Use the image from now on in this process."""
        sys.meta_path.insert(0, self)
        from ingest import start_hooks  # noqa: PLC0415 - itself from the image, with what it imports

        start_hooks.install(lambda one: self._place(1, one), lambda one: self._place(2, one), self.made)

    def find_spec(
        self, name: str, path: Sequence[str] | None = None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        """Return the specification of a module; None for what the image lacks or has of another source."""
        del target
        row = self._place(0, name)
        if row is None:
            return None
        place, size, mtime_ns, code = row
        if place[0] != "/":
            place = f"{ROOT}/{place}"
        folder, _, file = place.rpartition("/")
        is_package = file == "__init__.py"
        if path is not None and (folder.rpartition("/")[0] if is_package else folder) not in path:
            return None
        try:
            found = os.stat(place)  # noqa: PTH116 - a path for each module takes longer
        except OSError:
            return None
        if (found.st_size, found.st_mtime_ns) != (size, mtime_ns):
            return None
        spec = ModuleSpec(name, _Loader(name, place, self, code), origin=place, is_package=is_package)
        spec.has_location = True
        spec.cached = f"{folder}/__pycache__/{file[:-3]}.{sys.implementation.cache_tag}.pyc"
        if is_package:
            spec.submodule_search_locations = [folder]
        return spec

    def _place(self, table: int, key: Any) -> Any:
        """Return what a table has for a key; None where there is nothing."""
        try:
            return self._tables[table][key]
        except KeyError:
            if self._rest is not None:
                self._tables, self._rest = self.made(self._rest), None
            return self._tables[table].get(key)

    def made(self, place: Place) -> Any:
        """Return what is at a place."""
        first, length = place
        return marshal.loads(self._made[first : first + length])  # noqa: S302 - as bytecode


class _Loader(SourceFileLoader):
    """Loads a module of the image."""

    def __init__(self, name: str, path: str, image: Image, code: Place) -> None:
        super().__init__(name, path)
        self._image = image
        self._code = code

    def get_code(self, fullname: str) -> CodeType | None:
        del fullname
        code: CodeType = self._image.made(self._code)
        return code


def use(file: str = FILE) -> None:
    """Use the image, if there is one of this Python and none is used yet."""
    if os.environ.get(VARIABLE) == "off" or any(type(one) is Image for one in sys.meta_path):
        return
    from mmap import ACCESS_READ, mmap  # noqa: PLC0415 - beside the interpreter

    try:
        with open(file, "rb") as opened:  # noqa: PTH123 - paths are imported later
            image = Image(mmap(opened.fileno(), 0, access=ACCESS_READ))
    except (OSError, ValueError):
        return
    image.install()
