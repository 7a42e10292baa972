"""`log`: windows, counts and absence."""

from __future__ import annotations

import pytest

from ingest.model.reading import Quality
from signatures.judging.judge import judge
from signatures.judging.observation import State
from signatures.language.errors import SignatureError
from tests.signatures.build import ask, fact, item, log, profile

THREE = """
clauses:
  loop: {title: t, role: core, log: {class: oom_kill, at_least: 3, window: 10 min}, weight: 4}
decide: {require: {any: [loop]}, suspect: {score: 4}, match: {score: 4}}
"""
NONE = """
clauses:
  hot: {title: t, role: core, stack: {contains: [f]}, share: {at_least: 0.3}, weight: 4}
  quiet: {title: t, log: {class: oom_kill, at_most: 0, window: 10 min, needs_coverage: true}, weight: 1}
decide: {require: {any: [hot]}, suspect: {score: 4}, match: {score: 5, all: [hot]}}
"""


def loop(catalog, *records, captured=None):
    items = [item("log", host="h", log_records=records)]
    if captured is not None:
        items.append(item("e", host="h", profiles=[profile([("a;f", 300)], times=[captured])]))
    (finding,) = judge(items, catalog)
    return finding.clauses[0]


@pytest.mark.parametrize(
    ("uptimes", "state"),
    [
        ((0.0, 300.0, 600.0), State.TRUE),
        ((0.0, 300.0, 601.0), State.UNKNOWN),
        ((0.0, 86_400.0, 172_800.0), State.UNKNOWN),
        ((0.0, 86_400.0, 86_500.0, 86_600.0), State.TRUE),
    ],
)
def test_only_records_of_one_window_are_counted_together(catalog_of, uptimes, state):
    found = loop(catalog_of(THREE), *(log("oom_kill", uptime=at) for at in uptimes))
    assert found.state is state


def test_dates_define_the_window_without_uptimes(catalog_of):
    def dated(*seconds):
        return [log("oom_kill")._replace(at=at) for at in seconds]

    assert loop(catalog_of(THREE), *dated(0.0, 60.0, 120.0)).state is State.TRUE
    assert loop(catalog_of(THREE), *dated(0.0, 60.0, 7200.0)).state is State.UNKNOWN


def test_dates_without_a_year_define_the_window(catalog_of):
    def clocked(*seconds):
        return [log("oom_kill")._replace(clock=clock) for clock in seconds]

    assert loop(catalog_of(THREE), *clocked(0.0, 60.0, 120.0)).state is State.TRUE
    assert loop(catalog_of(THREE), *clocked(0.0, 60.0, 7200.0)).state is State.UNKNOWN


def test_records_without_times_are_undecided(catalog_of):
    found = loop(catalog_of(THREE), *(log("oom_kill") for _ in range(4)))
    assert (found.state, found.outcome.reason) == (
        State.UNKNOWN,
        "outside window: 4 records have no time",
    )


def test_records_long_before_the_capture_do_not_count(catalog_of):
    kills = [log("oom_kill", uptime=at) for at in (100.0, 90_000.0, 90_010.0)]
    assert loop(catalog_of(THREE), *kills, captured=90_020.0).state is State.UNKNOWN
    more = [*kills, log("oom_kill", uptime=90_015.0)]
    assert loop(catalog_of(THREE), *more, captured=90_020.0).outcome.observed == 3


def quiet(catalog, first, last, *records, quality=(), host="h"):
    span = [fact("log.first_uptime_seconds", first), fact("log.last_uptime_seconds", last)]
    log_records = [*records, log("other", uptime=last)]
    captured = profile([("a;f", 300), ("a;f", 300)], times=[90_000.0, 90_010.0])
    items = [
        item("log", host=host, log_records=log_records, facts=span, quality=quality),
        item("e", host="h", profiles=[captured]),
    ]
    finding = judge(items, catalog)[-1]
    return next(state.state for state in finding.clauses if state.clause.id == "quiet")


