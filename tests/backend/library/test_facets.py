"""Facets filter the results, and each counts the results of the others."""

from __future__ import annotations

from pathlib import Path

import pytest

from backend.library import index, vocabulary
from backend.library.schemas import SearchQuery
from backend.library.search import search


@pytest.fixture
def ask(session, app_settings):
    index.fill_session(session)

    def asked(text: str = "", **narrowed: object):
        return search(session, app_settings, SearchQuery(text=text, **narrowed))

    return asked


def counts(facet) -> dict[str, int]:
    return {one.value: one.count for one in facet}


def test_filtering_by_area_keeps_the_counts_of_other_areas(ask):
    every, narrowed = ask(), ask(area="net")
    assert {one.area for one in narrowed.items} == {"net"}
    assert narrowed.count == counts(every.facets.area)["net"] > 1
    assert counts(narrowed.facets.area) == counts(every.facets.area)
    assert sum(counts(narrowed.facets.symptom).values()) < sum(counts(every.facets.symptom).values())


def test_every_entry_belongs_to_a_group_of_symptoms(ask):
    grouped = set()
    for group in ask().facets.symptom:
        narrowed = ask(symptom=group.value)
        assert narrowed.count == group.count > 0
        assert group.title[0].isupper()
        grouped |= {one.key for one in narrowed.items}
    assert grouped == {one.key for one in ask().items}


def test_tools_that_hang_are_a_group_of_their_own(ask):
    found = {one.key for one in ask(symptom="tools-hang").items}
    assert "mm/mmap-lock-held-in-reclaim" in found
    assert "net/listen-overflow" not in found


def test_filtering_by_kernel_shows_affected_or_not_for_every_signature(ask):
    found = ask(kernel="4.14.0", area="mm")
    verdicts = {one.key: one.kernel_verdict for one in found.items}
    assert verdicts["mm/memcg-stat-show-stall"] == "affected"
    assert all(one.kernel_basis for one in found.items)
    oom = next(one for one in found.items if one.key == "mm/host-oom")
    assert oom.kernel_verdict == "version_independent"
    assert oom.kernel_sentence == "Not a matter of the kernel's version."
    keys = list(verdicts)
    assert keys.index("mm/memcg-stat-show-stall") < keys.index("mm/host-oom")  # by design, in every release
    only = ask(kernel="4.14.0", area="mm", kernel_verdict="affected")
    assert {one.key for one in only.items} == {
        key for key, status in verdicts.items() if status == "affected"
    }


def test_a_vendor_kernel_has_what_its_linux_stable_release_has_and_maybe_more(ask):
    found = ask(kernel="Linux a 5.15.0-1040-gke #45~20.04.1-Ubuntu SMP x86_64", area="mm")
    of = {one.key: one for one in found.items}
    assert found.kernel.startswith("Ubuntu, branch 5.15 of linux-stable")
    assert of["mm/memcg-stat-show-stall"].kernel_verdict == "fixed"
    assert of["mm/percpu-rss-drift"].kernel_sentence == "Probably not affected."


def test_an_image_name_or_os_release_answers_for_every_signature_the_worst_first(ask):
    order = (
        "affected",
        "probably_affected",
        "affected_unless_backported",
        "unknown",
        "probably_not_affected",
        "not_affected",
        "fixed",
        "version_independent",
    )
    for kernel in ("al2023-ami-2023.6.20241121.0-kernel-6.1-x86_64", "ID=rocky\nVERSION_ID=9.4"):
        found = ask(kernel=kernel, kind="signature")
        ranks = [order.index(one.kernel_verdict) for one in found.items]
        assert ranks == sorted(ranks)
        assert all(one.kernel_sentence for one in found.items)


def test_without_a_kernel_no_applicability_is_shown(ask):
    found = ask("ps hangs")
    assert {one.kernel_verdict for one in found.items[1:]} <= {None, "unknown"}
    assert ask().facets.kernel_verdict == []


def test_entries_can_be_filtered_by_fix(ask):
    every = counts(ask().facets.has_fix)
    assert ask(has_fix=True).count == every["true"]
    assert all(one.has_fix for one in ask(has_fix=True).items)


def test_a_filter_without_results_is_reported(ask):
    found = ask(area="nowhere")
    assert found.count == 0
    assert counts(found.facets.area)["nowhere"] == 0


def test_every_area_of_the_library_has_a_title():
    areas = {path.name for path in Path("signatures/library").iterdir() if path.is_dir()}
    assert areas <= set(vocabulary.load().areas)
