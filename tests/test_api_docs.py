"""The commands of `docs/api.md` and of the pages by task, run as they are written, at a live instance."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from backend.accounts import service as accounts
from backend.client import Client
from tests.backend.applications import create_app
from tests.backend.conftest import serving
from tests.cli.builds import BUILDS
from tests.cli.command_template import forked_commands
from tests.cli.recorded import HEALTHY, RECLAIM, ROOT
from tests.long_form import IS_LONG

if TYPE_CHECKING:
    from collections.abc import Iterator

API = "api"
TASKS = ("on-call", "integrating")
# Each command of the operator costs seconds of CPU.
LONG = ("support", "curating", "operating", "install", "stability", "troubleshooting")
EXAMPLES = ("cli", "signatures")
BLOCK = re.compile(r"^```(sh|python|text)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
# A command with its output; a block of commands without one is a synopsis, on the pages of reference.
EXAMPLE = re.compile(r"^```(sh)\n((?:(?!```).)*)^```\n\n```(text)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
# What a person sees on the screen, a script sees by its status.
CURLRC = "fail-with-body\nsilent\nshow-error\n"


@pytest.fixture
def desk(pipeline, tmp_path) -> Iterator[tuple[Path, dict[str, str]]]:
    """A folder with evidence, and an environment that names an instance, a case in it and its parts."""
    shutil.copy(RECLAIM / "perf.script.txt.gz", tmp_path / "perf.script")
    shutil.copy(RECLAIM / "cg_during/memory.stat", tmp_path / "memory.stat")
    shutil.copy(ROOT / "tests/data/kernel-log/dmesg-oom.txt", tmp_path / "dmesg.txt")
    shutil.copytree(RECLAIM / "cg_during", tmp_path / "sosreport/cg_during")
    shutil.copytree(BUILDS, tmp_path / "runs")
    (bundle,) = ROOT.glob("tests/data/releases/0.1.0/*.casebook.tar.zst")
    shutil.copy(bundle, tmp_path / "case.casebook.tar.zst")
    (tmp_path / ".curlrc").write_text(CURLRC)
    with pipeline.sessions.begin() as session:
        token = accounts.create_api_token(session, name="docs")
    app = create_app(pipeline.settings, sessions=pipeline.sessions, store=pipeline.store)
    with serving(app) as url, Client(url, token=token) as casebook, forked_commands() as programs:
        case = casebook.put_file(HEALTHY).case
        casebook.wait_until_judged(case.id, timeout_seconds=120)
        yield (
            tmp_path,
            {
                "PATH": os.pathsep.join(
                    (str(programs), str(Path(sys.executable).parent), os.environ["PATH"])
                ),
                "HOME": str(tmp_path),
                "CURL_HOME": str(tmp_path),
                "URL": url,
                "TOKEN": token,
                "CASE": str(case.number),
                "EVIDENCE": str(casebook.evidence(case.id)[0].id),
                "PROFILE": str(casebook.profiles(case.id)[0].id),
                "CI_PIPELINE_ID": "8843",
                "CASEBOOK_URL": url,
                "CASEBOOK_TOKEN": token,
                "CASEBOOK_DATA_DIR": str(pipeline.settings.data_dir),
                "CASEBOOK_DATABASE_URL": pipeline.settings.effective_database_url,
                "CASEBOOK_BROKER_URL": pipeline.settings.effective_broker_url,
            },
        )


def run(folder: Path, environment: dict[str, str], page: str) -> int:
    """Run the commands of a page, hold the blocks of output below them to what was printed, count both."""
    output = ""
    whole = (ROOT / f"docs/{page}.md").read_text()
    blocks = BLOCK.findall(whole)
    if page in EXAMPLES:
        pairs = EXAMPLE.findall(whole)
        blocks = [block for kind, call, text, shown in pairs for block in ((kind, call), (text, shown))]
    for language, text in blocks:
        if language == "text":
            assert [line for line in text.splitlines() if line not in output] == [], output
            continue
        words = ["sh", "-e", "-c", text]
        if language == "python":
            named = f"url, token = {environment['URL']!r}, {environment['TOKEN']!r}\n"
            words = [sys.executable, "-c", f"{named}{text}\nassert matches == []"]
        done = subprocess.run(
            words,
            cwd=folder,
            env=environment | {"PYTHONPATH": str(ROOT)},
            capture_output=True,
            text=True,
            check=False,
            timeout=200,
        )
        output = done.stdout
        assert done.returncode == 0, f"{page}: {text}\n{output[-3000:]}\n{done.stderr[-3000:]}"
    return len(blocks)


def test_every_command_of_the_pages_works_as_it_is_written(desk):
    folder, environment = desk
    assert run(folder, environment, API) >= 6
    assert (folder / "stacks.folded").stat().st_size > 0
    assert (folder / "flame.svg").read_text().startswith("<svg")
    assert '"state":"closed"' in (folder / "case.json").read_text()
    with Client(environment["URL"], token=environment["TOKEN"]) as casebook:
        case = casebook.case(int(environment["CASE"]))
    assert (case.title, case.state, case.severity) == ("db7 stalls every night", "open", "high")
    pages = (*TASKS, *EXAMPLES, *(LONG if IS_LONG else ()))
    assert sum(run(folder, environment, page) for page in pages) > 10
    with Client(environment["URL"], token=environment["TOKEN"]) as casebook:
        case = casebook.case(int(environment["CASE"]))
    assert (case.state, case.resolution.cause, case.tags) == ("closed", "memory limit too small", ["oncall"])
