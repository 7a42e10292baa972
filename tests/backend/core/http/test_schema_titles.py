"""The OpenAPI schema holds no generated titles."""

from __future__ import annotations

from backend.core.http import schema_titles


def test_titles_of_fields_go_and_a_field_that_is_named_title_stays():
    case = {"title": "CaseRead", "properties": {"title": {"title": "Title", "default": {"title": "new"}}}}
    schema = {"info": {"title": "Casebook"}, "paths": {}, "components": {"schemas": {"CaseRead": case}}}
    schema_titles.document(schema)
    assert case == {"properties": {"title": {"default": {"title": "new"}}}}
    assert schema["info"] == {"title": "Casebook"}
