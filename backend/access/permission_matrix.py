"""The permission matrix: who may do what, generated from the OpenAPI schema.

    python -m backend.access.permission_matrix < frontend/openapi.json > docs/permissions.md

The page is committed; `tests/backend/access/test_permission_matrix.py` compares it with every endpoint.
"""

from __future__ import annotations

import enum
import json
import sys
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from backend.access.actions import RANK, RULES, Action, Rule, Scope
from backend.access.declarations import KEY
from backend.models.account import Role

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping


HEAD = """\
# Who may do what

Generated from the OpenAPI schema by `python -m backend.access.permission_matrix`; a test calls every
endpoint as every kind of principal and compares. *yes*: the request is admitted; 401, 403 and 404 are
response statuses. A case that is not visible answers 404, like one that does not exist. Admins see every
case; the audit log records which they opened.
## Endpoints
"""
OF_CASES = """\
Relation of the principal to the case: *own*er; in its *team*, or it has no team; *named* on it; came by a
*link*; *hidden* from them (another team's, restricted, or by a link they have not opened); *absent*: it does
not exist. Tokens of one scope are an admin's here; the case token is of a responder, and for this case. A
guest's cookie opens the one case it was issued for, of an account that cannot sign in."""


class Sight(enum.StrEnum):
    """Relation of a principal to a case."""

    OWN = "own"
    TEAM = "team"
    NAMED = "named"
    LINK = "link"
    HIDDEN = "hidden"
    ABSENT = "absent"


class Answer(enum.StrEnum):
    """Outcome of the access check of an endpoint."""

    ALLOWED = "yes"
    UNKNOWN = "401"
    REFUSED = "403"
    NOT_FOUND = "404"


@dataclass(frozen=True, slots=True)
class Caller:
    """A kind of principal: a role (None: anonymous) and the scopes of a token (None: a browser)."""

    name: str
    role: Role | None
    scopes: frozenset[Scope] | None = None
    is_case_token: bool = False
    is_guest: bool = False


NOBODY = Caller("nobody", None)
BROWSERS = tuple(Caller(role.value, role) for role in Role)
TOKENS = (
    *(
        Caller(f"{scope.value} token", Role.ADMIN, frozenset({scope}))
        for scope in Scope
        if scope not in {Scope.DROP, Scope.GUEST}
    ),
    Caller("case token", Role.RESPONDER, frozenset({Scope.DROP}), is_case_token=True),
)
GUEST = Caller("guest", Role.VIEWER, frozenset({Scope.GUEST}), is_guest=True)
EVERYBODY = (NOBODY, GUEST, *BROWSERS, *TOKENS)
VISIBLE = frozenset({Sight.OWN, Sight.TEAM, Sight.NAMED, Sight.LINK})


@dataclass(frozen=True, slots=True)
class Endpoint:
    """One operation of the API."""

    method: str
    path: str
    action: Action

    @property
    def rule(self) -> Rule:
        """The role and scopes it requires."""
        return RULES[self.action]


def endpoints(schema: Mapping[str, Any]) -> Iterator[Endpoint]:
    """Yield every operation of an OpenAPI document with the action it declares."""
    for path, operations in sorted(schema["paths"].items()):
        for method, operation in sorted(operations.items()):
            yield Endpoint(method.upper(), path, Action(operation[KEY]))


def expected(caller: Caller, action: Action, sight: Sight) -> Answer:
    """Return the outcome for `caller` of `action`, on a case with the relation `sight` if it concerns one."""
    rule = RULES[action]
    if rule.role is None:
        return Answer.ALLOWED
    if caller.role is None:
        return Answer.UNKNOWN
    if RANK[caller.role] < RANK[rule.role]:
        return Answer.REFUSED
    if caller.scopes is not None and not caller.scopes & rule.scopes:
        return Answer.REFUSED
    if action is Action.CASE_DROP and not caller.is_case_token:
        return Answer.REFUSED
    if not rule.on_case:
        return Answer.ALLOWED
    if sight is Sight.ABSENT or (sight not in VISIBLE and caller.role is not Role.ADMIN):
        return Answer.NOT_FOUND
    if caller.role is Role.ADMIN:
        return Answer.ALLOWED
    if rule.changes_case and sight is Sight.LINK:
        return Answer.REFUSED
    if rule.owners_only and sight is not Sight.OWN and RANK[caller.role] < RANK[Role.CURATOR]:
        return Answer.REFUSED
    return Answer.ALLOWED


def page(schema: Mapping[str, Any]) -> str:
    """Return the whole matrix as Markdown."""
    operations = list(endpoints(schema))
    used = [action for action in Action if any(one.action is action for one in operations)]
    return "\n".join([*_head(), *_endpoint_rows(operations), *_of_no_case(used), *_of_cases(used), ""])


def _head() -> Iterator[str]:
    yield HEAD


def _endpoint_rows(operations: list[Endpoint]) -> Iterator[str]:
    yield "| endpoint | action |"
    yield "| --- | --- |"
    for one in operations:
        yield f"| {one.method} {one.path.removeprefix('/api/v1')} | {one.action.value} |"
    yield ""


def _of_no_case(used: list[Action]) -> Iterator[str]:
    yield "## Actions about no case"
    yield ""
    yield "| action | permission to | " + " | ".join(one.name for one in EVERYBODY) + " |"
    yield "| --- | --- |" + " --- |" * len(EVERYBODY)
    for action in used:
        if not RULES[action].on_case:
            outcomes = (expected(one, action, Sight.ABSENT).value for one in EVERYBODY)
            yield f"| {action.value} | {RULES[action].says} | " + " | ".join(outcomes) + " |"
    yield ""


def _of_cases(used: list[Action]) -> Iterator[str]:
    yield "## Actions about a case"
    yield ""
    yield OF_CASES
    for action in used:
        if RULES[action].on_case:
            yield ""
            yield f"### {action.value}: {RULES[action].says}"
            yield ""
            yield "| who | " + " | ".join(sight.value for sight in Sight) + " |"
            yield "| --- |" + " --- |" * len(Sight)
            for one in EVERYBODY:
                outcomes = (expected(one, action, sight).value for sight in Sight)
                yield f"| {one.name} | " + " | ".join(outcomes) + " |"


if __name__ == "__main__":
    sys.stdout.write(page(json.load(sys.stdin)))
