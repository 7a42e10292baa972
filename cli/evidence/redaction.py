"""Redaction of files without a service, the core of `casebook redact`."""

from __future__ import annotations

import sys
import tempfile
from collections import Counter
from dataclasses import dataclass, field
from typing import IO, TYPE_CHECKING

from cli.process import output_files
from ingest.containers import tarball
from ingest.redact import Redactor
from ingest.redact.open_tokens import detector_of, second_look_of
from ingest.redact.texts import pieces
from signatures.document.vocabulary import library_words

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator, Sequence
    from pathlib import Path

    from ingest.redact.leak_scan import Detector, Leak
    from ingest.redact.second_look import OpenClass, SecondLook
    from ingest.redact.texts import Piece

BUFFER_BYTES = 64 << 20
MAX_LEAKS = 1000


@dataclass(slots=True)
class Outcome:
    """The result of redacting files.

    Attributes:
        texts: Number of redacted texts.
        left_out: Number of omitted files by reason.
        leaks: Names that the independent leak scan still finds, with their file; the first thousand.
        open_classes: Tokens that no rule classified, by class.
    """

    texts: int = 0
    left_out: Counter[str] = field(default_factory=Counter)
    leaks: list[tuple[str, Leak]] = field(default_factory=list)
    open_classes: list[OpenClass] = field(default_factory=list)

    def to_review(self, reviewed: Collection[str]) -> list[OpenClass]:
        """Return the classes of open tokens whose names are not among the reviewed ones."""
        return [one for one in self.open_classes if one.name not in reviewed]


class NothingToRedactError(Exception):
    """The input contains no text; `outcome` lists the omitted files, nothing is written."""

    def __init__(self, outcome: Outcome) -> None:
        """Store the list of omitted files."""
        super().__init__("there is no text in it")
        self.outcome = outcome


class SeveralTextsError(Exception):
    """More than one text goes to an output that holds one."""


def redactor_of(key: bytes, chosen: Iterable[tuple[str, str]] = ()) -> Redactor:
    """Return a redactor that leaves words of the library and replaces `chosen`, each a class and a token."""
    redactor = Redactor(key, words=library_words())
    for kind, name in chosen:
        redactor.learn_name(kind, name, is_chosen=True)
    return redactor


def redact(redactor: Redactor, paths: Sequence[Path], output: Path | None) -> Outcome:
    """Redact `paths` into the file `output`, an archive by its suffix, or into standard output.

    Raises:
        SeveralTextsError: The output holds one text, and there are more.
        NothingToRedactError: The input contains no text.
        IngestError: It is truncated.
        OSError: A file cannot be read or written.
    """
    if output is not None and output.name.endswith(tarball.SUFFIXES):
        with output_files.replacing(output) as stream:
            return redact_archive(redactor, paths, stream, output.name)
    if len(paths) > 1 or is_archive(paths[0]):
        raise SeveralTextsError("more than one input file")
    if output is not None:
        with output_files.replacing(output) as stream:
            return redact_text(redactor, paths[0], stream)
    outcome = redact_text(redactor, paths[0], sys.stdout.buffer)
    sys.stdout.buffer.flush()
    return outcome


def redact_archive(redactor: Redactor, paths: Sequence[Path], output: IO[bytes], name: str) -> Outcome:
    """Write every text of `paths` to an archive on `output`, compressed by the suffix of `name`.

    Raises:
        NothingToRedactError: The input contains no text.
        IngestError: An archive is truncated.
        OSError: A file cannot be read.
    """
    detector, second_look = _learn(redactor, paths)
    outcome = Outcome()
    with tarball.writing(output, name) as archive:
        for piece in _pieces(paths):
            if piece.reason:
                outcome.left_out[piece.reason] += 1
                continue
            path = redactor.text(piece.path)
            with tempfile.SpooledTemporaryFile(max_size=BUFFER_BYTES) as buffer:
                look = detector.look()
                for chunk in second_look.read(redactor.redact(piece.chunks, piece.path), path):
                    _note(look.at(chunk), path, outcome)
                    buffer.write(chunk)
                _note(look.end(), path, outcome)
                size = buffer.tell()
                buffer.seek(0)
                archive.add_stream(path, buffer, size)
            outcome.texts += 1
    return _finished(outcome, second_look)


def redact_text(redactor: Redactor, path: Path, output: IO[bytes]) -> Outcome:
    """Write the single text in `path` to `output`; an archive or a binary file is omitted and reported.

    Raises:
        NothingToRedactError: The input contains no text.
        IngestError: It is truncated.
        OSError: It cannot be read.
    """
    detector, second_look = _learn(redactor, [path])
    outcome = Outcome()
    for piece in _pieces([path]):
        if piece.reason:
            outcome.left_out[piece.reason] += 1
            continue
        look = detector.look()
        for chunk in second_look.read(redactor.redact(piece.chunks, piece.path), piece.path):
            _note(look.at(chunk), piece.path, outcome)
            output.write(chunk)
        _note(look.end(), piece.path, outcome)
        outcome.texts += 1
    return _finished(outcome, second_look)


def is_archive(path: Path) -> bool:
    """Return whether `path` contains more than one text."""
    if path.is_dir():
        return True
    with path.open("rb") as stream:
        names = [piece.path for piece, _ in zip(pieces(stream, path.name), range(2), strict=False)]
    return len(names) > 1 or (len(names) == 1 and not path.name.startswith(names[0]))


def _finished(outcome: Outcome, second_look: SecondLook) -> Outcome:
    if not outcome.texts:
        raise NothingToRedactError(outcome)
    outcome.open_classes = second_look.classes(with_all=True)
    return outcome


def _learn(redactor: Redactor, paths: Iterable[Path]) -> tuple[Detector, SecondLook]:
    for piece in _pieces(paths):
        redactor.learn([piece.path.encode("utf-8", "surrogateescape")])
        if not piece.reason:
            redactor.learn(piece.chunks, piece.path)
    redactor.settle()
    return detector_of(redactor), second_look_of(redactor)


def _note(leaks: Iterable[Leak], path: str, outcome: Outcome) -> None:
    for leak in leaks:
        if len(outcome.leaks) < MAX_LEAKS:
            outcome.leaks.append((path, leak))


def _pieces(paths: Iterable[Path]) -> Iterator[Piece]:
    for path in paths:
        if path.is_dir():
            for file in sorted(
                found for found in path.rglob("*") if found.is_file() and not found.is_symlink()
            ):
                yield from _of_file(file, file.relative_to(path).as_posix())
        else:
            yield from _of_file(path, path.name)


def _of_file(file: Path, name: str) -> Iterator[Piece]:
    with file.open("rb") as stream:
        yield from pieces(stream, name)
