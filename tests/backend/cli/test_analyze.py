"""`casebook analyze`: cited findings from evidence, and a sentence for every unreadable file."""

from __future__ import annotations

import gzip
import json
import os
import subprocess
import sys
from pathlib import Path

import jsonschema
import pytest
from click.testing import CliRunner

import backend.cli
from backend.cli import main

DATA = Path(__file__).parents[2] / "data"
LIBRARY = Path(backend.cli.__file__).parents[2] / "signatures" / "library"
THRASH = LIBRARY / "mm/memcg-limit-reclaim/evidence/pos-cgroup-v1-refaults"
SCHEMA = json.loads(Path(backend.cli.__file__).with_name("analyze.schema.json").read_text())


def run(*arguments, stdin=None):
    return CliRunner().invoke(main, ["analyze", *(str(one) for one in arguments)], input=stdin)


def document(*arguments, stdin=None):
    result = run("--format", "json", *arguments, stdin=stdin)
    assert result.exit_code == 0, result.output
    return json.loads(result.stdout)


@pytest.mark.parametrize(
    "path",
    [
        THRASH,
        DATA / "published" / "vanishing-cpu",
        DATA / "published" / "network-stalls",
        DATA / "published" / "new-linux-kernel",
        DATA / "sosreport",
        DATA / "kernel-log",
        DATA / "bad",
    ],
    ids=lambda path: path.name,
)
@pytest.mark.parametrize("more", [[], ["--all"]], ids=["listed", "all"])
def test_json_is_what_the_committed_schema_says(path, more):
    errors = jsonschema.Draft202012Validator(SCHEMA).iter_errors(document(path, *more))
    assert [error.message for error in errors] == []


def test_a_directory_is_walked_and_its_paths_are_captured_paths():
    result = document(THRASH)
    paths = {evidence["captured_path"] for evidence in result["evidence"]}
    assert "cg_during/memory.limit_in_bytes" in paths
    [match] = [finding for finding in result["findings"] if finding["verdict"] == "match"]
    assert match["signature"] == "mm/memcg-limit-reclaim"
    cited = {citation["evidence"] for clause in match["clauses"] for citation in clause["citations"]}
    assert cited <= paths


def test_all_shows_every_signature_and_the_default_only_what_matters():
    every = document(THRASH, "--all")["findings"]
    listed = document(THRASH)["findings"]
    assert len(every) == len(list(LIBRARY.glob("*/*/signature.yaml")))
    assert {finding["signature"] for finding in listed} < {finding["signature"] for finding in every}


def test_samples_and_sections_are_listed():
    [evidence] = document(DATA / "perf-script" / "memcg-reclaim.default.txt")["evidence"]
    [section] = evidence["sections"]
    assert (section["format"], section["first_line"]) == ("perf-script", 1)
    assert section["profiles"] == [
        {"event": "cpu-clock:ppp", "unit": "period:cpu-clock:ppp", "samples": 40, "weight": 404040400}
    ]


@pytest.mark.parametrize("pack", [lambda text: text, gzip.compress], ids=["plain", "gzip"])
def test_standard_input_is_read_compressed_or_not(pack):
    text = (DATA / "published/vanishing-cpu/perf-top.shrink_lruvec.txt").read_bytes()
    result = document("-", stdin=pack(text))
    assert [(one["name"], one["state"]) for one in result["evidence"]] == [("standard input", "read")]
    assert result["findings"][0]["verdict"] == "suspect"


def test_a_sosreport_is_read_as_its_members():
    result = document(next((DATA / "sosreport").glob("*.tar.xz")))
    facts = {
        fact["name"]
        for evidence in result["evidence"]
        for section in evidence["sections"]
        for fact in section["facts"]
    }
    assert facts >= {"kernel.release", "boot.cmdline", "meminfo.memtotal_bytes", "memcg.events.oom_kill"}


def test_not_matched_findings_are_omitted_from_json():
    findings = document(DATA / "sosreport")["findings"]
    assert {finding["verdict"] for finding in findings} <= {"match", "suspect", "unknown"}


def test_text_names_verdict_conditions_and_lines():
    result = run(DATA / "published" / "vanishing-cpu")
    assert result.exit_code == 0
    assert "MATCH     mm/shrink-lruvec-livelock" in result.stdout
    assert "perf-top.shrink_lruvec.txt:4" in result.stdout
    assert "Collect next" in result.stdout
    assert "skipped once, first at line 1: begin not seen" in result.stdout
    assert "\x1b[" not in result.stdout


def test_values_are_words_a_person_reads():
    result = run(DATA / "published" / "vanishing-cpu").stdout
    assert "[no_progress]: 0.00293 % (threshold 0.1 %)" in result
    assert "! MGLRU is on [rival_mglru]: yes" in result
    assert (
        "; not ruled out: The time goes into TLB shootdowns; The lock is the page allocator's zone lock"
        in result
    )
    assert "every distinguishing condition is met, and no alternative is open." in result
    for raw in ("True", "threshold seen", " - absent", "e-05"):
        assert raw not in result


