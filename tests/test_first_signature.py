"""The tutorial, done as it is written: every command run, every file written, every line of output seen."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[1]
PAGE = ROOT / "docs/first-signature.md"
STEP = re.compile(
    r"(?:^In `(?P<path>[^`]+)`:\n\n)?^```(?P<kind>\w+)\n(?P<text>.*?)^```$", re.MULTILINE | re.DOTALL
)


def test_the_tutorial_does_what_it_says(tmp_path):
    (tmp_path / "signatures").symlink_to(ROOT / "signatures")
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    output = ""
    kinds = []
    for step in STEP.finditer(PAGE.read_text()):
        kinds.append(step["kind"])
        if step["kind"] in {"yaml", "toml"}:
            (tmp_path / step["path"]).write_text(step["text"])
        elif step["kind"] == "sh":
            done = subprocess.run(
                ["sh", "-e", "-c", step["text"]],
                cwd=tmp_path,
                env={**os.environ, "PATH": path, "XDG_CACHE_HOME": str(tmp_path / "cache")},
                capture_output=True,
                text=True,
                check=False,
            )
            assert done.returncode == 0, done.stderr + done.stdout
            output = done.stdout
        else:
            for line in step["text"].splitlines():
                assert line in output, output
    assert kinds.count("sh") == 7
    assert kinds.count("text") == 6
    assert kinds.count("yaml") == 1
    assert kinds.count("toml") == 1
