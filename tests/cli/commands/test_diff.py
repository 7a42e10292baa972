"""`casebook diff`: compare the CPU time of two builds, for people and for CI."""

from __future__ import annotations

import json
import re
import shutil
from pathlib import Path
from xml.etree import ElementTree as ET

import pytest
from click.testing import CliRunner

from cli import main
from ingest.model.zstd import zstd
from tests.cli.builds import AGAIN, BASE, BUILDS, SLOWER, WORK
from tests.cli.reports.test_ci import junit_of, sarif_of
from tests.cli.reports.test_report_shapes import schema_of

OOM = Path(__file__).parents[3] / "signatures/library/mm/memcg-oom/evidence/pos-two-victims/dmesg.oom.txt"
DATA = Path(__file__).parents[2] / "data" / "perf-script"
HEALTHY = DATA / "healthy-database.fields_full.txt.gz"
RECLAIM = DATA / "memcg-reclaim.default.txt"
EVENTS = DATA / "memcg-reclaim.tracepoints_vmscan.txt"


def run(*arguments, **options):
    return CliRunner().invoke(main, ["diff", *(str(one) for one in arguments)], **options)


def compared(base, new, *options):
    return run("--base", *base, "--new", *new, "--work", WORK, *options)


@pytest.fixture(scope="module")
def slower():
    """The JSON report on the slower build."""
    return json.loads(compared(BASE, SLOWER, "--format", "json").stdout)


def test_a_build_in_which_everything_is_half_as_slow_again_fails():
    result = compared(BASE, SLOWER)
    assert result.exit_code == 4, result.output
    assert result.stdout.startswith("Fail: CPU time +")


def test_the_same_build_again_passes():
    result = compared(BASE, AGAIN)
    assert result.exit_code == 0, result.output
    assert "no significant growth" in result.stdout


def test_the_first_line_of_a_pass_states_what_is_excluded():
    first = compared(BASE, AGAIN, "--function", "parse_rows").stdout.splitlines()[0]
    assert re.search(r"totals from \+[\d.]+ %, user\.parse_rows from \+[\d.]+ %$", first)
    of_all = compared(BASE, AGAIN).stdout.splitlines()[0]
    assert re.search(r"functions of 5 % and more from \+[\d.]+ %$", of_all)


def test_an_unknown_function_is_a_usage_error_with_similar_ones():
    result = compared(BASE, AGAIN, "--function", "user.parse_row")
    assert (result.exit_code, "user.parse_rows" in result.stderr) == (2, True)


def test_everything_slower_names_no_caller_of_everything():
    first = compared(BASE, SLOWER).stdout.splitlines()[0]
    assert "__libc_start_call_main" not in first
    assert "user.main" not in first


def test_the_picture_is_svg_with_every_total_and_escaped_names(tmp_path):
    folder = tmp_path / "runs"
    folder.mkdir()
    for path in map(Path, (*BASE, *SLOWER)):
        text = _text(path).replace("parse_rows", "a<b>&c")
        (folder / path.name.removesuffix(".zst")).write_text(text)
    picture = tmp_path / "growth.svg"
    sides = ("--base", f"{folder}/base-*", "--new", f"{folder}/slower-*")
    assert run(*sides, "-o", picture).exit_code == 4
    root = ET.fromstring(picture.read_text())  # noqa: S314 - our own file
    words = "".join(root.itertext())
    assert {"CPU time", "user.a<b>&c"} <= set(root.itertext())
    assert "prefers-color-scheme: dark" in words
    assert root.find("{*}title").text.startswith("Fail: CPU time +")
    assert len(root.findall(".//{*}circle")) > 5


def test_a_faster_build_passes():
    assert compared(SLOWER, AGAIN).exit_code == 0


def test_the_growth_is_that_of_the_load_and_in_its_interval(slower):
    (cpu,) = [one for one in slower["totals"] if one["name"] == "cpu"]
    assert cpu["growth"] == pytest.approx(0.5, abs=0.05)
    assert cpu["low"] < 0.5 < cpu["high"]
    assert cpu["is_significant"]