def test_fixes_have_risk_undo_and_verification():
    result = run(DATA / "published" / "vanishing-cpu").stdout
    now, _, later = result.partition("MATCH     mm/shrink-lruvec-livelock")[2].partition("Needs planning")
    assert "Do this now:" in now
    for words in ("kubectl delete pod $POD", "risk: ", "undo: irreversible", "it worked when: "):
        assert words in now
    assert "never when: this host is already livelocked" in later


def test_a_conditionally_unsafe_step_is_never_an_immediate_action():
    result = run(DATA / "published" / "vanishing-cpu").stdout
    assert "Enable MGLRU" in result
    assert "echo y > /sys/kernel/mm/lru_gen/enabled" not in result


def test_captures_come_with_cost_and_needs():
    result = run(DATA / "published" / "new-linux-kernel").stdout
    assert "1. Kernel stacks of all CPUs for 10 seconds (cost: about 1 % CPU" in result
    assert "needs root, the host's pid namespace)" in result


def test_all_of_a_report_without_findings_lists_files_open_questions_and_captures(tmp_path):
    (tmp_path / "status").write_text("Name:\tbackup\nVmRSS:\t  104 kB\n")
    result = run("--all", tmp_path)
    assert result.exit_code == 0
    assert "read      status: proc-status" in result.stdout
    judged = len(list(LIBRARY.glob("*/*/signature.yaml")))
    assert f"No signature matches; {judged} signatures were evaluated." in result.stdout
    assert "mm/shrink-lruvec-livelock  Kernel time goes into LRU scanning" in result.stdout
    assert "Collect next" in result.stdout
    assert document(tmp_path)["next_captures"]


@pytest.mark.parametrize(
    "path", ["kernel-log/hung-task.guest.txt", "bad", "sar", "perf-lock/contention.callers.txt"]
)
def test_without_a_match_twelve_lines_say_what_is_known_in_every_shape(path):
    lines = run(DATA / path).stdout.splitlines()
    assert len(lines) <= 12
    overview = document(DATA / path)["overview"]
    headline = overview["headline"]["text"]
    assert lines[0].startswith(headline)
    reason = f" ({overview['next_capture_reason']})" if overview["next_capture_reason"] else ""
    assert [line for line in lines if line.startswith("Next")] == [
        f"Next{reason}: {overview['next_capture']}"
    ]
    for shape in ("markdown", "chat"):
        text = run("--format", shape, DATA / path).stdout
        for words in (headline, lines[1], overview["next_capture"]):
            assert words in text, (shape, words)
        for statement in overview["statements"][:3]:
            assert statement["text"] in text


def test_a_chat_message_has_no_table_and_no_heading():
    text = run("--format", "chat", DATA / "published" / "vanishing-cpu").stdout
    assert text.startswith("**Match")
    assert not any(line.startswith(("#", "|", "```")) for line in text.splitlines())
    assert "Do this now: " in text


def test_a_risky_capture_states_its_contraindication(tmp_path):
    (tmp_path / "status").write_text("Name:\tbackup\nVmRSS:\t  104 kB\n")
    assert "unsafe if: mm/mmap-lock-held-in-reclaim" in run("--all", tmp_path).stdout
    (capture,) = document(tmp_path)["next_captures"]
    never = ["mm/mmap-lock-held-in-reclaim", "mm/mmap-lock-contention"]
    assert (capture["name"], capture["unsafe_if"]) == ("resident_pairs", never)


def test_a_quiet_sosreport_shows_its_one_oom_kill_and_the_near_misses():
    result = run(next((DATA / "sosreport").glob("*.tar.xz"))).stdout
    assert [line.split()[1] for line in result.splitlines() if line.startswith("MATCH")] == ["mm/memcg-oom"]
    assert "SUSPECT" not in result
    assert "(threshold 20 %)" in result.partition("Closest non-matches")[2]


def test_many_files_are_summed_up_and_all_lists_them():
    short, long = run(THRASH.parent).stdout, run(THRASH.parent, "--all").stdout
    assert "cgroup-memory-stat" in short.split("\n\n")[1]
    assert "--all lists every file" in short
    assert "cg_during/memory.limit_in_bytes: cgroup-memory-value" in long
    assert len(long.splitlines()) > len(short.splitlines())


def test_a_name_cannot_send_commands_to_the_terminal(tmp_path):
    (tmp_path / "a\x1b[2Jb\n.txt").write_text("hello\n")
    for shape in ("text", "markdown", "json"):
        assert "\x1b" not in run(tmp_path, "--format", shape).stdout
    assert "a\\x1b[2Jb\\x0a.txt" in run(tmp_path).stdout


