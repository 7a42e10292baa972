"""Unknown query parameters are rejected: a misspelt filter would return everything.

Parameters that the operation takes are those of its endpoint and of its dependencies.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeVar
from weakref import WeakKeyDictionary, WeakSet

from fastapi.exceptions import RequestValidationError
from fastapi.routing import APIRoute
from pydantic import BaseModel

# FastAPI needs it at run time.
from starlette.requests import Request  # noqa: TC002

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from fastapi.dependencies.models import Dependant

MAX_REPORTED = 10

Endpoint = TypeVar("Endpoint", bound="Callable[..., object]")


async def reject_unknown(request: Request) -> None:
    """Reject a request with query parameters that its operation does not take.

    Asynchronous, so that it needs no thread: health checks answer while all threads are busy.

    Raises:
        RequestValidationError: 422 with each unknown parameter and the known ones.
    """
    route = request.scope.get("route")
    if not isinstance(route, APIRoute) or route.endpoint in _open:
        return
    known = _parameters_of(route)
    unknown = [name for name in dict.fromkeys(request.query_params) if name not in known]
    if unknown:
        takes = f"this operation takes {', '.join(known)}" if known else "this operation takes none"
        raise RequestValidationError(
            [
                {"type": "extra_forbidden", "loc": ("query", name), "msg": f"unknown parameter; {takes}"}
                for name in unknown[:MAX_REPORTED]
            ]
        )


def takes_any(endpoint: Endpoint) -> Endpoint:
    """Mark an endpoint that others redirect to: they may add parameters, to be ignored (RFC 6749, 4.1.2)."""
    _open.add(endpoint)
    return endpoint


def _parameters_of(route: APIRoute) -> tuple[str, ...]:
    """Return the names of the query parameters of an operation, sorted."""
    if route.endpoint not in _known:
        _known[route.endpoint] = tuple(sorted(set(_names(route.dependant))))
    return _known[route.endpoint]


def _names(dependant: Dependant) -> Iterator[str]:
    for field in dependant.query_params:
        model = field.field_info.annotation
        if isinstance(model, type) and issubclass(model, BaseModel):
            yield from model.model_fields
        else:
            yield field.alias
    for inner in dependant.dependencies:
        yield from _names(inner)


_known: WeakKeyDictionary[Callable[..., object], tuple[str, ...]] = WeakKeyDictionary()
_open: WeakSet[Callable[..., object]] = WeakSet()
