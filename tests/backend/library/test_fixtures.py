"""Charts of the test fixtures of a signature."""

from __future__ import annotations

import json

import pytest

from backend.core.errors import NotFoundError
from backend.findings import library
from backend.library import fixtures
from backend.library.schemas import ExhibitsRead
from signatures.authoring.fixture_tests import fixtures_of
from tests.long_form import IS_LONG


def body(signature: str, name: str) -> ExhibitsRead:
    return ExhibitsRead.model_validate(json.loads(fixtures.of_proof(signature, name)))


def test_a_recording_is_a_call_tree_of_all_its_samples():
    shown = body("mm/memcg-limit-reclaim", "pos-cgroup-v2-classic")
    profile = shown.profiles[0]
    assert profile.has_weights
    assert "try_to_free_mem_cgroup_pages" in profile.names
    roots = [total for total, depth in zip(profile.total, profile.depth, strict=True) if depth == 0]
    assert sum(roots) == pytest.approx(profile.total_weight, rel=0.01)
    assert {len(profile.depth)} == {len(profile.node), len(profile.self), len(profile.frame)}


def test_a_bare_stack_is_shown_as_one_without_weights():
    shown = body("mm/shrink-slab-storm", "pos-mounts-wait")
    assert {profile.has_weights for profile in shown.profiles} == {False}
    assert "super_cache_count" in {name for profile in shown.profiles for name in profile.names}


def test_histograms_say_where_the_time_went():
    shown = next(
        histograms[0]
        for signature in library.catalog().signatures
        for fixture in fixtures_of(signature.id)
        if fixture.name.startswith("pos-") and (histograms := body(signature.id, fixture.name).histograms)
    )
    assert sum(shown.shares) == pytest.approx(1, abs=0.01)
    assert len(shown.lows) == len(shown.counts)


def test_all_fixture_evidence_can_be_shown():
    """Every third fixture of each signature; `make sweeps` shows all of them."""
    for signature in library.catalog().signatures:
        for fixture in fixtures_of(signature.id)[:: 1 if IS_LONG else 3]:
            shown = body(signature.id, fixture.name)
            assert (shown.name, shown.kind) == (fixture.name, fixture.name.partition("-")[0])


def test_missing_fixture_evidence_is_answered_404():
    with pytest.raises(NotFoundError, match="has no fixture pos-none"):
        fixtures.of_proof("mm/memcg-oom", "pos-none")
    with pytest.raises(NotFoundError):
        fixtures.of_proof("../..", "pos-published")
