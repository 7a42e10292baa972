"""Redaction changes no verdict, number or condition.

Every third fixture is redacted and judged; `make sweeps` takes all of them.
"""

from __future__ import annotations

import gzip

import pytest

from ingest.evidence import read_bytes
from ingest.redact import Redactor
from signatures.document.vocabulary import library_words
from signatures.judging.judge import judge
from signatures.judging.scope import items_of
from tests.long_form import IS_LONG
from tests.signatures.evidence import files_of, fixtures, library_findings
from tests.signatures.test_enforcement import fingerprint

LARGEST_BYTES = 40_000
FOLDERS = {
    name: folder
    for name, folder, expected, _ in fixtures()
    if "same_as" not in expected
    and sum(path.stat().st_size * (20 if path.suffix == ".gz" else 1) for path in files_of(folder))
    <= LARGEST_BYTES
}


def texts(folder):
    for path in files_of(folder):
        content = path.read_bytes()
        is_packed = path.suffix == ".gz"
        name = path.relative_to(folder).as_posix().removesuffix(".gz")
        yield name, gzip.decompress(content) if is_packed else content


def verdicts(findings):
    return {(finding.signature.id, finding.phase): fingerprint(finding) for finding in findings}


@pytest.mark.parametrize("name", list(FOLDERS)[:: 1 if IS_LONG else 3])
def test_redaction_changes_no_verdict(name, catalog):
    pairs = list(texts(FOLDERS[name]))
    redactor = Redactor(b"k" * 32, words=library_words())
    for path, content in pairs:
        redactor.learn([content], path)
    redactor.settle()
    redacted = [(path, b"".join(redactor.redact([content], path))) for path, content in pairs]
    evidences = [read_bytes(content, name=path, captured_path=path) for path, content in redacted]
    assert verdicts(judge(items_of(evidences), catalog)) == verdicts(library_findings(FOLDERS[name]))


def test_redaction_tests_cover_most_evidence_and_names():
    assert len(FOLDERS) > 50
    redactor = Redactor(b"k" * 32, words=library_words())
    for folder in FOLDERS.values():
        for path, content in texts(folder):
            redactor.learn([content], path)
    assert any(redactor.originals.values())
