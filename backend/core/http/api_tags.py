"""Tags of the operations of the API, by which its reference groups them."""

from __future__ import annotations

TAGS = {
    "account": "Sign-in, sessions, passwords and tokens of the caller.",
    "alerts": "Alerts of monitoring systems, which open and extend cases.",
    "audit": "The audit log.",
    "baselines": "Baselines of benchmarks: points, trends and flame graph differences.",
    "cases": "Cases, their access and their event log.",
    "destinations": "Where events are sent: webhooks, and the log of their deliveries.",
    "evidence": "Evidence of a case: upload, parse report, raw lines.",
    "findings": "Findings, captures, hosts, phases, labels and the signature library.",
    "guests": "Evidence of callers who have not signed in.",
    "handoffs": "Redacted bundles for other teams, and their shared pages.",
    "kernels": "Kernels of hosts, the problems that affect them, and inventories.",
    "libraries": "Libraries of teams: pulled, linted, judged, and hunted in stored cases.",
    "library": "Search in signatures and stories.",
    "members": "Members, invitations and teams.",
    "operations": "Health, queues and jobs.",
    "postmortems": "Notes and the timeline of a case.",
    "problems": "What cases have in common: signatures, and clusters that no signature explains.",
    "profiles": "Call trees, tables, time series and exports of profiles.",
    "search": "Facets and completion of a query for cases, and saved searches.",
    "signature drafts": "Signatures drafted from closed cases.",
    "similarity": "Similar cases.",
    "stories": "Stories and their drafts.",
    "uploads": "Resumable uploads (tus 1.0).",
}
