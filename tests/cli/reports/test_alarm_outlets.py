"""Each class of alarm of the kernel log fails a build, stands in each report, and is a headline."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, NamedTuple
from xml.etree import ElementTree as ET

import pytest

from cli.evidence.analysis import analyse, document, outcome_of
from cli.process import exits
from cli.process.check_outcome import status_of
from ingest.catalogue.log_classes import CLASSES
from signatures.documents.codec import to_document
from signatures.language.model import Catalog
from signatures.overview.headline_words import is_short, repeats
from signatures.overview.screen_document import headline_document
from signatures.rendering import check_reports
from signatures.rendering.case_text import case_rows
from signatures.rendering.chat import chat
from signatures.rendering.markdown import markdown
from signatures.reporting.fail_on import FailOnPolicy
from tests.cli.analyze_run import run

if TYPE_CHECKING:
    from cli.evidence.analysis import Analysis
    from ingest.catalogue.log_classes import LogClass
    from signatures.documents.alarm import AlarmDocument

ALARMING = [one for one in CLASSES if one.is_alarming and one.noted not in {"alone", "always"}]
NO_SIGNATURES = Catalog((), ())
SEVERITIES = {"critical": "critical", "error": "high", "warning": "medium"}
USED_UP = """\
$ nproc
4
$ vmstat 1 4
procs -----------memory---------- ---swap-- -----io---- -system-- -------cpu-------
 r  b   swpd   free   buff  cache   si   so    bi    bo   in   cs us sy id wa st gu
