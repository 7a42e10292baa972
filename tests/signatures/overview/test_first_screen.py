"""The overview: headline, the state of every question, statements with citations, the next capture."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from ingest.evidence import read_bytes, read_paths
from signatures.judging.scope import items_of
from signatures.overview import run
from signatures.overview.first_screen import overview_of
from signatures.overview.screen_document import overview_document
from tests.signatures.documents.build import finding
from tests.signatures.overview import pastes

DATA = Path(__file__).parents[2] / "data"
FINDING = {
    "verdict": "match",
    "headline": "Readers of memory.stat stall a CPU",
    "clauses": [],
    "signature": "mm/rstat-flush",
    "host": "db1",
    "superseded_by": "",
    "is_near_miss": False,
}


def overview(*texts, paths=(), findings=(), captures=()):
    """Return the overview of pasted texts and files."""
    evidences = [read_bytes(text.encode(), name=f"paste{at}.txt") for at, text in enumerate(texts)]
    items = items_of([*evidences, *read_paths(list(paths))])
    documents = [finding(**one) for one in findings]
    return overview_of(run(items), documents, captures, {item.format for item in items})


def states(found):
    return {one.question.name: one.state for one in found.questions}


def texts(found, kind="alarm"):
    """Return the sentences of rules of a kind."""
    shown = (one.statement for one in found.statements if one.statement.engine != "quantities")
    return [one.text for one in shown if one.kind == kind]


@pytest.mark.parametrize(
    ("name", "headline", "question"), pastes.ALARMS, ids=[row[0] for row in pastes.ALARMS]
)
def test_an_alarm_is_the_headline_with_its_figures(name, headline, question):
    found = overview(getattr(pastes, name))
    assert headline in found.headline.text
    assert found.headline.kind == "statement"
    assert states(found)[question] == "alarm"
    assert found.statements[0].statement.places


@pytest.mark.parametrize("name", pastes.CALM)
def test_ordinary_values_raise_no_alarm(name):
    assert texts(overview(getattr(pastes, name))) == []


SUSPECT = FINDING | {"verdict": "suspect", "headline": "May be: Readers of memory.stat stall a CPU"}
WEAK = """\
$ ps -eo pid,stat,wchan:20,comm
    PID STAT WCHAN                COMMAND
      1 Ss   ep_poll              systemd
