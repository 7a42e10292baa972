"""`casebook baseline`: points in a directory, their trend, and builds compared with them."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest
from click.testing import CliRunner

from cli import main
from tests.cli.builds import AGAIN, BASE, SLOWER, WORK

NAMES = ("--project", "db/proxy", "--work", WORK)


def run(*words, **options):
    return CliRunner().invoke(main, [str(word) for word in words], **options)


def add(directory, number, *runs):
    at = f"2026-11-{number:02}T12:00:00"
    return run("baseline", "add", *runs, "--in", directory, *NAMES, "--at", at, "--commit", f"c{number:02}")


@pytest.fixture(scope="module")
def stored(tmp_path_factory) -> Path:
    """Ten points of one run each, of the same build."""
    directory = tmp_path_factory.mktemp("baselines")
    for number, path in enumerate([*BASE, *AGAIN[:4]], start=1):
        result = add(directory, number, path)
        assert result.exit_code == 0, result.output
    return directory


@pytest.fixture(scope="module")
def regressed(stored, tmp_path_factory) -> Path:
    """The same, and four points of the slower build."""
    directory = tmp_path_factory.mktemp("regressed") / "baselines"
    shutil.copytree(stored, directory)
    for number, path in enumerate(SLOWER[:4], start=11):
        assert add(directory, number, path).exit_code == 0
    return directory


def test_points_of_one_project_machine_and_kernel_are_a_series(stored):
    (series,) = json.loads(run("baseline", "list", "--in", stored, "--json").output)
    assert (series["project"], series["benchmark"], series["points"]) == ("db/proxy", "default", 10)
    assert series["kernel"]
    assert " x " in series["machine"]
    (line,) = run("baseline", "list", "--in", stored).output.splitlines()
    assert line.startswith(
        f"db/proxy · default · {series['machine']} · {series['kernel']}: 10 points, latest "
    )


def test_the_trend_shows_where_the_build_became_slower(regressed):
    document = json.loads(run("baseline", "show", "--in", regressed, "--json").output)
    (change,) = document["changes"]
    assert (change["at"], document["points"][10]["commit"]) == (10, "c11")
    assert change["growth"] == pytest.approx(0.5, abs=0.1)
    assert all(Path(path).is_file() for point in document["points"] for path in point["recordings"])
    rows = run("baseline", "show", "--in", regressed).output.splitlines()
    assert [row.split()[1] for row in rows if " change +" in row] == ["c11"]


def test_the_trend_of_one_function_is_that_of_its_time(regressed):
    one, everything = (
        json.loads(run("baseline", "show", "--in", regressed, "--json", *words).output)["points"]
        for words in (["--function", "user.parse_rows"], [])
    )
    assert all(0 < part["value"] < whole["value"] for part, whole in zip(one, everything, strict=True))


def test_a_series_without_a_change_has_no_change_point(stored):
    assert json.loads(run("baseline", "show", "--in", stored, "--json").output)["changes"] == []


FORMS = ("text", "markdown", "json", "sarif", "junit", "annotations", "codequality", "svg")


def test_a_slower_build_fails_against_the_baseline_alone_and_every_report_names_it(stored, tmp_path):
    outputs = [word for form in FORMS for word in ("-o", f"{form}:{tmp_path / form}")]
    result = run("diff", "--new", *SLOWER, "--baseline", stored, *NAMES, *outputs)
    assert result.exit_code == 4, result.output
    reports = {form: (tmp_path / form).read_text() for form in FORMS}
    assert reports["text"].startswith("Fail: CPU time +")
    ends = "c01 (2026-11-01 12:00 UTC) to c10 (2026-11-10 12:00 UTC)"
    assert [form for form, report in reports.items() if form != "json" and ends not in report] == []
    baseline = json.loads(reports["json"])["baseline"]
    assert (baseline["place"], baseline["is_base"], baseline["failure"]) == (str(stored), True, "")
    assert [one["commit"] for one in baseline["points"]] == [f"c{number:02}" for number in range(1, 11)]


def test_the_same_build_does_not_fail_against_the_baseline_alone(stored):
    result = run("diff", "--new", *AGAIN[4:], "--baseline", stored, *NAMES)
    assert result.exit_code in {0, 9}, result.output


def test_fewer_than_ten_points_are_inconclusive(tmp_path):
    assert add(tmp_path, 1, *BASE[:2]).exit_code == 0
    result = run("diff", "--new", *SLOWER, "--baseline", tmp_path, *NAMES)
    assert (result.exit_code, "fewer than 10 points" in result.output) == (9, True)


def test_a_recording_is_stored_once(tmp_path):
    assert add(tmp_path, 1, BASE[0]).exit_code == 0
    again = add(tmp_path, 2, BASE[0])
    assert (again.exit_code, "is in the baseline" in again.output) == (3, True)


def test_units_of_work_cannot_change_inside_a_series(tmp_path):
    add(tmp_path, 1, *BASE[:2])
    result = run("diff", "--new", *SLOWER, "--baseline", tmp_path, "--project", "db/proxy")
    assert (result.exit_code, "use the same --work" in result.output) == (3, True)


def test_a_damaged_point_is_named(tmp_path):
    add(tmp_path, 1, BASE[0])
    (point,) = tmp_path.rglob("point.json")
    point.write_text("{}")
    result = run("baseline", "list", "--in", tmp_path)
    assert (result.exit_code, str(point) in result.output) == (3, True)


def test_an_interrupted_command_leaves_no_point(tmp_path):
    add(tmp_path, 1, BASE[0])
    (folder,) = (path.parent for path in tmp_path.rglob("point.json"))
    (folder.parent / ".adding-x").mkdir()
    assert run("baseline", "list", "--in", tmp_path).output.count("1 point,") == 1


@pytest.mark.parametrize("words", [["list"], ["show"], ["add", BASE[0] if BASE else "x", "--project", "p"]])
def test_without_a_directory_it_says_which_option_names_one(words):
    result = run("baseline", *words, env={"CASEBOOK_BASELINES": None})
    assert (result.exit_code, "--in" in result.output) == (2, True)
