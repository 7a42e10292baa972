"""What can be done here, from which role on, and which scope a token needs for it.

Every endpoint is one of these actions (`backend.access.declarations`), and nothing else decides by role.
"""

from __future__ import annotations

import enum
from dataclasses import dataclass

from backend.models.account import Role

RANK = {role: rank for rank, role in enumerate(Role)}


class Scope(enum.StrEnum):
    """What a token may be used for, within the role of its account."""

    READ = "read"
    EVIDENCE = "evidence"
    WRITE = "write"
    ADMIN = "admin"
    DROP = "drop"
    GUEST = "guest"


class Action(enum.StrEnum):
    """What an endpoint does, as the answer to: what must somebody be allowed to do for this?"""

    ENTER = "enter"
    ACCOUNT = "account"
    WHO_AM_I = "who-am-i"
    LIBRARY_READ = "library.read"
    STORIES_READ = "stories.read"
    STORY_WRITE = "story.write"
    STORY_PUBLISH = "story.publish"
    SERVICE_READ = "service.read"
    PEOPLE_READ = "people.read"
    CASES_LIST = "cases.list"
    LINK_OPEN = "link.open"
    SHARE_OPEN = "share.open"
    GUEST_SEND = "guest.send"
    GUEST_KEEP = "guest.keep"
    CASE_READ = "case.read"
    CASE_EXPORT = "case.export"
    CASE_OPEN = "case.open"
    EVIDENCE_ADD = "evidence.add"
    CASE_CHANGE = "case.change"
    CASE_STORY = "case.story"
    CASE_SHARE = "case.share"
    CASE_DROP = "case.drop"
    ADMINISTER = "administer"


@dataclass(frozen=True, slots=True)
class Rule:
    """Who may do an action.

    Attributes:
        says: What it is, as a sentence without a subject.
        role: The least role; None needs no account at all.
        scopes: A token with one of these may; with none, only a browser session may.
        on_case: It is about one case, which must be visible; otherwise the answer is that there is none.
        changes_case: Whoever sees the case by a link alone may not.
        owners_only: Of the case its owner only, and curators and admins who see it.
    """

    says: str
    role: Role | None
    scopes: frozenset[Scope] = frozenset()
    on_case: bool = False
    changes_case: bool = False
    owners_only: bool = False


_ANY = frozenset({Scope.READ, Scope.EVIDENCE, Scope.WRITE, Scope.ADMIN, Scope.GUEST})
_READ = frozenset({Scope.READ})
_LOOK = frozenset({Scope.READ, Scope.GUEST})
_WRITE = frozenset({Scope.WRITE})
_SEND = frozenset({Scope.WRITE, Scope.EVIDENCE})

RULES: dict[Action, Rule] = {
    Action.ENTER: Rule("come in, or ask whether the service is well", None),
    Action.ACCOUNT: Rule("change what belongs to oneself", Role.VIEWER),
    Action.WHO_AM_I: Rule("ask who one is", Role.VIEWER, _ANY),
    Action.LIBRARY_READ: Rule("read signatures, and what may be sent", Role.VIEWER, _ANY),
    Action.STORIES_READ: Rule("search the library, and read stories", Role.VIEWER, _READ),
    Action.STORY_WRITE: Rule("write stories, and read the drafts one sees", Role.RESPONDER, _WRITE),
    Action.STORY_PUBLISH: Rule("publish stories", Role.CURATOR, _WRITE),
    Action.SERVICE_READ: Rule("see how much work waits", Role.VIEWER, _READ),
    Action.PEOPLE_READ: Rule("see who there is, and in which teams", Role.VIEWER, _READ),
    Action.CASES_LIST: Rule("list the cases one sees", Role.VIEWER, _READ),
    Action.LINK_OPEN: Rule("open the link to a case", Role.VIEWER),
    Action.SHARE_OPEN: Rule("open what is handed over by a secret link, and answer", None),
    Action.GUEST_SEND: Rule("send a little without signing in, and take it back", None),
    Action.GUEST_KEEP: Rule("keep a case that one sent before signing in", Role.RESPONDER),
    Action.CASE_READ: Rule("look at a case", Role.VIEWER, _LOOK, on_case=True),
    Action.CASE_EXPORT: Rule("take evidence or profiles away as files", Role.VIEWER, _LOOK, on_case=True),
    Action.CASE_OPEN: Rule("open a case, empty or with evidence", Role.RESPONDER, _SEND),
    Action.EVIDENCE_ADD: Rule(
        "add evidence to a case", Role.RESPONDER, _SEND, on_case=True, changes_case=True
    ),
    Action.CASE_CHANGE: Rule("change a case", Role.RESPONDER, _WRITE, on_case=True, changes_case=True),
    Action.CASE_STORY: Rule(
        "make a story from a case", Role.RESPONDER, _WRITE, on_case=True, changes_case=True
    ),
    Action.CASE_SHARE: Rule(
        "say who sees a case",
        Role.RESPONDER,
        _WRITE,
        on_case=True,
        changes_case=True,
        owners_only=True,
    ),
    Action.CASE_DROP: Rule(
        "send evidence by the token of its case",
        Role.RESPONDER,
        frozenset({Scope.DROP}),
        on_case=True,
        changes_case=True,
    ),
    Action.ADMINISTER: Rule(
        "keep accounts, teams and service tokens, and read the audit log",
        Role.ADMIN,
        frozenset({Scope.ADMIN}),
    ),
}
