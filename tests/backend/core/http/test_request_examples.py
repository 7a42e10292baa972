"""Every request body has an example that validates against its model."""

from __future__ import annotations

import jsonschema
import pytest

from backend.core.http import request_examples
from tests.backend.applications import api_schema


def test_every_request_body_has_an_example_and_every_example_a_body():
    bodies = {
        content["schema"]["$ref"].rpartition("/")[2]
        for path in api_schema()["paths"].values()
        for operation in path.values()
        for kind, content in operation.get("requestBody", {}).get("content", {}).items()
        if kind == "application/json" and "$ref" in content["schema"]
    }
    assert set(request_examples.BODIES) == bodies


@pytest.mark.parametrize("name", sorted(request_examples.BODIES))
def test_every_example_is_valid_against_its_schema(name):
    components = api_schema()["components"]
    shape = {"$ref": f"#/components/schemas/{name}", "components": components}
    checker = jsonschema.Draft202012Validator(shape, format_checker=jsonschema.FormatChecker())
    checker.validate(request_examples.BODIES[name])
    assert components["schemas"][name]["examples"] == [request_examples.BODIES[name]]