def test_shares_of_everything_slower_are_those_of_the_base(slower):
    large = [one for one in slower["functions"] if one["base_share"] > 0.1]
    assert len(large) > 3
    assert [one["new_share"] for one in large] == pytest.approx(
        [one["base_share"] for one in large], rel=0.15
    )


def test_json_is_what_its_schema_says(slower):
    schema_of("diff").validate(slower)
    assert (slower["status"], slower["method"], len(slower["base"])) == ("fail", "maxT", 6)


def test_the_time_of_a_unit_of_work_is_shown():
    document = json.loads(compared(BASE, AGAIN, "--format", "json").stdout)
    per_run = json.loads(run("--base", *BASE, "--new", *AGAIN, "--format", "json").stdout)
    assert document["totals"][0]["base"] * int(WORK) == pytest.approx(per_run["totals"][0]["base"])
    assert (document["per"], per_run["per"]) == ("unit of work", "run")


def test_a_kernel_of_another_version_is_not_comparable_unless_allowed(tmp_path):
    others = []
    for path in map(Path, AGAIN):
        text = _text(path).replace("# os release : 6.18", "# os release : 6.19")
        others.append(tmp_path / path.name.removesuffix(".zst"))
        others[-1].write_text(text)
    result = compared(BASE, others)
    assert result.exit_code == 8
    assert "Not comparable: different kernels: 6.18" in result.stdout
    assert compared(BASE, others, "--allow", "kernel").exit_code == 0


def test_one_recording_against_one_is_inconclusive_and_states_the_runs_needed():
    result = run(BASE[0], SLOWER[0])
    assert result.exit_code == 9
    assert "runs find a growth of" in result.stdout.splitlines()[0]
    assert "user.parse_rows" in result.stdout
    assert run(BASE[0], SLOWER[0], "--inconclusive", "pass").exit_code == 0


def test_runs_of_one_build_after_those_of_the_other_are_not_comparable():
    every = sorted([*BASE, *AGAIN], key=_started_at)
    result = compared(every[:6], every[6:])
    assert (result.exit_code, "not interleaved" in result.stdout) == (8, True)


def test_only_named_functions_are_tested():
    document = json.loads(compared(BASE, SLOWER, "--function", r"user\.parse_.*", "--format", "json").stdout)
    assert {one["name"] for one in document["functions"]} == {"user.parse_rows", "user.parse_field"}


def test_a_selection_of_samples_leaves_counters_out():
    document = json.loads(compared(BASE, SLOWER, "--focus", "parse_rows", "--format", "json").stdout)
    assert [one["name"] for one in document["totals"]] == ["cpu"]
    assert document["status"] == "fail"


def test_counters_beside_a_recording_belong_to_its_run(tmp_path):
    for path in BUILDS.iterdir():
        if path.name.startswith(("base-", "slower-")):
            shutil.copy(path, tmp_path)
    result = run("--base", f"{tmp_path}/base-*", "--new", f"{tmp_path}/slower-*", "--format", "json")
    totals = {one["name"]: one for one in json.loads(result.stdout)["totals"]}
    assert set(totals) == {"cpu", "task-clock"}
    assert totals["task-clock"]["growth"] == pytest.approx(totals["cpu"]["growth"], abs=0.03)


def test_counters_beside_a_recording_that_is_named_alone_belong_to_its_run(tmp_path):
    for path in BUILDS.iterdir():
        if path.name.startswith(("base-", "slower-")):
            shutil.copy(path, tmp_path)
    sides = ("--base", f"{tmp_path}/base-*.zst", "--new", *sorted(tmp_path.glob("slower-*.zst")))
    totals = json.loads(run(*sides, "--format", "json").stdout)["totals"]
    assert [one["name"] for one in totals] == ["cpu", "task-clock"]


