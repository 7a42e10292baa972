"""A signature folder drafted from the files of a solved case: redacted, checked, with look-alikes."""

from __future__ import annotations

import secrets
import tarfile
import tempfile
from typing import TYPE_CHECKING

from cli.evidence import redaction
from ingest.model.errors import IngestError
from signatures.authoring import case_folder
from signatures.authoring.fixture_tests import read_folder
from signatures.document.files import LIBRARY
from signatures.judging.scope import items_of

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from ingest.redact import Redactor

KEY_BYTES = 32


class NotWrittenError(Exception):
    """Nothing could be redacted or drafted; the message names the reason."""


class FolderReport(case_folder.CaseFolderDocument):
    """What was written, and what is left for a person.

    Attributes:
        texts: Redacted files.
        leak_count: Names that the leak scan still found.
        open_token_count: Tokens that no rule classified.
    """

    texts: int
    leak_count: int
    open_token_count: int


def write_folder(
    root: Path, signature_id: str, title: str | None, paths: Sequence[Path], *, target: Path
) -> FolderReport:
    """Write the folder of a signature from files.

    Args:
        root: Folder of <area>/<name>, where it is written.
        signature_id: AREA/NAME.
        title: Of the story; None for the name in words.
        paths: Evidence of the case.
        target: Where the folder will be in the end; the library of Casebook needs references.

    Raises:
        NotWrittenError: Nothing could be redacted or drafted.
    """
    own = case_folder.own_fixture(root, signature_id)
    own.mkdir(parents=True)
    redactor = redaction.redactor_of(secrets.token_bytes(KEY_BYTES))
    outcome = _redacted(redactor, paths, own)
    name = signature_id.rpartition("/")[2].replace("-", " ").capitalize()
    words = case_folder.CaseWords(redactor.text(title or name))
    try:
        written = case_folder.write(
            root,
            signature_id,
            words,
            items_of(read_folder(own)),
            has_references=target.is_relative_to(LIBRARY),
        )
    except ValueError as problem:
        raise NotWrittenError(str(problem)) from problem
    return {
        **written.document(),
        "texts": outcome.texts,
        "leak_count": len(outcome.leaks),
        "open_token_count": sum(one.distinct for one in outcome.open_classes),
    }


def _redacted(redactor: Redactor, paths: Sequence[Path], own: Path) -> redaction.Outcome:
    """Write the redacted texts of `paths` below `own`."""
    with tempfile.TemporaryFile() as archive:
        try:
            outcome = redaction.redact_archive(redactor, paths, archive, "case.tar")
        except redaction.NothingToRedactError as nothing:
            reasons = ", ".join(nothing.outcome.left_out)
            raise NotWrittenError(f"no text that could be redacted: {reasons}") from None
        except (IngestError, OSError) as problem:
            raise NotWrittenError(f"nothing was written: {problem}") from None
        archive.seek(0)
        with tarfile.open(fileobj=archive) as members:
            members.extractall(own, filter="data")
    return outcome
