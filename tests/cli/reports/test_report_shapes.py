"""The committed JSON schemas of the reports of `upload --wait` and `diff`."""

from __future__ import annotations

import json
from pathlib import Path

import jsonschema
import pytest

from cli.reports import report_shapes

HERE = Path(report_shapes.__file__).parent


def schema_of(command: str, *, is_closed: bool = True) -> jsonschema.Draft202012Validator:
    """Return what holds the JSON of `casebook {command}` against its committed schema.

    `is_closed`: a field that the schema does not have is an error, so that the schema names every field.
    """
    schema = json.loads((HERE / f"{command}.schema.json").read_text())
    if is_closed:
        close(schema)
    return jsonschema.Draft202012Validator(schema, format_checker=jsonschema.FormatChecker())


def close(shape: object) -> None:
    """Allow no further properties in all shapes below that name some and say nothing of others."""
    if isinstance(shape, dict):
        if "properties" in shape:
            shape.setdefault("additionalProperties", False)
        for one in shape.values():
            close(one)
    elif isinstance(shape, list):
        for one in shape:
            close(one)


@pytest.mark.parametrize("name", report_shapes.FILES)
def test_the_committed_schema_is_that_of_the_code(name):
    schema_text = (HERE / name).read_text()
    assert schema_text == report_shapes.written(report_shapes.FILES[name]), (
        "run `python -m cli.reports.report_shapes` and look at the difference: builds read this"
    )
    jsonschema.Draft202012Validator.check_schema(json.loads(schema_text))


def test_a_report_may_get_fields_and_loses_none():
    document = {
        "schema_version": 1,
        "engine": "1",
        "status": "pass",
        "summary": "Pass",
        "fail_on": [],
        "event": "",
        "unit": "samples",
        "per": "run",
        "rules": {
            "alpha": 0.01,
            "min_growth": 0.02,
            "detect": 0.1,
            "detect_function": None,
            "functions": [],
            "allowed": [],
        },
        "baseline": None,
        "base": [{"path": "a", "samples": 1, "weight": 1, "counters": {}, "is_disturbed": False}],
        "new": [{"path": "b", "samples": 1, "weight": 1, "counters": {}, "is_disturbed": False}],
        "differences": [],
        "unchecked": [],
        "method": None,
        "runs_needed": None,
        "shortage": None,
        "excluded": {"totals": 0.05, "functions": None, "names": [], "least_share": 0.05},
        "notes": [],
        "interrupts": None,
        "totals": [],
        "causes": [],
        "functions": [],
        "untested_functions": 0,
    }
    assert schema_of("diff").is_valid(document)
    assert not schema_of("diff").is_valid(document | {"more": 1})
    published = schema_of("diff", is_closed=False)
    assert published.is_valid(document | {"more": 1})
    assert not published.is_valid({key: document[key] for key in document if key != "status"})
