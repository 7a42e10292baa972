"""Scan of redacted output for names, and its open tokens, independent of the redactor."""

from __future__ import annotations

from dataclasses import asdict
from functools import partial
from itertools import chain, islice
from typing import TYPE_CHECKING

from ingest.redact.open_tokens import detector_of, second_look_of
from signatures.handoff import bundle

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from backend.sandbox.documents import LeakDocument, OpenClassDocument
    from ingest.redact import Redactor
    from ingest.redact.second_look import SecondLook
    from signatures.handoff.contents import BundleFile, Contents

MAX_LEAKS = 200
BLOCK_BYTES = 1 << 20


def of_bundle(
    redactor: Redactor, contents: Contents, written: Mapping[str, bytes]
) -> tuple[list[LeakDocument], list[OpenClassDocument]]:
    """Return the first `MAX_LEAKS` places of a bundle that contain a name, and its open tokens.

    A generated document repeats its evidence and what people wrote, in words of its own, which are no names:
    open tokens are those of the evidence and of people.

    Args:
        redactor: What it was redacted with.
        contents: Its evidence, and what people wrote.
        written: Its generated documents by path.
    """
    second_look = second_look_of(redactor)
    for file in contents.files:
        for _ in second_look.read(_chunks(file), file.path):
            pass
    for name, text in _typed(contents):
        for _ in second_look.read([f"{text}\n".encode("utf-8", "surrogateescape")], name):
            pass
    found = list(islice(_leaks(redactor, _output(contents.files, written)), MAX_LEAKS))
    return found, _open_classes(second_look)


def of_texts(
    redactor: Redactor, texts: Iterable[tuple[str, bytes]]
) -> tuple[list[LeakDocument], list[OpenClassDocument]]:
    """Return the possible leaks and the open tokens of texts by name."""
    second_look = second_look_of(redactor)
    read = ((name, second_look.read([text], name)) for name, text in texts)
    found = list(_leaks(redactor, read))
    return found[:MAX_LEAKS], _open_classes(second_look)


def _typed(contents: Contents) -> Iterator[tuple[str, str]]:
    """Yield what people wrote, by its part of the handoff."""
    yield "title", contents.title
    yield "recipient", contents.recipient
    yield "question", contents.question
    yield "resolution", contents.resolution
    yield from (("tried", text) for text in contents.tried)
    yield from (("notes", text) for text in contents.notes)


def _open_classes(second_look: SecondLook) -> list[OpenClassDocument]:
    return [
        {"name": one.name, "distinct": one.distinct, "tokens": [asdict(token) for token in one.tokens]}
        for one in second_look.classes()
    ]


def _leaks(redactor: Redactor, texts: Iterable[tuple[str, Iterable[bytes]]]) -> Iterator[LeakDocument]:
    detector = detector_of(redactor)
    for path, chunks in texts:
        look = detector.look()
        for leak in chain(chain.from_iterable(map(look.at, chunks)), look.end()):
            yield {"where": path, "line": leak.line, "what": leak.what, "written": leak.written}


def _output(
    files: Sequence[BundleFile], written: Mapping[str, bytes]
) -> Iterator[tuple[str, Iterable[bytes]]]:
    """Yield all output as name and chunks of bytes."""
    for path, content in written.items():
        yield path, [content]
    yield "names of files", ["\n".join(file.path for file in files).encode("utf-8", "surrogateescape")]
    yield bundle.MANIFEST, ["\n".join(f"{file.host}\n{file.boot}" for file in files).encode()]
    for file in files:
        yield file.path, _chunks(file)


def _chunks(file: BundleFile) -> Iterator[bytes]:
    with file.local_path.open("rb") as stream:
        yield from iter(partial(stream.read, BLOCK_BYTES), b"")
