"""Every form of a report says first what is observed, and the suspicion right after it."""

from __future__ import annotations

from pathlib import Path

import pytest

from cli.evidence.analysis import analyse
from signatures.rendering.chat import chat
from signatures.rendering.markdown import markdown
from signatures.rendering.terminal import report_lines

LIBRARY = Path(__file__).parents[3] / "signatures" / "library"


def terminal(report):
    return "\n".join(line.text for line in report_lines(report))


@pytest.mark.parametrize("form", [terminal, chat, markdown])
def test_a_suspicion_follows_the_headline_that_is_observed(form):
    analysis = analyse([str(LIBRARY / "sched" / "cfs-throttling" / "evidence" / "unk-one-reading")])
    lines = [line for line in form(analysis.report).splitlines() if line]
    assert "throttled in 34.7 % of its CPU periods" in lines[0]
    suspicion = next(at for at, line in enumerate(lines) if line.startswith("May be: "))
    assert suspicion <= 2
    assert "sched/cfs-throttling" in lines[suspicion]
