"""Quality remarks on a recording."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from ingest.parsing.profile_quality import course, idle_share
from tests.ingest.samples import whole


def sample():
    (profile,) = whole("perf-script/healthy-database.fields_full.txt.gz").profiles
    return profile


def names(profile):
    return {remark.name for remark in course(profile)}


def test_a_normal_recording_has_no_quality_remark():
    assert names(sample()) == set()


def test_less_than_a_second_is_a_moment():
    profile = sample()
    times = np.linspace(7.0, 7.4, len(profile.sample_node))
    assert names(replace(profile, sample_time=times)) == {"too_short"}


def test_a_recording_of_idle_cpus_is_marked():
    profile = sample()
    idle = tuple(frame._replace(name="pv_native_safe_halt") for frame in profile.frames)
    asleep = replace(profile, frames=idle)
    assert idle_share(asleep) > 0.99
    assert names(asleep) == {"mostly_idle"}


def test_counts_without_a_period_weigh_unevenly():
    assert "frequency_mode" in names(replace(sample(), event="cycles:P", unit="samples"))
    assert "frequency_mode" not in names(replace(sample(), event="cycles:P", unit="period:cycles:P"))
