"""Costs of a run come back from their document as they were."""

from __future__ import annotations

import json
import math
from dataclasses import replace

import numpy as np
import pytest

from ingest.comparison.costs_document import CostsDocumentError, from_document, to_document
from tests.ingest.comparison.runs import drawn, of_stacks


@pytest.fixture
def document():
    run = drawn(np.random.default_rng(1), 3.5)
    return to_document(replace(run.costs, counters={"task-clock": 2400.0}))


def test_costs_come_back_as_they_were():
    run = drawn(np.random.default_rng(1), 3.5, losses=("cut",))
    assert from_document(json.loads(json.dumps(to_document(run.costs)))) == run.costs


def test_functions_below_a_thousandth_are_left_out():
    costs = of_stacks({"main": 9_999, "main;tiny": 1}).costs
    assert not any(name.endswith("tiny") for name in to_document(costs)["functions"])


@pytest.mark.parametrize(
    "field", ["event", "unit", "weight", "samples", "functions", "counters", "conditions"]
)
def test_a_missing_field_is_named(document, field):
    del document[field]
    with pytest.raises(CostsDocumentError, match=field):
        from_document(document)


@pytest.mark.parametrize(
    "change",
    [
        {"weight": -1},
        {"weight": math.inf},
        {"weight": 0},
        {"samples": True},
        {"event": 7},
        {"functions": {"user.main": [1, 2]}},
        {"functions": [1]},
        {"counters": {"task-clock": "many"}},
        {"conditions": 4},
        {"weight": 1e300},
        {"event": "e" * 501},
        {"unit": "n\0s"},
        {"functions": {"user.main\0": [1, 2, 3]}},
        {"functions": {"user." + "m" * 10_000: [1, 2, 3]}},
    ],
)
def test_a_field_of_another_kind_is_an_error(document, change):
    with pytest.raises(CostsDocumentError):
        from_document(document | change)


@pytest.mark.parametrize(
    "change", [{"losses": "cut"}, {"losses": {"cut": 1}}, {"host": "a\0"}, {"cpus": 1e300}]
)
def test_conditions_of_another_kind_are_an_error(document, change):
    with pytest.raises(CostsDocumentError):
        from_document(document | {"conditions": document["conditions"] | change})
