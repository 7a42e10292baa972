"""The commands of `docs/api.md`, every one run as it is written, by `sh` and `curl`, at a live instance."""

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
from tests.cli.recorded import HEALTHY, RECLAIM

if TYPE_CHECKING:
    from collections.abc import Iterator

PAGE = (Path(__file__).parents[1] / "docs/api.md").read_text()
BLOCK = re.compile(r"^```(sh|python)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
# What a person sees on the screen, a script sees by its status.
CURLRC = "fail-with-body\nsilent\nshow-error\n"


@pytest.fixture
def desk(pipeline, tmp_path) -> Iterator[tuple[Path, dict[str, str]]]:
    """A folder with evidence, and an environment that names an instance, a case in it and its parts."""
    shutil.copy(RECLAIM / "perf.script.txt.gz", tmp_path / "perf.script")
    shutil.copy(RECLAIM / "cg_during/memory.stat", tmp_path / "memory.stat")
    (tmp_path / "dmesg.txt").write_text("[    1.000000] Linux version 6.1.0-13-amd64\n")
    (tmp_path / ".curlrc").write_text(CURLRC)
    with pipeline.sessions.begin() as session:
        token = accounts.create_api_token(session, name="docs")
    app = create_app(pipeline.settings, sessions=pipeline.sessions, store=pipeline.store)
    with serving(app) as url, Client(url, token=token) as casebook:
        case = casebook.put_file(HEALTHY).case
        casebook.wait_until_judged(case.id, timeout_seconds=120)
        yield (
            tmp_path,
            {
                "PATH": os.environ["PATH"],
                "CURL_HOME": str(tmp_path),
                "URL": url,
                "TOKEN": token,
                "CASE": str(case.number),
                "EVIDENCE": str(casebook.evidence(case.id)[0].id),
                "PROFILE": str(casebook.profiles(case.id)[0].id),
                "CI_PIPELINE_ID": "8843",
            },
        )


def test_every_command_of_the_page_works_as_it_is_written(desk):
    folder, environment = desk
    ran = 0
    for language, text in BLOCK.findall(PAGE):
        if language == "python":
            named = f"url, token = {environment['URL']!r}, {environment['TOKEN']!r}\n"
            words = [sys.executable, "-c", f"{named}{text}\nassert matches == []"]
        else:
            words = ["sh", "-e", "-c", text]
        done = subprocess.run(
            words,
            cwd=folder,
            env=environment | {"PYTHONPATH": str(Path(__file__).parents[1])},
            capture_output=True,
            text=True,
            check=False,
            timeout=200,
        )
        assert done.returncode == 0, f"{text}\n{done.stdout[-3000:]}\n{done.stderr[-3000:]}"
        ran += 1
    assert ran >= 6
    assert (folder / "stacks.folded").stat().st_size > 0
    assert (folder / "flame.svg").read_text().startswith("<svg")
    assert '"state":"closed"' in (folder / "case.json").read_text()
    with Client(environment["URL"], token=environment["TOKEN"]) as casebook:
        case = casebook.case(int(environment["CASE"]))
    assert (case.title, case.state, case.severity) == ("db7 stalls every night", "open", "high")
