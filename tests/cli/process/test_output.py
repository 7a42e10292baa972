"""Terminal output: wrapped lines, unwrapped commands, colours only on a terminal."""

from __future__ import annotations

import fcntl
import os
import pty
import struct
import subprocess
import sys
import termios
from pathlib import Path

import pytest

from cli.process.output import fitted, may_colour
from signatures.rendering.lines import Line, bare

PUBLISHED = Path(__file__).parents[2] / "data" / "published"
EVIDENCE = PUBLISHED / "new-linux-kernel"
COLUMNS = 72
UNSET = {"NO_COLOR", "FORCE_COLOR", "CLICOLOR_FORCE", "COLUMNS"}


def on_terminal(evidence=EVIDENCE, **environment):
    """Return what `casebook analyze` writes to a terminal of 72 columns."""
    ours, theirs = pty.openpty()
    fcntl.ioctl(theirs, termios.TIOCSWINSZ, struct.pack("HHHH", 40, COLUMNS, 0, 0))
    plain = {name: value for name, value in os.environ.items() if name not in UNSET} | {"TERM": "xterm"}
    command = [sys.executable, "-m", "cli", "analyze", str(evidence)]
    with subprocess.Popen(command, stdout=theirs, env={**plain, **environment}):
        os.close(theirs)
        output = b""
        while chunk := _read(ours):
            output += chunk
    os.close(ours)
    return output.decode()


def _read(terminal):
    try:
        return os.read(terminal, 65536)
    except OSError:
        return b""


def test_a_terminal_gets_colours_and_no_color_takes_them_away():
    assert "\x1b[33mMAY BE" in on_terminal()
    assert "\x1b[3" not in on_terminal(NO_COLOR="1")


def test_on_a_terminal_only_commands_are_wider_than_it():
    shown = on_terminal(PUBLISHED / "network-stalls", NO_COLOR="1")
    wide = [line for line in shown.splitlines() if len(line) > COLUMNS]
    assert wide
    assert all(line.lstrip().startswith(("timeout ", "for ")) for line in wide)


def test_a_long_line_goes_on_below_its_own_indentation():
    assert fitted(Line("    + word word word word"), 15) == "    + word word\n      word word"


def test_a_command_stays_in_one_piece():
    command = "       timeout -s KILL 5 dmesg | tail -n 500"
    assert fitted(Line(command, is_command=True), 20) == command


@pytest.mark.parametrize("code", [0x00, 0x07, 0x0A, 0x0D, 0x1B, 0x7F, 0x9B])
def test_control_characters_are_spelled_out(code):
    assert bare(f"a{chr(code)}b") == f"a\\x{code:02x}b"


@pytest.mark.parametrize(
    ("environment", "wanted"),
    [
        ({}, None),
        ({"TERM": "dumb"}, False),
        ({"FORCE_COLOR": "1", "TERM": "dumb"}, True),
        ({"CLICOLOR_FORCE": "1"}, True),
        ({"CLICOLOR_FORCE": "0"}, None),
        ({"FORCE_COLOR": "1", "NO_COLOR": "1"}, False),
    ],
)
def test_the_environment_decides_about_colours(monkeypatch, environment, wanted):
    for name in ("TERM", "NO_COLOR", "FORCE_COLOR", "CLICOLOR_FORCE"):
        monkeypatch.delenv(name, raising=False)
    for name, value in environment.items():
        monkeypatch.setenv(name, value)
    assert may_colour() is wanted