"""


def test_a_match_leads():
    found = overview(pastes.SLABTOP, findings=[FINDING])
    assert found.headline.text == FINDING["headline"]
    assert found.suspicion is None
    superseded = FINDING | {"superseded_by": "mm/other"}
    assert overview(pastes.SLABTOP, findings=[superseded]).headline.kind == "statement"


def test_a_suspicion_stands_below_what_is_observed():
    plain = overview(pastes.SLABTOP)
    found = overview(pastes.SLABTOP, findings=[SUSPECT])
    assert found.headline == plain.headline
    assert found.headline.kind == "statement"
    assert (found.suspicion.text, found.suspicion.signature) == (SUSPECT["headline"], SUSPECT["signature"])
    assert found.signature == SUSPECT["signature"]
    document = overview_document(found)
    assert (document.headline.statement, document.headline.may_be) == (
        0,
        "Readers of memory.stat stall a CPU",
    )


@pytest.mark.parametrize(
    ("texts", "headline"),
    [
        ((pastes.LOG_WITHOUT_LEVELS,), "No known alarm in the kernel log, which lacks levels"),
        ((pastes.MEMINFO_CALM,), "No alarm about memory, which alone could be assessed"),
    ],
)
def test_a_suspicion_never_leads_over_what_was_assessed(texts, headline):
    found = overview(*texts, findings=[SUSPECT | {"signature": "net/listen-overflow"}])
    assert found.headline.text.startswith(headline)
    assert (found.headline.kind, found.headline.signature) == ("not assessed", "")
    assert found.suspicion.text == SUSPECT["headline"]


def test_a_suspicion_is_the_headline_of_evidence_of_nothing_else():
    found = overview(findings=[SUSPECT])
    assert (found.headline.kind, found.headline.text) == ("suspect", SUSPECT["headline"])
    assert found.headline.signature == found.signature == SUSPECT["signature"]
    assert (found.short.text, found.suspicion) == ("May be: readers of memory.stat stall a CPU", None)
    document = overview_document(found)
    assert (document.headline.statement, document.headline.may_be) == (None, "")


def test_a_question_of_a_suspicion_is_not_listed_as_calm():
    texts = (pastes.MEMINFO_CALM, pastes.LOG_WITHOUT_LEVELS)
    assert "No alarm about memory" in overview(*texts).headline.text
    found = overview(*texts, findings=[SUSPECT])
    assert "No alarm about memory" not in found.headline.text
    assert states(found)["memory"] == "not assessed"


def test_a_measured_condition_leads_above_the_suspicion_that_rests_on_it():
    clause = {
        "title": "One read of memory.stat takes 50 ms or more",
        "role": "core",
        "state": "TRUE",
        "weight": 5.0,
        "strength": 1.0,
        "is_seen": False,
        "observed": 0.161,
        "unit": "seconds",
        "veto": False,
        "citations": [],
    }
    measured = SUSPECT | {"clauses": [clause]}
    found = overview(WEAK, findings=[measured])
    assert (found.headline.kind, found.headline.text) == ("fact", f"{clause['title']}: 161 ms")
    assert found.suspicion.text == SUSPECT["headline"]
    seen = SUSPECT | {"clauses": [clause | {"is_seen": True}]}
    assert overview(WEAK, findings=[seen]).headline.kind == "suspect"
    # A narrower title says what is seen already.
    narrowed = measured | {"is_narrowed": True}
    assert overview(WEAK, findings=[narrowed]).headline.kind == "suspect"


def test_a_match_of_a_report_names_what_the_report_is_about():
    log = "[   10.000000] BUG: unable to handle page fault for address: ffffdead00000108\n"
    cited = {"evidence": "paste0.txt", "section": 0, "first_line": 1, "last_line": 1}
    finding = FINDING | {"signature": "crash/kernel-oops", "headline": "The kernel crashed"}
    finding |= {"clauses": [{"role": "core", "state": "TRUE", "veto": False, "citations": [cited]}]}
    found = overview(log, findings=[finding])
    assert (
        found.headline.text
        == "The kernel crashed: page fault in the kernel at an invalid address; at ffffdead00000108"
    )


def test_a_question_without_evidence_is_not_assessed_and_names_its_capture():
    found = overview(pastes.MEMINFO_CALM)
    assert states(found)["memory"] == "no alarm"
    unassessed = [one for one in found.questions if one.state == "not assessed"]
    assert len(unassessed) == 7
    assert all(one.capture for one in unassessed)
    assert found.next_capture == (
        "sudo casebook collect",
        "while the trouble lasts: kernel log, CPU, IO, 4 more",
    )
    assert found.headline.kind == "not assessed"
    assert found.headline.text.startswith(
        "No alarm about memory, which alone could be assessed: 38.1 of 62.8 GiB"
    )


def test_a_log_with_levels_and_its_beginning_is_calm_and_one_without_is_not():
    boot = "".join(
        f"<6>[{at / 10:12.6f}] usb 1-1: new high-speed USB device number {at}\n" for at in range(9)
    )
    assert states(overview(boot))["kernel-log"] == "no alarm"
    found = overview("".join(line[3:] + "\n" for line in boot.splitlines()))
    assert states(found)["kernel-log"] == "not assessed"
    assert "lacks levels" in found.headline.text
    late = "".join(
        f"<6>[{at + 900:12.6f}] usb 1-1: new high-speed USB device number {at}\n" for at in range(9)
    )
    assert "lacks its beginning" in overview(late).headline.text


def test_errors_of_no_known_class_are_shown():
    found = overview(
        "<6>[    0.100000] Linux version 6.12.0\n<3>[    9.000000] frobnicator: the flux is inverted\n"
    )
    assert states(found)["kernel-log"] == "notable"
    assert found.headline.text == "1 error-level line of no known class: frobnicator: the flux is inverted"


def test_what_is_no_output_of_a_tool_is_no_kernel_evidence():
    found = overview("milk\neggs\nbread\n")
    assert found.headline.kind == "no evidence"
    assert found.headline.text.startswith("No kernel evidence here")
    assert found.next_capture.command == ""
    assert found.statements == ()


def test_two_prints_of_one_recording_are_never_compared(tmp_path):
    sample = DATA / "perf-script/healthy-database.fields_full.txt.gz"
    (tmp_path / "a.gz").write_bytes(sample.read_bytes())
    (tmp_path / "b.gz").write_bytes(sample.read_bytes())
    report = (DATA / "perf-table/perf-report.g-callee.txt").read_text()
    event = items_of(read_paths([tmp_path / "a.gz"]))[0].reading.profiles[0].event
    (tmp_path / "report.txt").write_text(re.sub("of event '[^']*'", f"of event '{event}'", report))
    panels = {panel.name: panel for panel in run(items_of(read_paths([tmp_path])))}
    assert "first recording" not in panels["growth"].summary


def test_a_limit_that_is_reached_is_told_once_and_one_kill_is_one():
    files = "memory.usage_in_bytes", "memory.max_usage_in_bytes", "memory.limit_in_bytes"
    prints = "".join(f"$ cat {name}\n268435456\n" for name in files)
    found = overview(f"{prints}$ cat memory.oom_control\noom_kill_disable 0\nunder_oom 0\noom_kill 1\n")
    assert sum("of its memory limit" in one.statement.text for one in found.statements) == 1
    assert any(text.startswith("1 OOM kill in") for text in texts(found))


def test_a_stuck_worker_pool_is_told_with_the_work_that_it_runs():
    found = overview(
        "[ 10.000001] BUG: workqueue lockup - pool cpus=2 node=0 flags=0x0 nice=0 stuck for 72s!\n"
        "[ 10.000002] workqueue events: flags=0x0\n"
        "[ 10.000003]     in-flight: 3760137:psi_avgs_work, 12:drain_all BAR(60)\n"
    )
    assert "its workers run psi_avgs_work, drain_all" in found.headline.text


def test_a_snapshot_states_no_growth_and_no_multiple_of_the_usual():
    found = overview(pastes.SLABTOP, pastes.MEMINFO_CALM, paths=[DATA / "files/machine/proc/interrupts"])
    words = " ".join(one.statement.text for one in found.statements).lower()
    assert not any(word in words for word in ("grew", "growth", "times the median", "more than usual"))


def test_the_next_capture_is_what_the_strongest_statement_lacks():
    found = overview(pastes.PERF_TOP)
    assert found.next_capture.command.startswith("perf record -a -g")
    asked = {"clause": "example", "name": "x", "title": "X", "run": "cat x"}
    suspect = FINDING | {"verdict": "suspect", "clauses": [{"role": "core"}], "next": [asked]}
    assert overview(pastes.PERF_TOP, findings=[suspect], captures=["cat x"]).next_capture.command == "cat x"


IO_WAIT = """\
top - 11:31:51 up 3 days,  2:28,  3 users,  load average: 52.60, 52.46, 49.90
Tasks: 886 total,   3 running, 882 sleeping,   0 stopped,   1 zombie
%Cpu(s):  0.1 us, 15.7 sy,  0.0 ni, 36.3 id, 46.4 wa,  0.0 hi,  1.5 si,  0.0 st
"""
CUT_LOG = "[  741.1] sd 0:0:9:0: [sdk] tag#4 Sense Key : Medium Error [current]\n[  741.100000] "
CUT_LOG += "blk_update_request: I/O error, dev sdk, sector 130611915 op 0x1:(WRITE) flags 0x8800\n"


@pytest.mark.parametrize(
    ("text", "command", "reason"),
    [
        (IO_WAIT, "iostat -xz 1 5; echo w > /proc/sysrq-trigger; dmesg", "which device is slow"),
        (CUT_LOG, "smartctl -x /dev/sdk; journalctl -k -b -o json", "what led to it"),
        (pastes.NETSTAT, "ss -s; ss -tnpmi", "which sockets"),
    ],
    ids=["waits for IO", "cut log", "drops"],
)
def test_the_next_capture_follows_from_what_was_seen_and_says_why(text, command, reason):
    found = overview(text).next_capture
    assert found.command.startswith(command)
    assert reason in found.reason


def test_an_alarm_of_the_log_is_one_of_the_resource_that_failed():
    found = overview(CUT_LOG)
    assert states(found)["io"] == states(found)["kernel-log"] == "alarm"
    assert found.headline.text.startswith("SCSI medium error: ")
    assert " on sdk: " in found.headline.text


def test_evidence_that_does_not_answer_a_question_is_partly_assessed():
    found = overview(pastes.TOP_LOAD)
    assert "io" in [one.question.name for one in found.questions if one.is_partial]


def test_what_a_shown_finding_answers_is_not_called_unassessed():
    match = FINDING | {"signature": "mm/mmap-lock-held-in-reclaim"}
    suspect = FINDING | {"signature": "net/listen-overflow", "verdict": "suspect"}
    found = overview(pastes.SLABTOP, findings=[match, suspect])
    assert states(found) | {"memory": "alarm", "locks": "alarm"} == states(found)
    assert {one.question.name for one in found.questions if one.is_partial} >= {"network"}


def test_a_hung_task_is_told_once():
    found = overview(paths=[DATA / "kernel-log/hung-task.guest.txt"])
    assert sum("blocked for more than" in one.statement.text for one in found.statements) <= 1
    places = [place for one in found.statements for place in one.statement.places]
    assert len(places) == len(set(places))


def test_at_most_three_statements_follow_the_headline():
    found = overview_document(overview(pastes.SLABTOP, pastes.TOP_LOAD, pastes.NETSTAT))
    assert found.headline.statement == 0
    assert len(found.strongest) == 3
    assert (found.statements[0] in found.strongest) == (found.headline.text != found.statements[0].text)


@pytest.mark.parametrize("hang", ["work-item-waits", "module-holds-rtnl"])
def test_a_dump_of_blocked_tasks_leads_with_what_they_wait_for(hang):
    found = overview(paths=[DATA / "recorded" / "hangs" / hang / "dmesg.txt"])
    assert found.headline.text.startswith("4 tasks wait ")
    assert states(found)["kernel-log"] == "not assessed"
    assert [one.statement.question for one in found.statements if one.statement.kind == "alarm"] == ["locks"]


def test_socket_memory_is_compared_with_its_sysctl(tmp_path):
    (tmp_path / "proc/net").mkdir(parents=True)
    (tmp_path / "proc/net/sockstat").write_text(
        "sockets: used 908\nTCP: inuse 22 orphan 0 tw 2 alloc 58 mem 379728\n"
    )
    (tmp_path / "sos_commands/kernel").mkdir(parents=True)
    (tmp_path / "sos_commands/kernel/sysctl_-a").write_text("net.ipv4.tcp_mem = 189864\t253153\t379728\n")
    found = overview(paths=[tmp_path])
    assert (
        found.headline.text
        == "TCP holds 379,728 of 379,728 pages that tcp_mem allows: the kernel drops packets"
    )


def test_a_telling_figure_leads_without_an_alarm_and_is_not_called_usual():
    found = overview(f"$ iostat -xz 1 5\n{pastes.IOSTAT_CALM}\n{pastes.IOSTAT_CALM}")
    assert found.headline.kind == "fact"
    assert found.headline.text == "Device nvme0n1 is busy 100 % of the time"
