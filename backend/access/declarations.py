"""Every endpoint declares its action; building the application fails when one does not.

@router.get("/cases/{case_id}", dependencies=[needs(Action.CASE_READ)])

The OpenAPI schema states the action as `x-casebook-action`; the permission matrix is generated from it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from fastapi import APIRouter
from fastapi.routing import APIRoute

from backend.access.actions import RULES, Action
from backend.access.dependencies import Declared, get_admission

if TYPE_CHECKING:
    from collections.abc import Iterator

    from fastapi.dependencies.models import Dependant

KEY = "x-casebook-action"


class UndeclaredError(Exception):
    """An endpoint declares no action, or a wrong one: a bug that stops the application at startup."""


def action_of(route: APIRoute) -> Action:
    """Return the action that `route` declares.

    Raises:
        UndeclaredError: It declares none or several; or it concerns a case without checking access to it, or
            the reverse.
    """
    called = list(_called(route.dependant))
    actions = {call.action for call in called if isinstance(call, Declared)}
    where = f"{'|'.join(sorted(route.methods or ()))} {route.path}"
    if len(actions) != 1:
        raise UndeclaredError(f"{where} declares {len(actions)} actions; every endpoint needs exactly one")
    action = actions.pop()
    if RULES[action].on_case != (get_admission in called):
        state = "never checks access to a case" if RULES[action].on_case else "checks access to a case"
        raise UndeclaredError(f"{where} declares {action.value} and {state}")
    return action


def feature_router(*routers: APIRouter) -> APIRouter:
    """Return one router with the routes of `routers`, matched in this order.

    The action of each is written into its part of the schema.

    Raises:
        UndeclaredError: See `action_of`.
    """
    feature = APIRouter()
    for router in routers:
        for route in router.routes:
            if isinstance(route, APIRoute):
                route.openapi_extra = {**(route.openapi_extra or {}), KEY: action_of(route).value}
        feature.include_router(router)
    return feature


def _called(dependant: Dependant) -> Iterator[object]:
    """Yield every dependency called before the route."""
    for below in dependant.dependencies:
        yield below.call
        yield from _called(below)
