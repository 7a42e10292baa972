"""What is new or worse in the findings of a build."""

from __future__ import annotations

import pytest

from cli.comparison.findings import new_or_worse
from tests.signatures.documents import build


def finding(level="degraded", verdict="match", signature="mm/memcg-oom", host="a"):
    return build.finding(signature=signature, host=host, level=level, verdict=verdict)


@pytest.mark.parametrize(
    ("base", "new", "found"),
    [
        ([], [finding()], [("degraded", "")]),
        ([finding()], [finding(host="b")], []),
        ([finding()], [finding("failure")], [("failure", "degraded")]),
        ([finding("failure"), finding()], [finding("failure")], []),
        ([finding(verdict="suspect")], [finding()], [("degraded", "degraded")]),
        ([finding("failure")], [finding()], []),
        ([], [finding(), finding("outage"), finding("failure")], [("outage", "")]),
    ],
)
def test_a_finding_is_new_or_worse_than_the_worst_of_the_base(base, new, found):
    changes = new_or_worse(base, new)
    assert [(one.document.level, one.before) for one in changes] == found
