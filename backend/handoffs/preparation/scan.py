"""Stage 5: scan the bundle for names, and list its open tokens, independent of the redactor."""

from __future__ import annotations

from dataclasses import asdict
from functools import partial
from itertools import chain, islice
from typing import TYPE_CHECKING, Any

from backend.handoffs import bundle
from backend.handoffs.open_tokens import detector_of, second_look_of
from backend.handoffs.preparation.values import ScannedBundle, extend

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from backend.handoffs.preparation.values import WrittenBundle
    from ingest.redact import Redactor
    from ingest.redact.second_look import SecondLook

MAX_LEAKS = 200
BLOCK_BYTES = 1 << 20
SUMMARY = "summary.md"


def leaks(preparation: WrittenBundle) -> ScannedBundle:
    """Return the preparation with the first `MAX_LEAKS` places that contain a name, and the open tokens."""
    second_look = second_look_of(preparation.redactor)
    _look_again(preparation, second_look)
    found = tuple(islice(_leaks(preparation.redactor, _output(preparation)), MAX_LEAKS))
    return extend(preparation, ScannedBundle, leaks=found, open_classes=_open_classes(second_look))


def of_texts(
    redactor: Redactor, texts: Iterable[tuple[str, bytes]]
) -> tuple[tuple[dict[str, Any], ...], tuple[dict[str, Any], ...]]:
    """Return the possible leaks and the open tokens of texts by name."""
    second_look = second_look_of(redactor)
    read = ((name, second_look.read([text], name)) for name, text in texts)
    found = tuple(_leaks(redactor, read))
    return found[:MAX_LEAKS], _open_classes(second_look)


def _open_classes(second_look: SecondLook) -> tuple[dict[str, Any], ...]:
    return tuple(
        {"name": one.name, "distinct": one.distinct, "tokens": [asdict(token) for token in one.tokens]}
        for one in second_look.classes()
    )


def _leaks(redactor: Redactor, texts: Iterable[tuple[str, Iterable[bytes]]]) -> Iterator[dict[str, Any]]:
    detector = detector_of(redactor)
    for path, chunks in texts:
        look = detector.look()
        for leak in chain(chain.from_iterable(map(look.at, chunks)), look.end()):
            yield {"where": path, "line": leak.line, "what": leak.what, "written": leak.written}


def _look_again(preparation: WrittenBundle, second_look: SecondLook) -> None:
    """Read the redacted evidence, and the question and the notes in the summary."""
    for file in preparation.files:
        with file.local_path.open("rb") as stream:
            for _ in second_look.read(iter(partial(stream.read, BLOCK_BYTES), b""), file.path):
                pass
    for _ in second_look.read([preparation.documents[SUMMARY]], SUMMARY):
        pass


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
