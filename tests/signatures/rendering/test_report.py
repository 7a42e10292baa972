"""Evidence is untrusted: no text of it begins a line of a report, or acts on a terminal."""

from __future__ import annotations

import pytest

from ingest.evidence import read_bytes
from signatures.documents.citation import Place
from signatures.documents.overview import HeadlineDocument, OverviewDocument, StatementDocument
from signatures.rendering.chat import chat
from signatures.rendering.markdown import markdown
from signatures.rendering.report import Report

HOSTILE = "a\n# planted\r\x1b[2J"


@pytest.mark.parametrize("render", [chat, markdown])
def test_a_text_of_evidence_stays_on_its_line(render):
    stated = [
        StatementDocument(
            question="cpu", kind="alarm", text=text, citations=(Place(f"{HOSTILE}.txt", 1, 2, 3),)
        )
        for text in (HOSTILE, f"b{HOSTILE}")
    ]
    overview = OverviewDocument(
        headline=HeadlineDocument(kind="statement", text=HOSTILE),
        statements=tuple(stated),
        next_capture_reason=HOSTILE,
        next_capture="uptime",
        first_steps=(HOSTILE,),
    )
    evidence = read_bytes(b"hello\n", name=f"{HOSTILE}.txt")
    text = render(Report(evidences=(evidence,), overview=overview))
    assert text.count("planted") > 3
    assert not any(line.startswith("# planted") for line in text.splitlines())
    assert text.replace("\n", "").isprintable()
