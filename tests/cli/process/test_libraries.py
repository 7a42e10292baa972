"""Libraries of a team: named by option, environment or `casebook.toml`, and judged with the shipped one."""

from __future__ import annotations

import shutil

import pytest
from click.testing import CliRunner

from cli import main
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
def run(tmp_path, monkeypatch):
    """Analyse evidence in a folder below the temporary one."""
    monkeypatch.delenv("CASEBOOK_LIBRARIES", raising=False)
    (tmp_path / "work" / "deep").mkdir(parents=True)
    monkeypatch.chdir(tmp_path / "work" / "deep")
    return lambda *options: CliRunner().invoke(main, ["analyze", "--format", "json", *options, str(THRASH)])


def finds(result) -> bool:
    return f'"{OWN}"' in result.stdout


def test_evidence_is_judged_by_a_named_library_too(run, library):
    result = run("--library", str(library), "--fail-on", f"signature={OWN}")
    assert result.exit_code == 4
    assert finds(result)
    assert f"{SHIPPED} is judged as the team's library has it" in result.stderr
    assert not finds(run())


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


def test_a_signature_of_a_team_may_refer_to_a_shipped_one(library):
    from signatures.document.library_files import LibraryFiles

    files = LibraryFiles(library)
    assert files.other("mm/memcg-oom")["id"] == "mm/memcg-oom"
    assert files.other("mm/absent") is None
