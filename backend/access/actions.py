"""Actions of the API: the least role and the token scope that each requires.

Every endpoint declares one of these (`backend.access.declarations`); no other code decides by role.
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
    ALERTS = "alerts"
    DROP = "drop"
    GUEST = "guest"


class Action(enum.StrEnum):
    """What an endpoint does; the unit of permission."""

    ENTER = "enter"
    ACCOUNT = "account"
    WHO_AM_I = "who-am-i"
    LIBRARY_READ = "library.read"
    STORIES_READ = "stories.read"
    STORY_WRITE = "story.write"
    STORY_PUBLISH = "story.publish"
    SERVICE_READ = "service.read"
    PEOPLE_READ = "people.read"
    BASELINES_READ = "baselines.read"
    BASELINE_ADD = "baseline.add"
    BASELINE_CHANGE = "baseline.change"
    CASES_LIST = "cases.list"
    SEARCH_SAVE = "search.save"
    DESTINATIONS_READ = "destinations.read"
    DESTINATION_CHANGE = "destination.change"
    INVENTORY_WRITE = "inventory.write"
    PROBLEM_CURATE = "problem.curate"
    LIBRARIES_READ = "libraries.read"
    LIBRARIES_CHANGE = "libraries.change"
    PROPOSALS_READ = "proposals.read"
    PROPOSAL_WRITE = "proposal.write"
    LINK_OPEN = "link.open"
    SHARE_OPEN = "share.open"
    GUEST_SEND = "guest.send"
    GUEST_KEEP = "guest.keep"
    CASE_READ = "case.read"
    CASE_EXPORT = "case.export"
    CASE_OPEN = "case.open"
    ALERTS_SEND = "alerts.send"
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
        says: The action as a verb phrase, without a subject.
        role: The least role; None requires no account.
        scopes: A token needs one of these; empty admits browser sessions only.
        on_case: It concerns one case, which must be visible; otherwise the response is 404.
        changes_case: Refused to those who see the case by a link only.
        owners_only: For the owner of the case, and for curators and admins who see it.
    """

    says: str
    role: Role | None
    scopes: frozenset[Scope] = frozenset()
    on_case: bool = False
    changes_case: bool = False
    owners_only: bool = False


_ANY = frozenset({Scope.READ, Scope.EVIDENCE, Scope.WRITE, Scope.ADMIN, Scope.ALERTS, Scope.GUEST})
_READ = frozenset({Scope.READ})
_LOOK = frozenset({Scope.READ, Scope.GUEST})
_WRITE = frozenset({Scope.WRITE})
_SEND = frozenset({Scope.WRITE, Scope.EVIDENCE})

RULES: dict[Action, Rule] = {
    Action.ENTER: Rule("sign in, or check the health of the service", None),
    Action.ACCOUNT: Rule("manage your own account", Role.VIEWER),
    Action.WHO_AM_I: Rule("ask who one is", Role.VIEWER, _ANY),
    Action.LIBRARY_READ: Rule("read signatures and the accepted formats", Role.VIEWER, _ANY),
    Action.STORIES_READ: Rule("search the library, and read stories", Role.VIEWER, _READ),
    Action.STORY_WRITE: Rule("write stories, and read visible drafts", Role.RESPONDER, _WRITE),
    Action.STORY_PUBLISH: Rule("publish stories", Role.CURATOR, _WRITE),
    Action.SERVICE_READ: Rule("see the length of the queue", Role.VIEWER, _READ),
    Action.PEOPLE_READ: Rule("list people and teams", Role.VIEWER, _READ),
    Action.BASELINES_READ: Rule("see the baselines of benchmarks", Role.VIEWER, _READ),
    Action.BASELINE_ADD: Rule("add a point to the baseline of a benchmark", Role.RESPONDER, _SEND),
    Action.BASELINE_CHANGE: Rule("delete baselines and their points", Role.RESPONDER, _WRITE),
    Action.CASES_LIST: Rule("list visible cases", Role.VIEWER, _READ),
    Action.SEARCH_SAVE: Rule("save and delete searches", Role.VIEWER, _WRITE),
    Action.DESTINATIONS_READ: Rule("see own webhooks and what was sent there", Role.RESPONDER, _READ),
    Action.DESTINATION_CHANGE: Rule("send events to webhooks", Role.RESPONDER, _WRITE),
    Action.INVENTORY_WRITE: Rule("replace and delete inventories of hosts", Role.RESPONDER, _WRITE),
    Action.PROBLEM_CURATE: Rule("merge and split problems", Role.CURATOR, _WRITE),
    Action.LIBRARIES_READ: Rule("see libraries of teams, and retro-hunts", Role.CURATOR, _READ),
    Action.LIBRARIES_CHANGE: Rule("add, activate and retire libraries, and hunt", Role.CURATOR, _WRITE),
    Action.PROPOSALS_READ: Rule("see proposed signatures", Role.RESPONDER, _READ),
    Action.PROPOSAL_WRITE: Rule("check and propose signatures", Role.RESPONDER, _WRITE),
    Action.LINK_OPEN: Rule("open the link to a case", Role.VIEWER),
    Action.SHARE_OPEN: Rule("open a handoff by its secret link, and reply", None),
    Action.GUEST_SEND: Rule("paste or upload as a guest, and delete it", None),
    Action.GUEST_KEEP: Rule("take over a case created as a guest", Role.RESPONDER),
    Action.CASE_READ: Rule("look at a case", Role.VIEWER, _LOOK, on_case=True),
    Action.CASE_EXPORT: Rule("download evidence or profiles", Role.VIEWER, _LOOK, on_case=True),
    Action.CASE_OPEN: Rule("open a case, empty or with evidence", Role.RESPONDER, _SEND),
    Action.ALERTS_SEND: Rule("open and extend cases by alerts", Role.RESPONDER, frozenset({Scope.ALERTS})),
    Action.EVIDENCE_ADD: Rule(
        "add evidence to a case", Role.RESPONDER, _SEND, on_case=True, changes_case=True
    ),
    Action.CASE_CHANGE: Rule("change a case", Role.RESPONDER, _WRITE, on_case=True, changes_case=True),
    Action.CASE_STORY: Rule(
        "create a story from a case", Role.RESPONDER, _WRITE, on_case=True, changes_case=True
    ),
    Action.CASE_SHARE: Rule(
        "share a case",
        Role.RESPONDER,
        _WRITE,
        on_case=True,
        changes_case=True,
        owners_only=True,
    ),
    Action.CASE_DROP: Rule(
        "send evidence with a case token",
        Role.RESPONDER,
        frozenset({Scope.DROP}),
        on_case=True,
        changes_case=True,
    ),
    Action.ADMINISTER: Rule(
        "administer accounts, teams and service tokens, and read the audit log",
        Role.ADMIN,
        frozenset({Scope.ADMIN}),
    ),
}
