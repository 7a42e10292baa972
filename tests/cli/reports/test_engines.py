"""What an engine derives fails no build by itself, and can be switched off or to shadow."""

from __future__ import annotations

import json
from xml.etree import ElementTree as ET

import pytest

from cli.evidence.analysis import analyse, outcome_of
from cli.process import exits
from cli.process.check_outcome import status_of
from signatures import engines
from signatures.engines import Engines, EnginesError
from signatures.judging.scope import items_of
from signatures.language.model import Catalog
from signatures.overview import run
from signatures.rendering import check_reports
from signatures.reporting.fail_on import FailOnPolicy
from tests.cli.analyze_run import run as run_command
from tests.signatures.overview.test_windows import sar_u

NO_SIGNATURES = Catalog((), ())
SPIKE = sar_u(*[2] * 9, 88)


@pytest.fixture
def spike(tmp_path):
    path = tmp_path / "sar.txt"
    path.write_text(SPIKE)
    return path


def written(outcome, shape):
    return check_reports.written(outcome, shape, version="1", report_at="")


def gated(analysis, *expressions):
    return outcome_of(analysis, [FailOnPolicy.parse(one) for one in expressions])


def test_a_derived_alarm_fails_a_build_only_by_its_own_field(spike):
    analysis = analyse([str(spike)], NO_SIGNATURES)
    (alarm,) = analysis.alarms
    assert alarm.status == "derived"
    for expression in ("default", "severity>=low", "level>=context", "kind=alarm", "alarm=cpu"):
        assert status_of(gated(analysis, expression)) == 0, expression
    assert status_of(gated(analysis, "derived>=saturation")) == exits.CHECK_FAILED


def test_a_derived_alarm_is_a_property_and_a_note_unless_it_is_asked_for(spike):
    analysis = analyse([str(spike)], NO_SIGNATURES)
    beside, asked = gated(analysis, "default"), gated(analysis, "derived>=context")
    suite = ET.fromstring(written(beside, "junit"))  # noqa: S314 - our own
    (told,) = suite.iterfind("properties/property")
    assert told.get("name") == "derived.alarm/cpu"
    assert "88 % of CPU time is kernel time" in told.get("value", "")
    assert suite.get("failures") == "0"
    for outcome, level in ((beside, "note"), (asked, "error")):
        (result,) = json.loads(written(outcome, "sarif"))["runs"][0]["results"]
        assert result["level"] == level
    assert not ET.fromstring(written(asked, "junit")).findall("properties")  # noqa: S314 - our own


@pytest.mark.parametrize(("state", "summaries"), [("on", 1), ("shadow", 1), ("off", 0)])
def test_shadow_counts_and_shows_nothing_and_off_computes_nothing(spike, state, summaries):
    items = items_of(analyse([str(spike)], NO_SIGNATURES).evidences)
    panels = run(items, engines=Engines(series=state))
    windows = [one for one in panels if one.name == "windows"]
    assert len(windows) == summaries
    shown = [one.text for panel in panels for one in panel.statements if "88 %" in one.text]
    assert bool(shown) == (state == "on")
    if state == "shadow":
        assert "1 statement," in windows[0].summary
        assert (windows[0].state, windows[0].figures) == ("calm", ())


def test_the_command_takes_the_switches_of_its_environment(spike, monkeypatch):
    texts = {}
    for state in ("on", "off", "sideways"):
        engines.configured.cache_clear()
        monkeypatch.setenv(engines.VARIABLE, f"series={state}")
        texts[state] = run_command(spike)
    engines.configured.cache_clear()
    assert "88 % of CPU time is kernel time" in texts["on"].stdout
    assert "88 % of CPU time is kernel time" not in texts["off"].stdout
    assert texts["sideways"].exit_code == 1
    assert "ENGINE=on|shadow|off" in texts["sideways"].stderr


@pytest.mark.parametrize("text", ["laws=on", "series", "series=loud", "=on"])
def test_an_unknown_switch_is_an_error_that_states_the_form(text):
    with pytest.raises(EnginesError, match="ENGINE=on"):
        Engines.parse(text)
