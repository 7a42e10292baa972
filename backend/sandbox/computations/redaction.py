"""Redaction of a case: learn the names in all of its texts, then write the chosen ones with pseudonyms."""

from __future__ import annotations

import hashlib
from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING

from ingest.containers.text_decoding import stored_text
from ingest.redact import Redactor
from ingest.redact.changes import changed_lines
from ingest.redact.open_classes import KIND_OF_CLASS
from signatures.document.vocabulary import library_words
from signatures.handoff.contents import BundleFile

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from backend.sandbox.documents import RedactionArguments, SourceDocument, SubjectDocument


def texts_to_redact(subject: SubjectDocument) -> list[SourceDocument]:
    """Return the chosen evidence that is text."""
    return [source for source in subject["sources"] if source["is_chosen"] and source["content"]]


def learnt(arguments: RedactionArguments) -> Redactor:
    """Return a redactor for every name of the case, and for the tokens that the sender replaces."""
    subject, key = arguments["subject"], bytes.fromhex(arguments["key"])
    redactor = Redactor(key, words=library_words(), pseudonym_map=subject["pseudonym_map"])
    for host in subject["hosts"]:
        redactor.learn_name("host", host)
    for token in subject["replacements"]:
        redactor.learn_name(KIND_OF_CLASS[token["name"]], token["text"], is_chosen=True)
    texts = [
        subject["title"],
        subject["question"],
        *subject["resolution"],
        *subject["notes"],
        *subject["tried"],
    ]
    texts += ["\n".join((source["name"], source["captured_path"])) for source in subject["sources"]]
    redactor.learn(f"{text}\n".encode("utf-8", "surrogateescape") for text in texts)
    for source in subject["sources"]:
        if source["content"]:
            redactor.learn(_text(source), source["captured_path"])
    redactor.settle()
    return redactor


def redact(
    subject: SubjectDocument,
    redactor: Redactor,
    output: Path,
    on_progress: Callable[[float], None] = lambda _share: None,
) -> tuple[BundleFile, ...]:
    """Write the chosen texts with pseudonyms for names, as `file-1`, `file-2`, … in `output`."""
    chosen = texts_to_redact(subject)
    files = []
    for number, source in enumerate(chosen, start=1):
        files.append(_redact(redactor, source, number, output / f"file-{number}"))
        on_progress(number / len(chosen))
    return tuple(files)


def _redact(redactor: Redactor, source: SourceDocument, number: int, path: Path) -> BundleFile:
    before = Counter(redactor.counts)
    digest = hashlib.sha256()
    size = count = 0
    with path.open("wb") as stream:
        for chunk in redactor.redact(_text(source), source["captured_path"]):
            stream.write(chunk)
            digest.update(chunk)
            size += len(chunk)
            count += chunk.count(b"\n")
    name = redactor.text(source["captured_path"] or source["name"]).lstrip("/")
    return BundleFile(
        evidence_id=source["id"],
        number=number,
        name=name.rpartition("/")[2],
        path=f"evidence/{number:02}/{name}",
        local_path=path,
        sha256=digest.hexdigest(),
        size_bytes=size,
        lines=count,
        changed=changed_lines(_text(source), path),
        counts=dict(redactor.counts - before),
        host=redactor.name("host", source["host"]),
        boot=redactor.name("uuid", source["boot"]),
        phase=source["phase"],
    )


def _text(source: SourceDocument) -> Iterator[bytes]:
    with Path(source["content"]).open("rb") as stream:
        yield from stored_text(stream)
