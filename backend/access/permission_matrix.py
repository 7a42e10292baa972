"""The permission matrix: who may do what, made from the schema of the API.

    python -m backend.access.permission_matrix > docs/permissions.md

The page is committed; `tests/backend/access/test_permission_matrix.py` compares it with every endpoint.
"""

from __future__ import annotations

import enum
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

Printed from the schema of the API by `python -m backend.access.permission_matrix`; a test asks every
endpoint as
everybody and compares. *yes* means that the request is let in; 401, 403 and 404 are answers. What may not be
seen answers 404, like what is not there. Admins see every case; the audit log says which they looked at.

## Endpoints
"""
OF_CASES = """\
How somebody stands to the case: its *own*er; of its *team*, or it has none; *named* on it; came by a *link*;
it is *hidden* from them (another team's, restricted, or by a link they have not opened); or there is none
(*absent*). Tokens of one scope are an admin's here; the case token is of a responder, and for this case. A
guest's cookie opens the one case that it was given for, of an account that nobody signs in to."""


class Sight(enum.StrEnum):
    """How somebody stands to a case."""

    OWN = "own"
    TEAM = "team"
    NAMED = "named"
    LINK = "link"
    HIDDEN = "hidden"
    ABSENT = "absent"


class Answer(enum.StrEnum):
    """What an endpoint answers before it does anything."""

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
SEEN = frozenset({Sight.OWN, Sight.TEAM, Sight.NAMED, Sight.LINK})


@dataclass(frozen=True, slots=True)
class Endpoint:
    """One operation of the API."""

    method: str
    path: str
    action: Action

    @property
    def rule(self) -> Rule:
        """What it takes."""
        return RULES[self.action]


def endpoints(schema: Mapping[str, Any]) -> Iterator[Endpoint]:
    """Yield every operation of an OpenAPI document with the action it declares."""
    for path, operations in sorted(schema["paths"].items()):
        for method, operation in sorted(operations.items()):
            yield Endpoint(method.upper(), path, Action(operation[KEY]))


def expected(somebody: Caller, action: Action, sight: Sight) -> Answer:
    """Return what `somebody` is answered who does `action` and stands to the case, if it is about one, so."""
    rule = RULES[action]
    if rule.role is None:
        return Answer.ALLOWED
    if somebody.role is None:
        return Answer.UNKNOWN
    if RANK[somebody.role] < RANK[rule.role]:
        return Answer.REFUSED
    if somebody.scopes is not None and not somebody.scopes & rule.scopes:
        return Answer.REFUSED
    if action is Action.CASE_DROP and not somebody.is_case_token:
        return Answer.REFUSED
    if not rule.on_case:
        return Answer.ALLOWED
    if sight is Sight.ABSENT or (sight not in SEEN and somebody.role is not Role.ADMIN):
        return Answer.NOT_FOUND
    if somebody.role is Role.ADMIN:
        return Answer.ALLOWED
    if rule.changes_case and sight is Sight.LINK:
        return Answer.REFUSED
    if rule.owners_only and sight is not Sight.OWN and RANK[somebody.role] < RANK[Role.CURATOR]:
        return Answer.REFUSED
    return Answer.ALLOWED


def page(schema: Mapping[str, Any]) -> str:
    """Return the whole matrix as Markdown."""
    listed = list(endpoints(schema))
    used = [action for action in Action if any(one.action is action for one in listed)]
    return "\n".join([*_head(), *_endpoint_rows(listed), *_of_no_case(used), *_of_cases(used), ""])


def _head() -> Iterator[str]:
    yield HEAD


def _endpoint_rows(listed: list[Endpoint]) -> Iterator[str]:
    yield "| endpoint | action |"
    yield "| --- | --- |"
    for one in listed:
        yield f"| {one.method} {one.path.removeprefix('/api/v1')} | {one.action.value} |"
    yield ""


def _of_no_case(used: list[Action]) -> Iterator[str]:
    yield "## Actions about no case"
    yield ""
    yield "| action | what it is to | " + " | ".join(one.name for one in EVERYBODY) + " |"
    yield "| --- | --- |" + " --- |" * len(EVERYBODY)
    for action in used:
        if not RULES[action].on_case:
            answers = (expected(one, action, Sight.ABSENT).value for one in EVERYBODY)
            yield f"| {action.value} | {RULES[action].says} | " + " | ".join(answers) + " |"
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
                answers = (expected(one, action, sight).value for sight in Sight)
                yield f"| {one.name} | " + " | ".join(answers) + " |"


if __name__ == "__main__":
    import importlib

    # The application stands above this floor, so it is not imported but asked for by name.
    sys.stdout.write(page(importlib.import_module("backend.app").describe_api().openapi()))
