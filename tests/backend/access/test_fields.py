"""Response fields and the roles that receive them match the committed list."""

from __future__ import annotations

import copy
from pathlib import Path
from typing import Any

import pytest

from backend.access.actions import Action
from backend.access.declarations import KEY
from backend.access.fields import OPEN, open_places, page, response_shapes
from tests.backend.applications import api_schema

LIST = Path("docs/fields.md")


@pytest.fixture
def changed() -> dict[str, Any]:
    return copy.deepcopy(api_schema())


def test_every_field_of_every_answer_is_on_the_committed_list():
    assert LIST.read_text() == page(api_schema()), (
        "review the changed fields and roles; then `make generate-api`"
    )


def test_an_undeclared_field_is_reported(changed):
    changed["components"]["schemas"]["CaseRead"]["properties"]["owner_address"] = {"type": "string"}
    assert LIST.read_text() != page(changed)


def test_a_response_that_reaches_a_lesser_role_is_reported(changed):
    entry = next(one for one in response_shapes(api_schema()) if one.name == "AuditEntryRead")
    assert entry.least == "admin"
    changed["paths"]["/api/v1/audit"]["get"][KEY] = Action.WHO_AM_I.value
    assert LIST.read_text() != page(changed)


def test_open_keys_in_a_response_need_a_reason():
    assert set(open_places(api_schema())) == set(OPEN)


@pytest.mark.parametrize(
    "value",
    [
        {},
        {"type": "object"},
        {"type": "object", "additionalProperties": {"type": "string"}},
        {"type": "array", "items": {}},
        {"anyOf": [{"type": "null"}, {"type": "object", "additionalProperties": True}]},
    ],
)
def test_a_field_with_open_keys_is_reported(changed, value: dict[str, Any]):
    changed["components"]["schemas"]["Team"] = {"type": "object", "properties": {"about": value}}
    answer = {"application/json": {"schema": {"$ref": "#/components/schemas/Team"}}}
    changed["paths"]["/api/v1/me"]["get"]["responses"]["200"]["content"] = answer
    assert "Team.about" in set(open_places(changed))


def test_only_endpoints_that_create_a_secret_return_it():
    secret = {
        one.name
        for one in response_shapes(api_schema())
        if {"secret", "password", "hash", "url", "uri"} & set(one.fields)
    }
    assert secret == {
        "AuditEntryRead",
        "DestinationCreated",
        "DestinationRead",  # its `url` is what its owner entered
        "EntryLink",  # its `url` is a page: the source of an alert, or another case
        "TotpSecret",
        "ProviderLogout",
        "HandoffOffered",
        "LibraryRead",  # its `url` is what a curator entered, without a login
        "InvitationCreated",
        "LinkCreated",
        "ReferenceDocument",  # its `url` is a public page
        "TokenCreated",
    }
