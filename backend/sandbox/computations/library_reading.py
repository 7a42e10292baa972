"""Reading of a team's library: an archive, or the pack of a commit, to checked documents and lint messages.

Only `<area>/<name>/signature.yaml` and `story.md` are taken, wherever in the tree the library is.
Links, submodules and what Git stores elsewhere (LFS) are not followed; nothing of the library is executed.
"""

from __future__ import annotations

import io
import stat
import zlib
from contextlib import contextmanager
from pathlib import Path, PurePosixPath
from typing import TYPE_CHECKING, Any, NamedTuple

from backend.sandbox.computations.results import leave
from ingest.containers import archive, decompression
from ingest.model.errors import IngestError
from ingest.model.limits import Limits
from ingest.native.linear import Pattern
from signatures.authoring.lint import lint_library
from signatures.document.catalog import load_catalog
from signatures.document.library_files import LibraryFiles, id_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from signatures.language.model import Catalog

SIGNATURE, STORY = "signature.yaml", "story.md"
ID = Pattern(r"^[a-z0-9]+(-[a-z0-9]+)*/[a-z0-9]+(-[a-z0-9]+)*$")
MAX_SIGNATURES = 500
MAX_FILE_BYTES = 256 << 10
MAX_MEMBERS = 50_000
MAX_DEPTH = 12
MAX_MESSAGES = 500
HEAD_BYTES = 1 << 10
LIMITS = Limits(decoded_bytes=1 << 30, members=MAX_MEMBERS, ratio_free_bytes=256 << 20)


class RefusedLibraryError(Exception):
    """The files are not a library that can be judged by; one sentence."""


class _File(NamedTuple):
    path: str
    size_bytes: int
    content: Callable[[], bytes]


def read_library(arguments: dict[str, Any], output: Path, _input: int) -> None:
    """Read the library in the file `arguments["path"]`, the pack of `arguments["commit"]` or an archive.

    Leaves `result.json`: signatures by id (document, story, version, title, status), lint messages with file
    and line, the commit (that of a tag, too), and the `problem` for which it cannot be judged by, "" without.
    """
    root = output / "library"
    root.mkdir()
    commit = arguments["commit"]
    try:
        if commit:
            with _opened(Path(arguments["path"]), commit.encode()) as (pack, top):
                commit = top.id.decode("ascii")
                _write(_committed(pack, top.tree), root)
        else:
            _write(_archived(Path(arguments["path"])), root)
        catalog, messages = _linted(root)
    except RefusedLibraryError as refusal:
        leave({"signatures": {}, "messages": [], "problem": str(refusal), "commit": commit}, output)
        return
    files = LibraryFiles(root)
    found = {
        one.id: {
            "document": files.document(Path(one.folder) / SIGNATURE),
            "story": one.story,
            "text": (Path(one.folder) / SIGNATURE).read_text(encoding="utf-8"),
            "version": one.version,
            "title": one.title,
            "status": one.status,
        }
        for one in catalog.signatures
    }
    problem = ""
    if catalog.problems:
        count = len(catalog.problems)
        problem = f"{count} signature{'s' if count > 1 else ''} cannot be read; nothing of it is judged by"
    leave({"signatures": found, "messages": messages, "problem": problem, "commit": commit}, output)


def _linted(root: Path) -> tuple[Catalog, list[str]]:
    """Return the library and its lint messages; signatures of Casebook may be superseded and followed."""
    own = load_catalog(root)
    messages = lint_library(own, load_catalog())
    if len(messages) > MAX_MESSAGES:
        messages[MAX_MESSAGES:] = [f"and {len(messages) - MAX_MESSAGES:,} more"]
    return own, messages