97  0      0 812340  20480 512340    0    0     0     0 4100 9000  2 98  0  0  0  0
98  0      0 812340  20480 512340    0    0     0     0 4100 9000  2 98  0  0  0  0
99  0      0 812340  20480 512340    0    0     0     0 4100 9000  2 98  0  0  0  0
97  0      0 812340  20480 512340    0    0     0     0 4100 9000  2 98  0  0  0  0
"""
PANIC = "Kernel panic - not syncing: Fatal exception in interrupt"
EXT4 = "EXT4-fs error (device sda1): ext4_find_entry:1455: inode #2: comm ls: reading directory lblock 0"
DISASTERS = {
    PANIC: "panic",
    EXT4: "ext4_error",
    "mce: [Hardware Error]: Machine check events logged": "mce_logged",
    "block drbd0: Split-Brain detected but unresolved, dropping connection!": "drbd_split_brain",
}


def written(outcome, shape):
    return check_reports.written(outcome, shape, version="1", report_at="")


class Alarm(NamedTuple):
    """The only alarm of an analysis of one line: of the sample of a class."""

    log_class: LogClass
    analysis: Analysis
    found: AlarmDocument

    @property
    def words(self) -> str:
        return self.found.headline[:60]


@pytest.fixture(scope="module", params=sorted({one.area for one in ALARMING}))
def alarms(request, tmp_path_factory):
    """The alarms of the samples of an area, of an engine that has no signature."""
    path = tmp_path_factory.mktemp("logs") / "dmesg.txt"
    found = []
    for log_class in ALARMING:
        if log_class.area == request.param:
            path.write_text(f"[ 1000.123456] {log_class.sample}\n", encoding="utf-8")
            analysis = analyse([str(path)], NO_SIGNATURES)
            (alarm,) = [one for one in analysis.alarms if log_class.name in one.log_classes]
            found.append(Alarm(log_class, analysis, alarm))
    return found


def gated(analysis, *expressions):
    return outcome_of(analysis, [FailOnPolicy.parse(one) for one in expressions])


def flat(text):
    """Return a text without the escapes of its format."""
    return text.replace("\\|", "|")


def test_each_class_fails_a_build(alarms):
    for log_class, analysis, found in alarms:
        assert found.severity == SEVERITIES[log_class.severity], log_class.name
        named = f"alarm={log_class.name}"
        for expression in ("default", "severity>=low", named, "alarm=kernel-log", "level>=degraded"):
            assert status_of(gated(analysis, expression)) == exits.CHECK_FAILED, (log_class.name, expression)
        for expression in ("derived>=context", "signature=*", "status=draft", "alarm!=kernel-log"):
            assert status_of(gated(analysis, expression)) == 0, (log_class.name, expression)


def test_each_class_stands_in_each_report(alarms):
    for alarm in alarms:
        outcome, rule = gated(alarm.analysis, "default"), f"alarm/{alarm.log_class.name}"
        suite = ET.fromstring(written(outcome, "junit"))  # noqa: S314 - our own
        assert (suite.get("failures"), suite[0][0].tag) == ("1", "failure")
        (run_of,) = json.loads(written(outcome, "sarif"))["runs"]
        (result,) = run_of["results"]
        assert (result["ruleId"], result["level"]) == (rule, "error")
        assert result["partialFingerprints"] == {"casebook/v1": alarm.found.fingerprint}
        assert result["locations"][0]["physicalLocation"]["region"]["startLine"] == 1
        assert written(outcome, "annotations").startswith(f"::error title={rule}::")
        (quality,) = json.loads(written(outcome, "codequality"))
        assert quality["check_name"] == rule
        severity = f'{{severity="{alarm.found.severity}",verdict="alarm"}} 1'
        assert severity in written(outcome, "metrics"), rule
        for shape in ("text", "markdown"):
            assert alarm.words in flat(written(outcome, shape)), (rule, shape)


def test_each_class_is_a_finding_and_the_headline(alarms):
    case = {"number": 1, "state": "open", "severity": None, "title": "a", "updated_at": "2026-01-01T00:00"}
    for alarm in alarms:
        analysis, found = alarm.analysis, alarm.found
        assert document(analysis)["findings"] == [to_document(found)]
        assert found.citations[0].first_line == 1
        headline = headline_document(analysis.overview, [], analysis.alarms)
        assert (headline.kind, headline.title) == ("statement", found.title)
        assert is_short(headline.text), headline.text
        assert not repeats(headline.text), headline.text
        assert analysis.report.overview.headline.detail == found.headline
        assert (headline.verdict, headline.alarm, headline.level) == ("match", found.alarm, found.level)
        for text in (chat(analysis.report), markdown(analysis.report)):
            assert alarm.words in flat(text)
        (row,) = case_rows([{**case, "headline": to_document(headline)}], None)
        assert row.split("\t")[-1] == f"alarm/{alarm.log_class.name}"


@pytest.mark.parametrize("line", DISASTERS)
def test_a_disaster_without_a_signature_fails_the_command(line, tmp_path):
    log, sarif = tmp_path / "dmesg.txt", tmp_path / "found.sarif"
    log.write_text(f"[ 1000.123456] {line}\n")
    result = run(log, "--fail-on", "severity>=low", "-o", "-", "-o", sarif)
    assert result.exit_code == exits.CHECK_FAILED
    assert f"--fail-on 'severity>=low': alarm/{DISASTERS[line]}" in result.stderr
    assert len(json.loads(sarif.read_text())["runs"][0]["results"]) == 1


def test_an_alarm_that_a_match_explains_fails_once_and_never_passes_for_it(tmp_path):
    log = tmp_path / "dmesg.txt"
    log.write_text("[ 1000.123456] nf_conntrack: nf_conntrack: table full, dropping packet\n")
    analysis = analyse([str(log)])
    (found,) = analysis.alarms
    assert found.explained_by == "net/conntrack-table-full"
    hits = gated(analysis, "severity>=low").hits
    assert [one.kind for one in hits] == ["signature"]
    assert [one.kind for one in gated(analysis, "severity>=low").relevant] == ["signature"]
    assert [one.kind for one in gated(analysis, "alarm=network").hits] == ["alarm"]


def test_a_threshold_of_the_overview_fails_only_by_its_area(tmp_path):
    path = tmp_path / "vmstat.txt"
    path.write_text(USED_UP)
    analysis = analyse([str(path)], NO_SIGNATURES)
    assert "cpu" in {area for one in analysis.alarms for area in one.areas}
    assert {one.status for one in analysis.alarms} == {"overview"}
    for expression in ("default", "severity>=low", "level>=context", "kind=alarm"):
        assert status_of(gated(analysis, expression)) == 0, expression
    assert status_of(gated(analysis, "alarm=cpu")) == exits.CHECK_FAILED
    assert status_of(gated(analysis, "alarm=cpu and level>=outage")) == 0


def test_alarms_of_two_runs_have_the_same_fingerprint(tmp_path):
    prints = set()
    for time, lblock in ((1000.1, 0), (2345.6, 17)):
        log = tmp_path / "dmesg.txt"
        log.write_text(f"[ {time:.6f}] {EXT4.replace('lblock 0', f'lblock {lblock}')}\n")
        prints |= {one.fingerprint for one in analyse([str(log)], NO_SIGNATURES).alarms}
    log.write_text(f"[ 1000.123456] {EXT4.replace('sda1', 'sdb1')}\n")
    (other,) = analyse([str(log)], NO_SIGNATURES).alarms
    assert len(prints) == 1
    assert other.fingerprint not in prints


def test_an_unknown_alarm_is_an_error_as_an_unknown_signature_is(tmp_path):
    log = tmp_path / "dmesg.txt"
    log.write_text(f"[ 1000.123456] {PANIC}\n")
    result = run(log, "--fail-on", "alarm=kernel_panic")
    assert result.exit_code == 2
    assert "unknown alarm 'kernel_panic'" in result.stderr
