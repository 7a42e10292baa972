"""A read killed by its time limit is evidence of a hang."""

from __future__ import annotations

import shutil
import subprocess

import pytest

from ingest.evidence import read_bytes


def timeouts(text: str) -> list[dict[str, str]]:
    read = read_bytes(text.encode(), name="paste")
    facts = [fact for section in read.sections for fact in section.reading.facts]
    return [dict(fact.labels) for fact in facts if fact.name == "collector.killed_read"]


def paste(message: str) -> str:
    return (
        f"==> /proc/4242/comm <==\njava\n==> /proc/4242/cmdline <==\n{message}\n==> /proc/4242/wchan <==\n0\n"
    )


@pytest.mark.parametrize(
    "message",
    [
        "Killed",
        "bash: line 1: 14650 Killed                  timeout -s KILL 2 cat /proc/$PID/cmdline",
        "bash: line 1:  9848 Killed                  timeout -s KILL 0.2 cat $f",
        "14650 Killed                  timeout -s KILL 2 cat $f",
        "[1]+  Killed                  timeout -s KILL 2 cat $f",
    ],
)
def test_a_killed_read_names_the_file_and_its_process(message):
    assert timeouts(paste(message)) == [{"path": "/proc/4242/cmdline", "file": "cmdline", "pid": "4242"}]


@pytest.mark.parametrize("message", ["java -jar x.jar", "Killed process 7 (java)", "", "oom: Killed"])
def test_other_words_are_no_timeout(message):
    assert timeouts(paste(message)) == []


def test_a_word_without_a_captured_path_is_no_timeout():
    assert timeouts("it was slow\nKilled\n") == []


@pytest.mark.parametrize("shell", [name for name in ("dash", "bash") if shutil.which(name)])
def test_real_shell_messages_are_recognised(shell):
    run = 'for f in cmdline; do echo "==> /proc/4242/$f <=="; timeout -s KILL 0.2 sleep 9; done; echo done'
    done = subprocess.run(
        [shell, "-c", run],
        check=False,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        timeout=300,
    )
    assert [found["file"] for found in timeouts(done.stdout)] == ["cmdline"]