def _write(files: Iterator[_File], root: Path) -> None:
    """Write the files of the library below `root` as `<area>/<name>/…`."""
    places: set[str] = set()
    count = 0
    for file in files:
        path = PurePosixPath(file.path)
        if path.name not in {SIGNATURE, STORY} or len(path.parts) < 3:
            continue
        signature_id = "/".join(path.parts[-3:-1])
        if path.name == SIGNATURE:
            count += 1
            places.add("/".join(path.parts[:-3]))
            if not ID.match(signature_id):
                raise RefusedLibraryError(f"{file.path[:200]}: the folder is not named as <area>/<name>")
        elif not ID.match(signature_id):
            continue
        if count > MAX_SIGNATURES:
            raise RefusedLibraryError(f"more than {MAX_SIGNATURES} signatures")
        if file.size_bytes > MAX_FILE_BYTES:
            raise RefusedLibraryError(f"{file.path[:200]} has more than {MAX_FILE_BYTES:,} bytes")
        target = root / signature_id / path.name
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_bytes(file.content())
    if not count:
        raise RefusedLibraryError(f"it has no <area>/<name>/{SIGNATURE}")
    if len(places) > 1:
        first, second = sorted(places)[:2]
        raise RefusedLibraryError(
            f"signatures are below {first or 'the top'} and below {second}: keep one place"
        )
    for written in root.glob(f"*/*/{SIGNATURE}"):
        _check_text(written)


def _check_text(path: Path) -> None:
    try:
        path.read_text(encoding="utf-8")
    except UnicodeDecodeError:
        raise RefusedLibraryError(f"{id_of(path)}/{path.name} is not UTF-8 text") from None


def _archived(path: Path) -> Iterator[_File]:
    """Yield the files of a tar archive, compressed or not, or of a zip archive."""
    try:
        with path.open("rb") as stream:
            stored = decompression.Stored(stream)
            head, chunks = decompression.peek(decompression.decoded(stored, LIMITS), HEAD_BYTES)
            kind = archive.kind(head)
            if kind == "tar":
                members = archive.tar_members(archive.ChunkFile(chunks), LIMITS)
            elif kind == "zip":
                members = archive.zip_members(io.BytesIO(b"".join(chunks)), LIMITS)
            else:
                raise RefusedLibraryError("it is neither a tar nor a zip archive")
            for member in members:
                if not member.refusal:
                    yield _File(member.path, member.size_bytes, lambda one=member: one.open().read())  # type: ignore[misc]
    except IngestError as error:
        raise RefusedLibraryError(str(error)) from None


@contextmanager
def _opened(path: Path, name: bytes) -> Iterator[tuple[Any, Any]]:
    """Yield a pack and the commit that `name`, its id or that of a tag, leads to."""
    from dulwich.object_format import DEFAULT_OBJECT_FORMAT as SHA1  # noqa: PLC0415 - same
    from dulwich.objects import Commit, Tag  # noqa: PLC0415 - few computations read packs
    from dulwich.pack import Pack, PackData, load_pack_index  # noqa: PLC0415 - same

    try:
        index = Path("library.idx").resolve()
        with PackData(str(path), object_format=SHA1) as content:
            content.create_index_v2(str(index))
        content = PackData(str(path), object_format=SHA1)
        with Pack.from_objects(content, load_pack_index(index, SHA1)) as pack:
            top = pack[name]
            for _ in range(MAX_DEPTH):
                if not isinstance(top, Tag):
                    break
                top = pack[top.object[1]]
            if not isinstance(top, Commit):
                raise RefusedLibraryError(f"{name.decode()} is not a commit")
            yield pack, top
    except (KeyError, ValueError, AssertionError, OSError, EOFError, zlib.error) as error:
        raise RefusedLibraryError(f"the pack of the server is broken: {type(error).__name__}") from error


def _committed(pack: Any, tree_id: bytes) -> Iterator[_File]:
    """Yield the files of a tree; large ones may be left out of the pack."""
    folders = [("", tree_id, 0)]
    seen = 0
    while folders:
        prefix, sha, depth = folders.pop()
        if depth > MAX_DEPTH:
            raise RefusedLibraryError(f"folders are nested deeper than {MAX_DEPTH}")
        for name, mode, inner in pack[sha].iteritems():
            seen += 1
            if seen > MAX_MEMBERS:
                raise RefusedLibraryError(f"more than {MAX_MEMBERS:,} files")
            place = f"{prefix}{name.decode('utf-8', 'replace')}"
            if stat.S_ISDIR(mode):
                folders.append((f"{place}/", inner, depth + 1))
            elif stat.S_ISREG(mode) and place.endswith((f"/{SIGNATURE}", f"/{STORY}")):
                yield _blob(pack, place, inner)


def _blob(pack: Any, place: str, sha: bytes) -> _File:
    if sha not in pack:
        raise RefusedLibraryError(f"{place[:200]} has more than {MAX_FILE_BYTES:,} bytes")
    content = pack[sha].as_raw_string()
    return _File(place, len(content), lambda: content)
