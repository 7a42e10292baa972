"""Facts that observations prove."""

from __future__ import annotations

import pytest

from signatures.judging.fact_index import implied
from signatures.judging.profile_index import Trees
from signatures.language.model import Implication
from tests.signatures.build import fact, item, log, rows


@pytest.mark.parametrize(
    ("kind", "names", "parts"),
    [
        ("tracepoint", ("writeback:*",), {"facts": [fact("feature.tracepoint", True, name="writeback:x")]}),
        ("rows", ("switches",), {"row_sets": [rows("switches", "n", (1.0,))]}),
        ("log", ("workqueue_hogged",), {"log_records": [log("workqueue_hogged")]}),
        ("has_fact", ("vmstat.nr_dying",), {"facts": [fact("vmstat.nr_dying", 0.0)]}),
    ],
)
def test_an_observation_proves_a_feature(kind, names, parts):
    implication = Implication((), "kernel.feature.x", True, kind, names)
    assert list(implied([item("e", **parts)], [implication], Trees()))
    assert not list(implied([item("e")], [implication], Trees()))