def test_directories_of_runs_are_runs(tmp_path):
    for side, paths in (("base", BASE), ("new", SLOWER)):
        for number, path in enumerate(paths):
            folder = tmp_path / side / f"run-{number}"
            folder.mkdir(parents=True)
            shutil.copy(path, folder / "perf.script.zst")
    result = run(tmp_path / "base", tmp_path / "new", "--work", WORK)
    assert result.exit_code == 4
    assert "Base: 6 runs" in result.stdout


def test_work_is_read_from_a_file_of_each_run(tmp_path):
    served = (Path(__file__).parents[2] / "data/wrk").glob("*.txt")
    wrk = next(path for path in sorted(served) if "requests in" in path.read_text())
    for path in map(Path, (*BASE, *SLOWER)):
        shutil.copy(path, tmp_path)
        shutil.copy(wrk, tmp_path / path.name.replace(".script.zst", ".wrk"))
    sides = ("--base", f"{tmp_path}/base-*", "--new", f"{tmp_path}/slower-*")
    assert run(*sides, "--work", "http.requests").exit_code == 4
    missing = run(*sides, "--work", "fio.requests")
    assert (missing.exit_code, "has none of this fact" in missing.stderr) == (2, True)


def test_junit_has_a_case_for_every_total_and_one_for_functions(tmp_path):
    output = tmp_path / "growth.xml"
    result = compared(BASE, SLOWER, "-o", output)
    suite = ET.fromstring(output.read_text())  # noqa: S314 - our own
    assert (result.exit_code, result.stdout) == (4, "")
    assert (suite.get("tests"), suite.get("failures"), suite.get("errors")) == ("3", "3", "0")
    undecided = ET.fromstring(run(BASE[0], AGAIN[0], "--format", "junit").stdout)  # noqa: S314 - our own
    assert (undecided.get("failures"), undecided.get("errors")) == ("0", "2")


def test_sarif_points_at_the_line_where_the_function_is_first_seen():
    document = json.loads(compared(BASE, SLOWER, "--format", "sarif").stdout)
    results = document["runs"][0]["results"]
    assert {one["ruleId"] for one in results} == {"total-growth", "function-growth"}
    function = next(one for one in results if one["ruleId"] == "function-growth")
    (place,) = function["locations"]
    assert all(BASE[0] in one["message"]["text"] for one in results)
    name = place["logicalLocations"][0]["fullyQualifiedName"].partition(".")[2]
    line = _text(Path(SLOWER[0])).splitlines()[place["physicalLocation"]["region"]["startLine"] - 1]
    assert name in line


def test_markdown_begins_with_the_verdict():
    assert compared(BASE, AGAIN, "--format", "markdown").stdout.startswith("## ✅ Pass")
    assert compared(BASE, SLOWER, "--format", "markdown").stdout.startswith("## ❌ Fail")


def test_standard_input_is_one_of_them():
    result = run("-", RECLAIM, input=HEALTHY.read_bytes())
    assert result.exit_code == 8, result.output
    assert run("-", "-").exit_code == 2


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        ((HEALTHY,), "name runs of both builds"),
        ((RECLAIM, RECLAIM), "is the same recording as"),
        ((RECLAIM, EVENTS), "choose one with --event"),
        ((HEALTHY, RECLAIM, "--focus", "/lru(/"), "no regular expression"),
        ((HEALTHY, RECLAIM, "--function", "lru("), "no regular expression"),
        ((HEALTHY, RECLAIM, "--min-growth", "much"), "write 2%"),
        ((HEALTHY, RECLAIM, "--work", "0"), "has 0 units of work"),
        ((HEALTHY, "nothing-*.script"), "no file is called"),
    ],
)
def test_a_wrong_argument_is_reported_with_the_reason(arguments, sentence):
    result = run(*arguments)
    assert (result.exit_code, sentence in result.stderr) == (2, True), result.output


def test_a_recording_without_stacks_is_an_error(tmp_path):
    nothing = tmp_path / "notes.txt"
    nothing.write_text("nothing to see\n")
    assert run(RECLAIM, nothing).exit_code == 3
    assert run(HEALTHY, RECLAIM, "--focus", "nobody_calls_this").exit_code == 3


