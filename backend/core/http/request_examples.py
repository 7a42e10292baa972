"""Example bodies of all requests, shown in the API reference.

They are part of the OpenAPI schema; a test validates each against its model.
"""

from __future__ import annotations

from typing import Any

_ID = "01900000-0000-7000-8000-000000000007"
_SECRET = "secret-shown-once"  # noqa: S105 - nobody's

BODIES: dict[str, dict[str, Any]] = {
    "AlertmanagerAlerts": {
        "version": "4",
        "groupKey": '{}:{alertname="HighLoad", instance="db7:9100"}',
        "truncatedAlerts": 0,
        "alerts": [
            {
                "status": "firing",
                "labels": {"alertname": "HighLoad", "instance": "db7:9100", "severity": "critical"},
                "annotations": {
                    "summary": "Load of 96 on 8 CPUs",
                    "runbook_url": "https://runbooks.example.com/high-load",
                },
                "startsAt": "2026-11-21T03:07:00Z",
                "endsAt": "0001-01-01T00:00:00Z",
                "generatorURL": "https://prometheus.example.com/graph?g0.expr=node_load1",
                "fingerprint": "8843d7f92416211d",
            }
        ],
    },
    "CaptureRunCreate": {"capture": "perf.script", "ran_at": "2026-11-21T03:12:00Z", "evidence_ids": [_ID]},
    "CaptureRunUpdate": {"evidence_ids": [_ID]},
    "CaseAccessUpdate": {"visibility": "restricted", "team_id": None},
    "CaseCreate": {"title": "db7 stalls"},
    "CaseTokenCreate": {"name": "db7", "days": 7},
    "CaseUpdate": {
        "title": "db7 stalls every night",
        "status": "mitigated",
        "severity": "high",
        "assignee": "owner",
        "tags": ["postgres"],
    },
    "CasesUpdate": {"status": "resolved", "add_tags": ["duplicate"]},
    "HuntCreate": {"library": "storage-team", "applies": False},
    "LibraryActivate": {"unchecked": False},
    "LibraryCreate": {
        "name": "storage-team",
        "url": "https://git.example.com/storage/signatures.git",
        "ref": "main",
    },
    "LibraryUpdate": {"ref": "2026.11"},
    "PasskeyCreate": {
        "name": "laptop",
        "credential": {
            "id": "AAECAwQFBgcICQoLDA0ODw",
            "rawId": "AAECAwQFBgcICQoLDA0ODw",
            "type": "public-key",
            "response": {"clientDataJSON": "e30", "attestationObject": "oA"},
        },
    },
    "PasskeySignIn": {
        "credential": {
            "id": "AAECAwQFBgcICQoLDA0ODw",
            "rawId": "AAECAwQFBgcICQoLDA0ODw",
            "type": "public-key",
            "response": {"clientDataJSON": "e30", "authenticatorData": "AA", "signature": "AA"},
        },
    },
    "ProposalCreate": {
        "library": "storage-team",
        "signature_id": "mm/our-stall",
        "text": "schema: 1\nid: mm/our-stall\n",
        "base": "",
    },
    "ProposalReview": {"revision": 1, "comment": "fires on every reboot"},
    "ProposalUpdate": {"text": "schema: 1\nid: mm/our-stall\nversion: 2\n", "revision": 1},
    "SignatureText": {"text": "schema: 1\nid: mm/our-stall\n"},
    "TotpCode": {"code": "492039"},
    "ReplacementsWrite": {"tokens": [{"name": "host", "text": "larch*"}, {"name": "word", "text": "walnut"}]},
    "DraftSave": {
        "title": "The pool that never gave its pages back",
        "area": "mm",
        "symptoms": ["ps aux hangs", "load climbs while CPUs idle"],
        "signatures": ["mm/mmap-lock-held-in-reclaim"],
        "cases": [7],
        "fix": "6.1.140",
        "text": "What we saw at 03:12, and what it was not.",
        "sitting": "",
    },
    "DestinationCreate": {
        "name": "incident bot",
        "url": "https://hooks.example.com/casebook",
        "kinds": ["case.created", "findings.judged"],
        "severity": "high",
    },
    "DestinationUpdate": {"is_enabled": True},
    "DraftTeam": {"team_id": None},
    "FailedJobsSelect": {"ids": [_ID]},
    "ReprocessSelect": {"all": False, "since": None, "until": "2026-11-01T00:00:00Z", "case": None},
    "JobsCancel": {"work": "reading", "subject_id": None},
    "GenericAlerts": {
        "version": "1",
        "group_key": "load of db7",
        "title": "Load of db7",
        "alerts": [
            {
                "name": "HighLoad",
                "status": "firing",
                "host": "db7",
                "severity": "critical",
                "text": "Load of 96 on 8 CPUs",
                "starts_at": "2026-11-21T03:07:00Z",
                "links": {"Runbook": "https://runbooks.example.com/high-load"},
            }
        ],
    },
    "GrafanaAlerts": {
        "version": "1",
        "groupKey": '{}:{alertname="HighLoad"}',
        "truncatedAlerts": 0,
        "alerts": [
            {
                "status": "firing",
                "labels": {"alertname": "HighLoad", "host": "db7", "priority": "P1"},
                "annotations": {"summary": "Load of 96 on 8 CPUs"},
                "startsAt": "2026-11-21T03:07:00Z",
                "endsAt": "0001-01-01T00:00:00Z",
                "fingerprint": "8843d7f92416211d",
                "dashboardURL": "https://grafana.example.com/d/load?orgId=1",
                "panelURL": "https://grafana.example.com/d/load?orgId=1&viewPanel=2",
            }
        ],
    },
    "HandoffCreate": {
        "recipient": "kernel support",
        "question": "Is this the lock we asked about in May?",
        "evidence_ids": [],
        "with_notes": True,
    },
    "HandoffOffer": {"days": 14, "views": 5, "is_reviewed": True},
    "IncidentEventCreate": {"kind": "started", "at": "2026-11-21T03:07:00Z", "text": "Queries time out"},
    "IncidentEventUpdate": {"at": "2026-11-21T03:09:00Z", "text": "Queries time out", "revision": 1},
    "InvitationCreate": {"role": "responder", "note": "for the database team", "days": 7},
    "InvitationAccept": {"secret": _SECRET, "name": "ada", "password": "four words that nobody guesses"},
    "LabelWrite": {
        "signature": "mm/memcg-limit-reclaim",
        "opinion": "right",
        "remark": "the limit was raised",
    },
    "ProblemsMerge": {
        "keys": ["class:nvme_timeout/nvme", "wait:blk_mq_get_tag"],
        "title": "Drives of the new shelf",
    },
    "ProblemSplit": {"key": "class:nvme_timeout/nvme", "cases": [7], "title": "After the firmware update"},
    "PairLabelWrite": {"opinion": "different"},
    "LinesQuery": {"lines": ["nvme nvme0: I/O 12 QID 5 timeout, completion polled"]},
    "LinkCreate": {"days": 7},
    "LinkOpen": {"secret": _SECRET},
    "MemberUpdate": {"role": "curator"},
    "MessageCreate": {"text": "The second host shows it too since noon."},
    "NoteCreate": {"text": "Restarted `mysqld` at 03:12; **no change**."},
    "NoteUpdate": {"text": "Restarted `mysqld` at 03:12; better for a minute.", "revision": 1},
    "PasswordChange": {
        "current": "four words that somebody read",
        "password": "four words that nobody guesses",
        "revoke_tokens": True,
    },
    "PasswordSignIn": {"name": "ada", "password": "four words that nobody guesses", "code": ""},
    "Paste": {"text": "top - 03:12:44 up 12 days,  load average: 96.40, 81.13, 40.02\n"},
    "EvidencePlacement": {"evidence_ids": [_ID], "host": "web-01", "phase": "during"},
    "PointCreate": {
        "project": "db/proxy",
        "benchmark": "load",
        "machine": "8 x Xeon",
        "kernel": "6.18.44",
        "commit": "8843d7f",
        "measured_at": "2026-11-21T03:12:00Z",
        "is_work_known": True,
        "comms": [],
        "runs": [
            {
                "sha256": ["8843d7f92416211de9ebb963ff4ce2818843d7f92416211de9ebb963ff4ce281"],
                "work": 12000,
                "costs": {
                    "event": "cpu-clock",
                    "unit": "ns",
                    "weight": 2.4e9,
                    "samples": 2400,
                    "functions": {"user.main": [0, 2.4e9, 3], "user.parse": [2.4e9, 2.4e9, 2]},
                    "counters": {"task-clock": 2410.5},
                    "conditions": {
                        "host": "ci-3",
                        "kernel": "6.18.44",
                        "cpu_model": "Xeon",
                        "cpus": 8,
                        "frequency_hz": 997,
                        "started_at": None,
                        "duration_seconds": 2.4,
                        "losses": [],
                    },
                },
            }
        ],
        "stacks": {
            "event": "cpu-clock",
            "unit": "ns",
            "samples": 2400,
            "names": ["main", "parse"],
            "kinds": ["user", "user"],
            "depth": [0, 1],
            "frame": [0, 1],
            "self": [0, 200000],
        },
    },
    "Publish": {"revision": 3},
    "SavedSearchWrite": {"name": "Memory of db hosts", "query": "memory host:db*", "team_id": None},
    "SearchQuery": {"text": "ps aux hangs"},
    "ServiceTokenCreate": {"name": "ci", "role": "responder", "scopes": ["read", "evidence"], "days": 365},
    "ShareOpen": {"secret": _SECRET},
    "SharedAccept": {"name": "grace"},
    "SharedMessage": {"name": "grace", "text": "Please record it once more with `perf -g`."},
    "SignIn": {"token": _SECRET},
    "SignInConfirmation": {"password": "four words that nobody guesses", "code": "492039"},
    "SignatureDraftCreate": {
        "signature_id": "mm/pool-not-returned",
        "title": "The pool that never gave its pages back",
    },
    "StoryText": {
        "title": "The pool that never gave its pages back",
        "area": "mm",
        "symptoms": ["ps aux hangs"],
        "text": "What we saw at 03:12, and what it was not.",
    },
    "TeamCreate": {"name": "databases"},
    "TokenCreate": {"name": "ci", "scopes": ["read", "evidence"], "days": 90},
    "TokenRotate": {"overlap_hours": 24},
}
"""By model name."""


def document(schema: dict[str, Any]) -> None:
    """Add the examples to the models of an OpenAPI `schema`."""
    shapes = schema["components"]["schemas"]
    for name, body in BODIES.items():
        shapes[name]["examples"] = [body]
