"""Where the positive evidence of stable signatures comes from: two origins, or an exception with its reason.

An origin is the thread, article or collection that published a text, or the kernel series that a recording
was made on. Constructed evidence is none, nor is a part of another recording.
"""

from __future__ import annotations

import re

import pytest

from signatures.authoring.fixture_tests import fixtures_of
from signatures.document.catalog import load_catalog

ONE_ORIGIN = {
    "cgroup/rstat-flush-contention": "recorded on 6.18; published profiles are pictures",
    "locking/futex-hash-contention": "recorded on 6.18; no published profile names the bucket",
    "mm/mglru-evict-folios-lru-lock": "one published incident; a guest is too slow to be sampled in it",
    "mm/shrink-slab-storm": "recorded on 6.18",
    "mm/thp-compaction-direct-stall": "recorded on 6.18",
    "vfs/dentry-lockref-contention": "recorded on 6.18",
}

_PUBLISHED = re.compile(r"Kind: published\. (?P<source>.+?)(?:,|:| \(\d{4}\)|\.(?:\s|$))")
_RECORDED = re.compile(r"(?:Linux|[Kk]ernel) (?P<series>\d+\.\d+)")

STABLE = [signature.id for signature in load_catalog().signatures if signature.status == "stable"]


def origin(provenance):
    """Return the origin that a provenance states, "" for none."""
    text = " ".join(provenance.split())
    if found := _PUBLISHED.match(text):
        return found["source"]
    if text.startswith("Kind: recorded.") and (found := _RECORDED.search(text)):
        return f"recorded on {found['series']}"
    return ""


def origins(signature_id):
    positives = [one for one in fixtures_of(signature_id) if one.name.startswith("pos-")]
    return {origin((one.folder / "PROVENANCE.md").read_text()) for one in positives} - {""}


@pytest.mark.parametrize("signature_id", STABLE)
def test_a_stable_signature_has_positives_of_two_origins(signature_id):
    found = origins(signature_id)
    assert found, "constructed evidence alone keeps a signature a draft"
    assert (len(found) == 1) is (signature_id in ONE_ORIGIN), found


@pytest.mark.parametrize(
    ("provenance", "expected"),
    [
        ("Kind: published. owner/name pull request 224: a log.", "owner/name pull request 224"),
        ('Kind: published. "Debugging network stalls" (2019).', '"Debugging network stalls"'),
        ("Kind: published. syzkaller, pkg/report/testdata/linux/report/23.", "syzkaller"),
        ("Kind: published. blog.bspwr.com, a drive that disappears.", "blog.bspwr.com"),
        ("Kind: recorded. Nested guest, Debian kernel\n6.12.117, 4 CPUs.", "recorded on 6.12"),
        ("Kind: recorded. Two lines of pos-arp.", ""),
        ("Kind: constructed. The words of Linux 6.1.", ""),
    ],
)
def test_a_provenance_states_its_origin(provenance, expected):
    assert origin(provenance) == expected
