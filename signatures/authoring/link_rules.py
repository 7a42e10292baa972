"""Lint rules for links: every fix has a record, every reference a canonical link that was verified."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from signatures.kernels.fix_records import fix_records

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from signatures.language.model import Signature

CANONICAL_HOSTS = frozenset(
    (
        "git.kernel.org",
        "lore.kernel.org",
        "docs.kernel.org",
        "bugzilla.kernel.org",
        "bugs.launchpad.net",
        "man7.org",
        "www.cve.org",
    )
)
"""Hosts whose addresses are made from an id and stay: commits, mails, pages, bugs, records."""

PUBLISHED_HOSTS = frozenset(
    (
        "btrfs.readthedocs.io",
        "clickhouse.com",
        "dasl.cc",
        "github.blog",
        "github.com",
        "issuetracker.google.com",
        "ravendb.net",
    )
)
"""Hosts of articles, issues and programs that references may name, too."""

CHECK_KEYS = ("checked", "copy", "words")
"""What a reference says of its check: the day, what was read, and words of it, separated by `; `."""

_DAY = re.compile(r"\d{4}-\d\d-\d\d")
_HTTPS = re.compile(r"https://(?P<host>[a-z0-9.-]+)/")

UNNUMBERED = frozenset(("windows", "application"))
"""Ecosystems whose fixes are no commits of Linux."""


def link_complaints(signature: Signature) -> Iterator[str]:
    """Yield what is wrong with the links of a signature."""
    ecosystems = {row.ecosystem for row in signature.affected}
    recorded = [name for row in signature.affected for name in row.fixes]
    for fix in signature.fixes:
        yield from _fix(fix, recorded, is_linux=not ecosystems or not ecosystems <= UNNUMBERED)
    for reference in signature.references:
        yield from (f"reference {reference.get('title', '')!r}: {text}" for text in _reference(reference))


def _fix(fix: Mapping[str, Any], recorded: list[str], *, is_linux: bool) -> Iterator[str]:
    where = f"fix {fix.get('title', '')!r}"
    own = [str(name) for name in fix.get("records") or ()]
    for name in own:
        if name not in fix_records():
            known = ", ".join(fix_records())
            yield f"{where}: {name}: no such record of a fix; records are {known}"
    if fix.get("kind") == "upgrade" and fix.get("fixed_in") and is_linux and not (own or recorded):
        yield (
            f"{where}: names a release without a record of the fix; add signatures/kernels/fixes/NAME.yaml "
            "with commit, ranges and how it was verified, and name it in `records` or in `affected`"
        )


def is_checked(reference: Mapping[str, str]) -> bool:
    """Whether somebody read what the reference names: its page in a stored copy, or as `status` says."""
    status = reference.get("status", "")
    return bool(reference.get("checked")) or ("verified" in status and "UNVERIFIED" not in status)


def _reference(reference: Mapping[str, str]) -> Iterator[str]:
    url, kind, status = (reference.get(key, "") for key in ("url", "kind", "status"))
    yield from _check(reference)
    if kind in ("commit", "cve"):
        if not reference.get("id"):
            yield f"a {kind} without id; its link is made from it"
        if not status:
            yield "not verified; state in `status` how hash and subject were checked, or UNVERIFIED"
        return
    if not url:
        if not status:
            yield "neither a link nor a status; add `url`, or say in `status` what is known"
        return
    address = _HTTPS.match(url)
    if address is None or address["host"] not in CANONICAL_HOSTS | PUBLISHED_HOSTS:
        hosts = ", ".join(sorted(CANONICAL_HOSTS))
        yield f"{url} is not canonical; link https:// and one of {hosts}, or add its host to PUBLISHED_HOSTS"
    if not (status or reference.get("checked")):
        yield (
            f"{url} was not checked; read the page, or a copy of it, and state `checked` (the day), `copy` "
            "(what was read) and `words` that it has; else say in `status` why not"
        )


def _check(reference: Mapping[str, str]) -> Iterator[str]:
    stated = [key for key in CHECK_KEYS if reference.get(key)]
    if stated and len(stated) < len(CHECK_KEYS):
        missing = ", ".join(key for key in CHECK_KEYS if key not in stated)
        yield f"states {stated[0]} without {missing}; a check has the day, the copy and its words"
    if "checked" in stated and not _DAY.fullmatch(reference["checked"]):
        yield f"checked: {reference['checked']!r} is not a day; write it as 2026-11-26"
