"""Startup fails when an endpoint declares no action, or a wrong one."""

from __future__ import annotations

import pytest
from fastapi import APIRouter

from backend.access.actions import RULES, Action
from backend.access.declarations import UndeclaredError, feature_router
from backend.access.dependencies import needs
from backend.cases.access import CaseDep
from backend.core.http.locations import PREFIX
from tests.backend.applications import api_schema


def test_every_endpoint_of_the_schema_names_a_known_action():
    paths = api_schema()["paths"]
    declared = [operation["x-casebook-action"] for path in paths.values() for operation in path.values()]
    assert set(declared) <= {action.value for action in Action}
    assert all(path.startswith(PREFIX) for path in paths)


def test_every_action_has_a_rule_and_an_endpoint():
    paths = api_schema()["paths"]
    declared = {operation["x-casebook-action"] for path in paths.values() for operation in path.values()}
    assert declared == {action.value for action in Action} == {action.value for action in RULES}


def test_an_endpoint_that_declares_nothing_is_refused():
    router = APIRouter()

    @router.get("/planted")
    def planted() -> None:
        """Say nothing."""

    with pytest.raises(UndeclaredError, match="GET /planted declares 0 actions"):
        feature_router(router)


def test_an_endpoint_about_a_case_must_load_that_case():
    router = APIRouter()

    @router.get("/cases/{case_id}/planted", dependencies=[needs(Action.CASE_READ)])
    def planted(case_id: str) -> None:
        """Omit the check of access to the case."""

    with pytest.raises(UndeclaredError, match=r"declares case\.read and never checks access to a case"):
        feature_router(router)


def test_an_endpoint_must_not_load_a_case_for_an_action_without_one():
    router = APIRouter()

    @router.get("/planted", dependencies=[needs(Action.CASES_LIST)])
    def planted(case: CaseDep) -> None:
        """Look at a case with the right to list."""

    with pytest.raises(UndeclaredError, match=r"declares cases\.list and checks access to a case"):
        feature_router(router)
