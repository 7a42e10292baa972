"""Everything Casebook computes on one piece of evidence, in the order of the service.

`run_whole_line` raises what any part raises: the guards that keep a fault to its own row report to
`signatures.faults.observers`, and the observer here raises again.
"""

from __future__ import annotations

import hashlib
import json
import tempfile
import unicodedata
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

from backend.similarity.queries_cases import FactValue
from backend.similarity.score import of_facts
from cli.evidence import analysis as local
from ingest.evidence import read_bytes
from ingest.model import reading_folder
from ingest.model.errors import IngestError
from ingest.model.limits import Limits
from ingest.redact import Redactor
from signatures import faults
from signatures.document.catalog import load_catalog
from signatures.documents.codec import to_document
from signatures.handoff import oom, wait_pictures
from signatures.handoff.case_file import case_file_of
from signatures.handoff.contents import BundleFile, Contents
from signatures.judging.judge import judge
from signatures.judging.scope import items_of, scopes_of
from signatures.overview import run
from signatures.overview.screen_document import overview_document
from signatures.rendering import case_file
from signatures.rendering.chat import chat
from signatures.rendering.lines import bare
from signatures.rendering.markdown import markdown
from signatures.rendering.terminal import report_lines
from signatures.reporting.next_captures import next_captures
from signatures.reporting.report import next_documents
from signatures.waits import graph_of
from signatures.waits.document import graph_document
from signatures.waits.text import text_lines
from tests.ingest.golden import FAULT

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ingest.evidence import Evidence
    from ingest.model.reading import Reading
    from signatures.judging.scope import Item
    from signatures.language.model import Catalog

LIMITS = Limits(decoded_bytes=1 << 22, member_bytes=1 << 20, document_bytes=1 << 20, buffered_bytes=1 << 21)
KEY = b"k" * 32
ACTING = frozenset({"Cc", "Cs", "Zl", "Zp"})
TURNING = frozenset("\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069")


@cache
def catalog() -> Catalog:
    """Return the library, loaded once."""
    return load_catalog()


def run_whole_line(content: bytes, name: str = "fuzzed.txt") -> None:
    """Take `content` through every step; a rejection ends the line, as it does in the service."""
    try:
        evidence = read_bytes(content, name=name, limits=LIMITS)
    except IngestError:
        return
    assert FAULT not in repr(evidence), "a reader failed"
    with raised_faults():
        items = items_of([evidence])
        findings = judge(items, catalog())
        found = local.Analysis((evidence,), tuple(findings), (), tuple(run(items)))
        json.dumps(local.document(found, with_all=True), allow_nan=False)
        for with_all in (False, True):
            for line in report_lines(found.report, with_all=with_all):
                _is_one_line(bare(line.text))
        for text in (markdown(found.report), chat(found.report)):
            for words in text.split("\n"):
                _is_one_line(words)
        _waits(items)
        _kept(items)
        _similar(items)
        _redacted(content, evidence, found, items)


def _is_one_line(text: str) -> None:
    """Refuse what moves the cursor, ends a line early, or turns its direction."""
    acting = [one for one in text if unicodedata.category(one) in ACTING or one in TURNING]
    assert set(acting) <= {"\t"}, ascii(text)


@contextmanager
def raised_faults() -> Iterator[None]:
    """Raise what a guard would keep to its own row."""
    before = list(faults.observers)
    faults.observers[:] = [_raise]
    try:
        yield
    finally:
        faults.observers[:] = before


def _raise(_fault: faults.Fault, error: BaseException) -> None:
    raise error


def _waits(items: list[Item]) -> None:
    for scope in scopes_of(items):
        graph = graph_of(scope.items)
        json.dumps(to_document(graph_document(graph, scope.host, scope.phase)), allow_nan=False)
        assert all(line.text is not None for line in text_lines(graph, with_all=True))


def _kept(items: list[Item]) -> None:
    """Write and load the reading folders, which the service keeps between reading and judging."""
    with tempfile.TemporaryDirectory() as folder:
        for number, item in enumerate(items):
            path = Path(folder) / str(number)
            reading_folder.save(item.reading, path)
            loaded: Reading = reading_folder.load(path)
            assert len(loaded.facts) == len(item.reading.facts)


def _similar(items: list[Item]) -> None:
    values = [
        FactValue(
            fact.name,
            fact.value if isinstance(fact.value, float) else None,
            fact.value if isinstance(fact.value, str) else None,
            fact.value if isinstance(fact.value, bool) else None,
        )
        for item in items
        for fact in item.reading.facts[:200]
    ]
    found = of_facts(values, values)
    assert found is None or 0 <= found.share <= 1.0000001


def _redacted(content: bytes, evidence: Evidence, found: local.Analysis, items: list[Item]) -> None:
    redactor = Redactor(KEY)
    redactor.learn([content])
    redactor.settle()
    redacted = b"".join(redactor.redact([content]))
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "1.txt"
        path.write_bytes(redacted)
        case = case_file_of(_contents(path, redacted, evidence, found, items))
        assert case_file.html(case).startswith("<!doctype html>")
        assert case_file.markdown(case)


def _contents(
    path: Path, redacted: bytes, evidence: Evidence, found: local.Analysis, items: list[Item]
) -> Contents:
    file = BundleFile(
        evidence_id=items[0].evidence if items else evidence.name,
        number=1,
        name="1.txt",
        path="evidence/1.txt",
        local_path=path,
        sha256=hashlib.sha256(redacted).hexdigest(),
        size_bytes=len(redacted),
        lines=evidence.line_count,
        changed=0,
        counts={},
        host="",
        boot="",
        phase="during",
    )
    overview = found.overview
    screen = overview_document(overview)
    return Contents(
        number=1,
        title="fuzzed",
        recipient="",
        question="",
        hosts=[],
        resolution="",
        files=(file,),
        lead=overview.headline.text,
        statements=screen.statements[:4],
        chain=screen.chain,
        matrix=screen.matrix,
        findings=list(found.report.findings),
        oom=oom.answer(items, found.findings),
        wait_graphs=wait_pictures.of_items(items),
        captures=next_documents(next_captures(found.findings)),
    )
