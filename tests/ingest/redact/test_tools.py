"""Each example of a tool's rules loses its marked names, and nothing else."""

from __future__ import annotations

from ingest.redact import Redactor, detectors
from signatures.document.vocabulary import library_words
from tests.ingest.redact import corpus


def redacted(text: str) -> str:
    redactor = Redactor(b"k" * 32, words=library_words())
    redactor.learn([text.encode()])
    redactor.settle()
    return b"".join(redactor.redact([text.encode()])).decode()


def test_the_names_of_each_example_are_replaced_and_nothing_else():
    wrong = []
    for tool, examples in detectors.load().examples.items():
        for example in examples:
            result = corpus.measure(corpus.Sample(tool, "", (corpus.line(example),)), redacted)
            wrong += [(tool, example, result)] if result.left or result.replaced or not result.plants else []
    assert wrong == []


def test_every_tool_has_examples():
    assert [tool for tool, examples in detectors.load().examples.items() if len(examples) < 5] == []
