"""Libraries of a team: named by option, environment or `casebook.toml`, and judged with the shipped one."""

from __future__ import annotations

import json
import re
import shutil

import pytest
from click.testing import CliRunner

from cli import main
from signatures.document.catalog import digest_of_folder
from tests.cli.analyze_run import LIBRARY, THRASH

SHIPPED = "mm/memcg-limit-reclaim"
OWN = "mm/our-limit"


@pytest.fixture
def library(tmp_path):
    """A library with a signature of its own and one that is shipped too."""
    root = tmp_path / "team"
    for signature in (SHIPPED, OWN):
        shutil.copytree(
            LIBRARY / SHIPPED, root / signature, ignore=lambda _, names: {*names} & {"evidence", "story.md"}
        )
    path = root / OWN / "signature.yaml"
    path.write_text(path.read_text().replace(f"id: {SHIPPED}", f"id: {OWN}", 1))
    return root


@pytest.fixture
def work(tmp_path, monkeypatch):
    """Work in a folder below the temporary one."""
    monkeypatch.delenv("CASEBOOK_LIBRARIES", raising=False)
    (tmp_path / "work" / "deep").mkdir(parents=True)
    monkeypatch.chdir(tmp_path / "work" / "deep")


@pytest.fixture
def run(work):  # noqa: ARG001 - the place
    """Analyse evidence there."""
    return lambda *options: CliRunner().invoke(main, ["analyze", "--format", "json", *options, str(THRASH)])


@pytest.fixture
def signature(work):  # noqa: ARG001 - the place
    """Run a subcommand of `casebook signature` there."""
    return lambda *words: CliRunner().invoke(main, ["signature", *map(str, words)])


def finds(result) -> bool:
    return f'"{OWN}"' in result.stdout


def test_evidence_is_judged_by_a_named_library_too(run, library):
    result = run("--library", str(library), "--fail-on", f"signature={OWN}")
    assert result.exit_code == 4
    assert finds(result)
    assert f"{SHIPPED} is judged as the team's library has it" in result.stderr
    assert not finds(run())


def test_a_finding_names_the_library_with_the_digest_of_its_files(run, library):
    result = run("--library", str(library))
    found = [one for one in json.loads(result.stdout)["findings"] if one["kind"] == "signature"]
    named = {one["signature"]: one.get("library", "") for one in found}
    assert named[OWN] == named[SHIPPED] == f"team@{digest_of_folder(library)[:12]}"
    for shape in ("text", "markdown"):
        shown = CliRunner().invoke(
            main, ["analyze", "--format", shape, "--library", str(library), str(THRASH)]
        )
        assert f"{OWN} ({named[OWN]})" in shown.output
    path = library / OWN / "signature.yaml"
    path.write_text(path.read_text() + "# changed")
    assert named[OWN] not in run("--library", str(library)).stdout


def test_the_environment_names_libraries(run, library, tmp_path, monkeypatch):
    monkeypatch.setenv("CASEBOOK_LIBRARIES", str(library))
    assert finds(run())
    (tmp_path / "casebook.toml").write_text('libraries = ["team"]\n')
    monkeypatch.setenv("CASEBOOK_LIBRARIES", "")
    assert not finds(run())


def test_the_nearest_file_names_libraries_beside_it(run, library, tmp_path):
    (tmp_path / "casebook.toml").write_text('libraries = ["team"]\n')
    result = run()
    assert finds(result)
    assert str(library) in result.stderr
    (tmp_path / "work" / "casebook.toml").write_text("libraries = []\n")
    assert not finds(run())


@pytest.mark.parametrize(
    ("text", "remedy"),
    [
        ('library = ["team"]', "'library'"),
        ('libraries = "team"', 'libraries = ["signatures"]'),
        ('libraries = ["absent"]', "absent"),
        ('libraries = ["work"]', "signature.yaml"),
        ("libraries = [", "cannot be read"),
        ("\x00", "cannot be read"),
    ],
)
def test_a_file_that_names_no_library_is_refused_with_the_reason(run, tmp_path, text, remedy):
    (tmp_path / "casebook.toml").write_text(text)
    result = run()
    assert result.exit_code == 2
    assert remedy in result.stderr


@pytest.mark.parametrize(
    "words",
    [("list",), ("show", OWN), ("explain", OWN, THRASH), ("coverage", OWN), ("export", OWN, "--to", "probe")],
)
def test_every_command_about_signatures_knows_those_of_a_team(signature, library, words, tmp_path):
    command, *rest = words
    named = signature(command, "--library", library, *rest)
    assert named.exit_code == 0, named.output
    assert OWN in named.stdout
    (tmp_path / "casebook.toml").write_text('libraries = ["team"]\n')
    assert signature(*words).stdout == named.stdout


def test_a_library_may_be_named_before_the_subcommand(signature, library):
    assert OWN in signature("--library", library, "show", OWN).stdout


def test_files_of_a_team_are_checked_without_those_of_casebook(signature, library, tmp_path):
    path = library / OWN / "signature.yaml"
    path.write_text(path.read_text().replace("weight: ", "weigth: ", 1))
    (tmp_path / "casebook.toml").write_text('libraries = ["team"]\n')
    result = signature("lint")
    assert result.exit_code == 4
    assert re.fullmatch(
        rf"{OWN}/signature\.yaml:\d+: .*weigth.*\nsignatures: 1, problems: 1\n", result.stdout
    )


def test_a_signature_is_written_to_the_library_of_the_team(signature, library, tmp_path):
    (tmp_path / "casebook.toml").write_text('libraries = ["team"]\n')
    assert signature("new", "mm/second", "--from", THRASH).exit_code == 0
    assert (library / "mm/second/signature.yaml").exists()
    (tmp_path / "casebook.toml").write_text('libraries = ["team", "other"]\n')
    result = signature("new", "mm/third", "--from", THRASH)
    assert result.exit_code == 2
    assert "name with --library one of" in result.stderr


def test_a_signature_of_a_team_may_refer_to_a_shipped_one(library):
    from signatures.document.library_files import LibraryFiles

    files = LibraryFiles(library)
    assert files.other("mm/memcg-oom")["id"] == "mm/memcg-oom"
    assert files.other("mm/absent") is None
