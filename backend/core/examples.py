"""A body to begin with for every request that takes one: what the reference of the API fills in.

They are examples in the schema, so a test holds each against the shape that it is of.
"""

from __future__ import annotations

from typing import Any

_ID = "01900000-0000-7000-8000-000000000007"
_SECRET = "what-was-told-once"  # noqa: S105 - nobody's

BODIES: dict[str, dict[str, Any]] = {
    "CaptureRunCreate": {"capture": "perf.script", "ran_at": "2026-11-21T03:12:00Z", "evidence_ids": [_ID]},
    "CaptureRunUpdate": {"evidence_ids": [_ID]},
    "CaseAccessUpdate": {"visibility": "restricted", "team_id": None},
    "CaseCreate": {"title": "db7 stalls"},
    "CaseTokenCreate": {"name": "db7", "days": 7},
    "CaseUpdate": {"title": "db7 stalls every night", "severity": "high"},
    "CodeGiven": {"code": "492039"},
    "InvitationCreate": {"role": "responder", "note": "for the database team", "days": 7},
    "Join": {"secret": _SECRET, "name": "ada", "password": "four words that nobody guesses"},
    "LabelWrite": {
        "signature": "mm/memcg-limit-reclaim",
        "opinion": "right",
        "remark": "the limit was raised",
    },
    "LinkCreate": {"days": 7},
    "LinkOpen": {"secret": _SECRET},
    "MemberUpdate": {"role": "curator"},
    "NoteCreate": {"text": "Restarted `mysqld` at 03:12; **no change**."},
    "NoteUpdate": {"text": "Restarted `mysqld` at 03:12; better for a minute.", "revision": 1},
    "PasswordChange": {"current": "", "password": "four words that nobody guesses"},
    "PasswordSignIn": {"name": "ada", "password": "four words that nobody guesses", "code": ""},
    "Paste": {"text": "top - 03:12:44 up 12 days,  load average: 96.40, 81.13, 40.02\n"},
    "PhasePlacing": {"phase": "after", "evidence_ids": [_ID]},
    "SearchAsk": {"text": "ps aux hangs"},
    "ServiceTokenCreate": {"name": "ci", "role": "responder", "scopes": ["read", "evidence"], "days": 365},
    "SignIn": {"token": _SECRET},
    "TeamCreate": {"name": "databases"},
    "TokenCreate": {"name": "ci", "scopes": ["read", "evidence"], "days": 90},
    "TokenRotate": {"overlap_hours": 24},
}
"""By the name of the shape."""


def document(schema: dict[str, Any]) -> None:
    """Give the shapes of an OpenAPI `schema` their examples."""
    shapes = schema["components"]["schemas"]
    for name, body in BODIES.items():
        shapes[name]["examples"] = [body]
