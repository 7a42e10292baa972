"""What the library refers to was read, at its canonical address; what was not is listed with the reason."""

from __future__ import annotations

import gzip

from signatures.authoring.link_rules import is_checked
from tools.reference_pages import complaint

NOT_CHECKED = {
    ("mm/percpu-rss-drift", "War Stories: mm Bug Incident Narratives"): "no address is known",
    ("mm/thp-compound-page-locking", "War Stories: mm Bug Incident Narratives"): "no address is known",
    ("mm/zone-reclaim-mode", "War Stories: mm Bug Incident Narratives"): "no address is known",
    (
        "mm/thp-compound-page-locking",
        "mm: hugetlbfs: fix hugetlbfs optimization (November 2013)",
    ): "the text was read, its hash is not known",
    ("mm/shrink-lruvec-livelock", "Google issue tracker"): "needs a login; an article names it",
    (
        "windows/soft-fault-working-set-lock",
        "Production postmortem: The Guinness record for page faults & high CPU",
    ): "no stored copy at this address",
    ("writeback/inode-switch-wbs-storm", "Debugging Our New Linux Kernel"): "no stored copy at this address",
    ("writeback/inode-switch-wbs-storm", "Launchpad 2038492"): "no stored copy of the bug",
}

MANUAL = {
    "url": "https://man7.org/linux/man-pages/man8/umount.8.html",
    "copy": "Debian mount 2.42.4-1",
    "words": "unreachable NFS system; --lazy",
}
KERNEL = {
    "url": "https://docs.kernel.org/admin-guide/md.html",
    "copy": "Debian linux-doc-7.2 7.2.13-1",
    "words": "sync_action; mismatch_cnt",
}


def test_only_listed_references_were_not_checked(catalog):
    found = {
        (signature.id, reference["title"])
        for signature in catalog.signatures
        for reference in signature.references
        if not is_checked(reference)
    }
    assert found == set(NOT_CHECKED)


def test_documents_and_threads_state_the_copy_and_its_words(catalog):
    kinds = [
        (reference["kind"], bool(reference.get("words")))
        for signature in catalog.signatures
        for reference in signature.references
        if reference["kind"] in ("doc", "issue") and "status" not in reference
    ]
    assert len(kinds) >= 140
    assert all(has_words for _, has_words in kinds)


def test_the_check_of_a_page_is_repeated_on_unpacked_packages(tmp_path):
    page = tmp_path / "mount/usr/share/man/man8/umount.8.gz"
    page.parent.mkdir(parents=True)
    page.write_bytes(
        gzip.compress(
            b"\\-f\nForce an unmount (in case of an \\fBunreachable\nNFS\\fP system).\n\\-\\-lazy\n"
        )
    )
    assert complaint(MANUAL, tmp_path) == ""
    assert complaint(MANUAL | {"words": "--lazy; --eager"}, tmp_path) == f"{MANUAL['url']} lacks --eager"
    assert complaint(MANUAL | {"url": MANUAL["url"].replace("umount", "mount")}, tmp_path) == (
        "https://man7.org/linux/man-pages/man8/mount.8.html is not in mount"
    )
    assert complaint(KERNEL, tmp_path) is None


def test_a_page_of_the_kernel_that_moved_is_named(tmp_path):
    folder = tmp_path / "linux-doc-7.2/usr/share/doc/linux-doc-7.2/html/admin-guide"
    folder.mkdir(parents=True)
    assert complaint(KERNEL, tmp_path) == f"{KERNEL['url']} is not in linux-doc-7.2"
    (folder / "md.html").write_text("<p><em>sync_action</em> and\n<tt>mismatch_cnt</tt>")
    assert complaint(KERNEL, tmp_path) == ""
