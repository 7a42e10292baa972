"""Moderated variances: nearer to the truth than those of each function alone."""

from __future__ import annotations

import numpy as np
import pytest

from ingest.comparison.moderation import FEWEST, MOST_PRIOR_DEGREES, moderated

DEGREES = 10


@pytest.fixture
def generator() -> np.random.Generator:
    return np.random.default_rng(7)


def sampled(generator, truth, rows=200):
    return truth * generator.chisquare(DEGREES, (rows, len(truth))) / DEGREES


def test_the_shrunk_variance_is_nearer_to_the_truth(generator):
    samples = np.exp(generator.uniform(2, 8, 150))
    truth = 0.5 * (0.002 + 1 / samples) * 8 / generator.chisquare(8, 150)
    found = sampled(generator, truth)
    shrunk = moderated(found, DEGREES, samples)
    error = np.mean(np.log(shrunk.variance / truth) ** 2)
    assert error < 0.6 * np.mean(np.log(found / truth) ** 2)
    assert 12 < np.median(shrunk.degrees) < 30


def test_functions_that_vary_alike_get_the_most_prior_degrees(generator):
    samples = np.exp(generator.uniform(2, 8, 400))
    shrunk = moderated(sampled(generator, 0.001 + 1 / samples, rows=20), DEGREES, samples)
    assert np.median(shrunk.degrees) > 0.5 * MOST_PRIOR_DEGREES


def test_functions_that_vary_each_in_its_own_way_are_left_as_they_are(generator):
    samples = np.full(300, 500.0)
    truth = np.exp(generator.normal(-7, 3, 300))
    found = sampled(generator, truth, rows=20)
    shrunk = moderated(found, DEGREES, samples)
    assert np.median(shrunk.degrees) < DEGREES + 1
    assert np.median(np.abs(np.log(shrunk.variance / found))) < 0.2


def test_few_functions_have_no_prior(generator):
    found = sampled(generator, np.ones(FEWEST - 1))
    shrunk = moderated(found, DEGREES, np.full(FEWEST - 1, 100.0))
    assert np.array_equal(shrunk.variance, found)
    assert np.all(shrunk.degrees == DEGREES)


def test_every_labelling_is_fitted_by_itself(generator):
    samples = np.exp(generator.uniform(2, 8, 50))
    found = sampled(generator, 1 / samples, rows=3)
    together = moderated(found, DEGREES, samples)
    for row in range(3):
        alone = moderated(found[row : row + 1], DEGREES, samples)
        assert np.allclose(alone.variance, together.variance[row : row + 1])