def test_absence_counts_in_a_log_that_covers_the_capture(catalog_of):
    catalog = catalog_of(NONE)
    assert quiet(catalog, 0.5, 90_020.0) is State.TRUE
    assert quiet(catalog, 89_000.0, 90_020.0) is State.TRUE
    assert quiet(catalog, 89_000.0, 90_020.0, log("oom_kill", uptime=90_005.0)) is State.FALSE


@pytest.mark.parametrize(
    ("first", "last"),
    [(89_500.0, 90_020.0), (0.5, 90_005.0)],
    ids=["begins inside the window", "ends before the capture"],
)
def test_absence_in_a_partial_log_is_undecided(catalog_of, first, last):
    assert quiet(catalog_of(NONE), first, last) is State.UNKNOWN


@pytest.mark.parametrize("name", ["filtered", "excerpt"])
def test_absence_in_a_truncated_log_is_undecided(catalog_of, name):
    assert quiet(catalog_of(NONE), 0.5, 90_020.0, quality=[Quality(name, "cut", 1)]) is State.UNKNOWN


def test_a_kill_a_day_ago_is_outside_the_window(catalog_of):
    assert quiet(catalog_of(NONE), 0.5, 90_020.0, log("oom_kill", uptime=50.0)) is State.TRUE


def test_a_missing_log_record_is_unknown_unless_the_log_covers_the_capture():
    test = {"log": {"class": "oom_kill", "at_most": 0, "needs_coverage": True}}
    assert ask(test, log_records=[log("other")])[0].state is State.UNKNOWN
    assert ask(test, log_records=[log("oom_kill")])[0].state is State.FALSE


def test_the_largest_field_of_the_right_record_counts():
    test = {
        "log": {
            "class": "workqueue_hogged",
            "fields": {"function": "work_fn"},
            "max": "count",
            "at_least": 4,
            "strong": 64,
        }
    }
    found = ask(test, log_records=[log("workqueue_hogged", function="work_fn", count=4.0),
                                   log("workqueue_hogged", function="other_fn", count=99.0)])  # fmt: skip
    assert (found[0].observed, found[0].strength) == (4.0, 0.5)


HUNG = "mydrv 0000:3b:00.0: ring 7 hung for 120 ms"


def message(text, at=1.0, kind="other", **fields):
    return log(kind, at, **fields)._replace(message=text)


def test_a_message_without_a_class_is_found_by_its_text():
    test = {"log": {"text": r"ring \d+ hung", "at_least": 2}}
    found = ask(test, log_records=[message(HUNG), message(HUNG, 2.0), message("link is up", 3.0)])
    assert [(one.state, one.observed) for one in found] == [(State.TRUE, 2.0)]


def test_named_groups_of_the_text_are_fields():
    ring = r"ring (?P<ring>\d+) hung for (?P<took>\d+) ms"
    worst = {"log": {"text": ring, "fields": {"ring": "7"}, "max": "took", "at_least": 100}}
    assert ask(worst, log_records=[message(HUNG)])[0].observed == 120.0
    other = {"log": {"text": ring, "fields": {"ring": "8"}, "at_least": 1}}
    assert ask(other, log_records=[message(HUNG)])[0].state is State.UNKNOWN


def test_text_class_and_fields_are_required_together():
    record = message(HUNG, kind="driver_hang", severity="error")
    test = {"log": {"text": "hung", "class": "driver_hang", "fields": {"severity": ["error", "critical"]}}}
    test["log"]["at_least"] = 1
    assert ask(test, log_records=[record])[0].state is State.TRUE
    for other in (
        message(HUNG, kind="other", severity="error"),
        message(HUNG, kind="driver_hang", severity="notice"),
    ):
        assert ask(test, log_records=[other])[0].state is State.UNKNOWN


@pytest.mark.parametrize(
    ("text", "words"),
    [("ring (", "is not a regular expression"), (r"(?=x)y", "look-around"), (".*", "matches every message")],
)
def test_a_broken_or_empty_text_is_an_error(text, words):
    with pytest.raises(SignatureError, match=words):
        ask({"log": {"text": text, "at_least": 1}})


def test_a_log_condition_names_a_class_or_a_text():
    with pytest.raises(SignatureError, match="name a class, or the text"):
        ask({"log": {"fields": {"comm": "x"}, "at_least": 1}})