def _text(path: Path) -> str:
    return zstd.decompress(path.read_bytes()).decode()


def _started_at(path: str) -> float:
    for line in _text(Path(path)).splitlines():
        if line.startswith("# time of first sample"):
            return float(line.rpartition(":")[2])
    raise AssertionError(path)


DEGRADED = "[  100.000000] md/raid1:md0: active with 1 out of 2 mirrors\n"
FAILED = DEGRADED + "[  101.000000] md/raid:md0: Cannot continue operation (2/4 failed).\n"


@pytest.mark.parametrize(
    ("base", "new", "words"),
    [
        ("", DEGRADED, "new: alarm/md_degraded"),
        (DEGRADED, FAILED, "new: alarm/md_array_failed"),
        (FAILED, FAILED, ""),
        (FAILED, "", ""),
    ],
    ids=["new", "another alarm", "as before", "gone"],
)
def test_what_is_new_meets_a_policy_and_what_the_base_has_does_not(base, new, words, tmp_path):
    for name, log in (("base", base), ("new", new)):
        (tmp_path / name).mkdir()
        shutil.copy(RECLAIM if name == "base" else HEALTHY, tmp_path / name)
        (tmp_path / name / "dmesg.txt").write_text(log or "[    1.000000] Linux version 6.1.0\n")
    options = (
        "--inconclusive",
        "pass",
        *(f"--allow={kind}" for kind in ("kernel", "host", "cpus", "duration")),
    )
    result = run(tmp_path / "base", tmp_path / "new", *options, "--fail-on", "alarm=md_*")
    assert (result.exit_code == 4) is bool(words), result.output
    assert (words or "nothing new or worse") in result.stderr


def test_every_report_fails_for_a_new_oom_first_although_the_costs_pass(tmp_path):
    for path in map(Path, (*BASE, *AGAIN)):
        shutil.copy(path, tmp_path)
    shutil.copy(OOM, tmp_path / "again-3.dmesg.txt")
    names = (
        "report.txt",
        "report.md",
        "report.json",
        "report.xml",
        "report.sarif",
        "annotations",
        "codequality",
    )
    outputs = [
        word
        for name in names
        for word in ("-o", f"{name}:{tmp_path / name}" if "." not in name else tmp_path / name)
    ]
    result = run(
        *("--base", f"{tmp_path}/base-*", "--new", f"{tmp_path}/again-*", "--work", WORK),
        *("--event", "cpu-clock", "--fail-on", "default", *outputs),
    )
    assert result.exit_code == 4, result.output
    text, markdown, document, junit, sarif, commands, quality = (
        (tmp_path / name).read_text() for name in names
    )
    first = "Fail: new: mm/memcg-oom; no significant growth"
    assert text.startswith(first)
    assert markdown.startswith(f"## ❌ {first}")
    report = json.loads(document)
    schema_of("diff").validate(report)
    assert report["status"] == "fail"
    assert [one["signature"] for gate in report["fail_on"] for one in gate["met_by"]] == ["mm/memcg-oom"]
    case = junit_of(junit).find("testcase")
    assert (case.get("name"), "mm/memcg-oom" in case.find("failure").get("message")) == ("default", True)
    (found,) = sarif_of(sarif)["results"]
    assert found["ruleId"] == "mm/memcg-oom"
    assert found["locations"][0]["physicalLocation"]["artifactLocation"]["uri"].endswith("again-3.dmesg.txt")
    assert commands.startswith("::error title=mm/memcg-oom::")
    assert "::notice" not in commands
    assert [one["check_name"] for one in json.loads(quality)] == ["mm/memcg-oom"]


def test_a_policy_needs_runs_of_the_base(tmp_path):
    result = run("--new", HEALTHY, "--baseline", tmp_path, "--fail-on", "default")
    assert result.exit_code == 2
    assert "--base" in result.stderr
