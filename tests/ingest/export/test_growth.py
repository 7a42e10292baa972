"""Growth between two recordings, and its significance."""

from __future__ import annotations

import pytest

from ingest.export.growth import Limit, LimitError, beyond, growths, interval
from ingest.native.views import View
from tests.ingest.samples import lines_of, whole

HEALTHY = "perf-script/healthy-database.fields_full.txt.gz"
RECLAIM = "perf-script/memcg-reclaim.default.txt"


@pytest.fixture(scope="module")
def healthy() -> View:
    return View(whole(HEALTHY).profiles[0])


@pytest.fixture(scope="module")
def reclaim() -> View:
    return View(whole(RECLAIM).profiles[0])


def of(found, function):
    (growth,) = [one for one in found if one.function == function]
    return growth


def over(base, new, *limits):
    thresholds = [Limit.parse(limit) for limit in limits]
    return beyond(
        growths(base, new), thresholds, base_samples=base.total_samples, new_samples=new.total_samples
    )


def test_a_recording_did_not_grow_against_itself(reclaim):
    found = growths(reclaim, reclaim)
    assert found
    assert all(growth.base == growth.new and growth.low <= 0 <= growth.high for growth in found)
    assert over(reclaim, reclaim, ".*=+0%", ".*=x1") == []


def test_the_largest_growth_is_first_with_shares_and_line(healthy, reclaim):
    found = growths(healthy, reclaim)
    gained = [growth.new - growth.base for growth in found]
    assert gained == sorted(gained, reverse=True)
    fault = of(found, "kernel.filemap_fault")
    passing = reclaim.core.passing(reclaim.class_of("filemap_fault")) / reclaim.total_weight
    assert fault.new == pytest.approx(passing)
    assert fault.low < fault.new - fault.base < fault.high
    text = lines_of(RECLAIM)
    assert "filemap_fault" in text[fault.line - 1]
    assert "filemap_fault" not in "".join(text[: fault.line - 1])


def test_a_function_of_one_side_alone_has_no_share_on_the_other(healthy, reclaim):
    found = growths(healthy, reclaim)
    only_base = next(growth for growth in found if growth.new == 0)
    assert (only_base.line, only_base.base > 0) == (0, True)


def test_a_limit_names_functions_by_kind_and_expression(healthy, reclaim):
    assert {one.growth.kind for one in over(healthy, reclaim, "kernel.*=+5%")} == {"kernel"}
    [one] = over(healthy, reclaim, "kernel.filemap_fault=+5%")
    assert (one.growth.name, one.is_sure, one.limit.text) == (
        "filemap_fault",
        True,
        "kernel.filemap_fault=+5%",
    )
    assert over(healthy, reclaim, "filemap_fault=+5%") == []


def test_a_function_is_reported_with_its_clearest_exceeded_limit(healthy, reclaim):
    growth = of(growths(healthy, reclaim), "kernel.filemap_fault")
    close = f"kernel.filemap_fault=+{(growth.new - growth.base) * 100 - 0.5:.1f}%"
    [doubtful] = over(healthy, reclaim, close)
    assert not doubtful.is_sure
    [sure] = over(healthy, reclaim, close, "kernel.filemap_fault=+5%")
    assert (sure.is_sure, sure.limit.text) == (True, "kernel.filemap_fault=+5%")


def test_the_verdict_follows_the_number_over_its_limit(healthy, reclaim):
    growth = of(growths(healthy, reclaim), "kernel.filemap_fault")
    gained = (growth.new - growth.base) * 100
    assert over(healthy, reclaim, f"kernel.filemap_fault=+{gained + 0.1:.1f}%") == []
    assert len(over(healthy, reclaim, f"kernel.filemap_fault=+{gained - 0.1:.1f}%")) == 1


def test_intervals_are_those_of_newcombe():
    # R. G. Newcombe (1998), table II, method 10: 56/70 and 48/80.
    low, high = interval(48 / 80, 80, 56 / 70, 70)
    assert (round(low, 4), round(high, 4)) == (0.0524, 0.3339)


def test_more_samples_make_it_surer():
    widths = [interval(0.1, samples, 0.2, samples) for samples in (20, 200, 2000)]
    assert widths[0][0] < 0 < widths[1][0] < widths[2][0] < 0.1


@pytest.mark.parametrize("text", ["kernel.*", "kernel.*=5%", "kernel.*=+5", "=+5%", "kernel.(=+5%", "x=x"])
def test_a_malformed_limit_is_rejected_with_the_syntax(text):
    with pytest.raises(LimitError, match=r"write PATTERN=\+5%|no regular expression"):
        Limit.parse(text)
