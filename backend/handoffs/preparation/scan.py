"""Stage 5: scan the bundle for names, with a detector independent of the redactor."""

from __future__ import annotations

from functools import partial
from itertools import chain, islice
from typing import TYPE_CHECKING, Any

from backend.handoffs import bundle
from backend.handoffs.preparation.values import ScannedBundle, extend
from ingest.redact.leak_scan import Detector

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from backend.handoffs.preparation.values import WrittenBundle

MAX_LEAKS = 200
BLOCK_BYTES = 1 << 20


def leaks(preparation: WrittenBundle) -> ScannedBundle:
    """Return the preparation with the first `MAX_LEAKS` places that still contain a name."""
    return extend(preparation, ScannedBundle, leaks=tuple(islice(_leaks(preparation), MAX_LEAKS)))


def _leaks(preparation: WrittenBundle) -> Iterator[dict[str, Any]]:
    originals = preparation.redactor.originals.values()
    detector = Detector({name for names in originals for name in names})
    for path, chunks in _output(preparation):
        look = detector.look()
        for leak in chain(chain.from_iterable(map(look.at, chunks)), look.end()):
            yield {"where": path, "line": leak.line, "what": leak.what, "written": leak.written}


def _output(preparation: WrittenBundle) -> Iterator[tuple[str, Iterable[bytes]]]:
    """Yield all output as name and chunks of bytes."""
    for path, content in preparation.documents.items():
        yield path, [content]
    files = preparation.files
    yield "names of files", ["\n".join(file.path for file in files).encode("utf-8", "surrogateescape")]
    yield bundle.MANIFEST, ["\n".join(f"{file.host}\n{file.boot}" for file in files).encode()]
    for file in files:
        with file.local_path.open("rb") as stream:
            yield file.path, iter(partial(stream.read, BLOCK_BYTES), b"")