def test_a_name_that_is_no_utf8_keeps_the_json_readable(tmp_path):
    (tmp_path / os.fsdecode(b"a\xff.txt")).write_text("hello\n")
    command = [sys.executable, "-m", "backend.cli", "analyze", str(tmp_path), "--format"]
    result = subprocess.run([*command, "json"], capture_output=True, check=True).stdout
    assert json.loads(result.decode("utf-8"))["evidence"][0]["state"] == "read"
    assert b"a\\xff.txt" in subprocess.run([*command, "text"], capture_output=True, check=True).stdout


def test_markdown_is_a_table_to_paste_with_what_to_do():
    result = run("--format", "markdown", DATA / "published" / "vanishing-cpu").stdout
    assert result.startswith("## Match: ")
    rows = [line for line in result.splitlines() if line.startswith("| ")]
    assert rows[0] == "| condition | state | observed | threshold | where |"
    assert {row.replace("\\|", "").count("|") for row in rows} == {6}
    for words in (
        "**Do this now**",
        "**Careful:** ",
        "## Collect next",
        "```sh",
        "`perf-top.shrink_lruvec.txt:4`",
    ):
        assert words in result
    assert result.count("```") % 2 == 0


def test_markdown_says_what_was_rejected():
    result = run("--format", "markdown", DATA / "bad")
    assert "- rejected `empty.txt`: the file is empty" in result.stdout


@pytest.mark.parametrize(
    ("name", "sentence"),
    [
        ("empty.txt", "the file is empty"),
        ("junk.bin", "binary data"),
        ("truncated.txt.gz", "gzip stream ends early after 25,638 decoded bytes"),
        ("perf.script", "this is a JPEG picture"),
        ("perf.data", "this is a binary perf.data file: run `perf script"),
        ("escaping.tar", "every path leaves the archive: '../../etc/cron.d/x'"),
    ],
)
def test_an_unreadable_file_is_reported_with_exit_3(name, sentence):
    result = run(DATA / "bad" / name)
    assert result.exit_code == 3
    assert f"rejected  {name}: " in result.stdout
    assert sentence in result.stdout


def test_other_files_are_read_beside_a_bad_one():
    result = document(DATA / "bad" / "empty.txt", DATA / "published/vanishing-cpu/perf-top.shrink_lruvec.txt")
    assert [one["state"] for one in result["evidence"]] == ["rejected", "read"]
    assert result["findings"]


def test_a_file_without_read_permission_is_reported_and_the_rest_is_read(tmp_path):
    (tmp_path / "locked.txt").write_text("x")
    (tmp_path / "locked.txt").chmod(0)
    (tmp_path / "uptime.txt").write_text("hello\n")
    command = [sys.executable, "-m", "backend.cli", "analyze", str(tmp_path)]
    if os.geteuid() == 0:
        command = ["setpriv", "--bounding-set=-all", "--inh-caps=-all", *command]
    result = subprocess.run(command, capture_output=True, text=True, check=False)
    assert result.returncode == 0
    assert "rejected  locked.txt: cannot be opened: Permission denied" in result.stdout
    assert "Read 1 file: uptime.txt: text" in result.stdout


def test_an_empty_directory_has_no_readable_file(tmp_path):
    result = run(tmp_path)
    assert result.exit_code == 3
    assert "There is no file to read in it." in result.stdout


def test_a_device_without_an_end_is_a_usage_error():
    result = run("/dev/zero")
    assert result.exit_code == 2
    assert "'/dev/zero' is a device, not a file" in result.stderr


@pytest.mark.parametrize(
    ("redirection", "status", "sentence"),
    [
        (">/dev/full", 1, "the output cannot be written: No space left on device"),
        (">&-", 0, ""),
        ("<&-", 2, "standard input is closed"),
    ],
)
def test_closed_and_full_output_streams_are_reported(redirection, status, sentence):
    path = "-" if redirection == "<&-" else str(DATA / "published" / "new-linux-kernel")
    script = f'"$@" {redirection}'
    command = [sys.executable, "-m", "backend.cli", "analyze", path]
    result = subprocess.run(["sh", "-c", script, "sh", *command], capture_output=True, text=True, check=False)
    assert result.returncode == status
    assert sentence in result.stderr
    assert "Traceback" not in result.stderr


def test_a_missing_path_is_a_usage_error():
    result = run("no-such-file")
    assert result.exit_code == 2
    assert "'no-such-file' does not exist" in result.stderr


def test_a_closed_pipe_is_no_error():
    command = [sys.executable, "-m", "backend.cli", "analyze", str(THRASH), "--all", "--format", "json"]
    result = subprocess.run(
        ["sh", "-c", '"$@" | head -n 1; exit 0', "sh", *command], capture_output=True, text=True, check=False
    )
    assert result.stdout == "{\n"
    assert "Traceback" not in result.stderr
    assert "BrokenPipe" not in result.stderr
