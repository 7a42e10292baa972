"""Stage 1: learn names from all evidence of the case, and the tokens that the sender replaces."""

from __future__ import annotations

from typing import TYPE_CHECKING

from backend.evidence import lines
from backend.handoffs.preparation.values import LearnedNames, extend
from ingest.redact import Redactor
from ingest.redact.open_classes import KIND_OF_CLASS
from signatures.document.vocabulary import library_words

if TYPE_CHECKING:
    from backend.handoffs.preparation.values import Preparation


def names(preparation: Preparation) -> LearnedNames:
    """Return the preparation with a redactor for every name of the case."""
    run, subject = preparation.run, preparation.subject
    redactor = Redactor(
        bytes.fromhex(subject.key), words=library_words(), pseudonym_map=subject.pseudonym_map
    )
    for host in subject.hosts:
        redactor.learn_name("host", host)
    for token in subject.replacements:
        redactor.learn_name(KIND_OF_CLASS[token["name"]], token["text"], is_chosen=True)
    texts = [subject.title, subject.question, *subject.resolution, *subject.notes, *subject.tried]
    texts += [f"{source.name}\n{source.captured_path}" for source in subject.sources]
    redactor.learn(f"{text}\n".encode("utf-8", "surrogateescape") for text in texts)
    for source in subject.sources:
        if source.is_text and run.store.has(source.sha256):
            redactor.learn(lines.decoded(run.store, source.sha256), source.captured_path)
            run.check()
    redactor.settle()
    return extend(preparation, LearnedNames, redactor=redactor)
