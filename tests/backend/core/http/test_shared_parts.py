"""What operations take and answer alike stands once in the OpenAPI schema."""

from __future__ import annotations

import json
from collections import Counter

from backend.core.http import shared_parts
from tests.backend.applications import api_schema


def test_equal_parameters_are_declared_once_and_every_reference_leads_to_one():
    schema = api_schema()
    inline: Counter[str] = Counter()
    for operations in schema["paths"].values():
        for operation in operations.values():
            own = [one for one in operation.get("parameters", ()) if "$ref" not in one]
            inline.update(json.dumps(one, sort_keys=True) for one in own)
            assert all("name" in one for one in shared_parts.parameters_of(schema, operation))
    assert set(inline.values()) == {1}
    assert "NotModified" in schema["components"]["responses"]


def test_parameters_of_one_name_that_differ_stay_apart():
    def operation(most: int) -> dict[str, object]:
        return {
            "parameters": [{"name": "limit", "in": "query", "schema": {"maximum": most}}],
            "responses": {"200": {}},
        }

    paths = {f"/{at}": {"get": operation(most)} for at, most in enumerate((10, 10, 10, 20, 20, 30))}
    schema = {"paths": paths, "components": {"headers": {}, "responses": {}}}
    shared_parts.document(schema)
    bounds = [
        shared_parts.parameters_of(schema, path["get"])[0]["schema"]["maximum"] for path in paths.values()
    ]
    assert bounds == [10, 10, 10, 20, 20, 30]
    assert sorted(schema["components"]["parameters"]) == ["limit", "limit-2"]
