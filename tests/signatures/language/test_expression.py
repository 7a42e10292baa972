from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ingest import fact_catalogue
from signatures.judging.derived_facts import DERIVED
from signatures.language import expression
from signatures.language.expression import UndefinedError


def value_of(text, **facts):
    return expression.evaluate(expression.parse(text), lambda name: facts[name.replace(".", "_")])


def test_products_bind_before_sums():
    assert value_of("1 + 2 * 3 - 4 / 2") == 5


def test_names_may_hold_digits_after_a_dot():
    assert value_of("loadavg.1m / cpu.online", loadavg_1m=40.0, cpu_online=4.0) == 10


def test_abs_min_max_are_known():
    assert value_of("max(abs(a - b), min(3, 4))", a=1.0, b=9.0) == 8


def test_division_by_zero_has_no_value():
    with pytest.raises(UndefinedError):
        value_of("a / b", a=1.0, b=0.0)


@pytest.mark.parametrize(
    "text", ["", "a +", "a b", "f(a)", "a.b. + 1", "1e", "(a", "a; b", "__import__('os')"]
)
def test_an_invalid_expression_is_rejected(text):
    with pytest.raises(ValueError, match=r"."):
        expression.parse(text)


def test_bytes_and_seconds_do_not_add():
    with pytest.raises(ValueError, match="mixes"):
        expression.unit_of("memcg.usage_bytes + net.rtt.backlog_seconds")


def test_bytes_by_bytes_are_a_share():
    assert expression.unit_of("memcg.usage_bytes / memcg.limit_bytes") == "share"


def test_a_rate_per_nanosecond_times_a_billion_is_one_per_second():
    assert expression.unit_of("sum(nr_reclaimed) / sum(elapsed_ns) * 1000000000") == "count/s"


@pytest.mark.parametrize("name", DERIVED)
def test_every_derived_fact_has_the_unit_its_name_ends_in(name):
    unit = expression.unit_of(DERIVED[name])
    assert unit in {"share", ""} if name.endswith("_share") else unit != "share"


@pytest.mark.parametrize("name", DERIVED)
def test_every_derived_fact_is_a_constant_or_uses_existing_facts(name):
    words = re.findall(r"[a-z][\w.]*\.[\w.]+", DERIVED[name])
    assert [word for word in words if fact_catalogue.find(word) is None] == []
    assert words or DERIVED[name].isdecimal()


@given(st.floats(-1e6, 1e6), st.floats(-1e6, 1e6), st.floats(0.1, 1e6))
def test_results_equal_python(a, b, c):
    assert value_of("(a - b) * 2 / c + abs(b)", a=a, b=b, c=c) == pytest.approx((a - b) * 2 / c + abs(b))


@given(st.text(max_size=30))
def test_any_text_parses_or_is_rejected(text):
    try:
        outcome = str(expression.parse(text))
    except ValueError as error:
        outcome = str(error)
    assert outcome
