"""A command that runs inside a container, a namespace, on another host or again and again is that command."""

from __future__ import annotations

import pytest

from ingest.sections.captured_files import bare_command, path_of_command


@pytest.mark.parametrize(
    "before",
    [
        "sudo ",
        "sudo -n ",
        "kubectl exec -it web-0 -n shop -- ",
        "kubectl -n shop exec web-0 -c app -- ",
        "docker exec -it db ",
        "podman exec db ",
        "nsenter -t 4711 -m -p ",
        "sudo nsenter --target 4711 --mount -- ",
        "ssh root@node1 ",
        "ssh -p 2222 node1 sudo ",
        "watch -n 1 ",
        "timeout 5 ",
        "timeout -s KILL 5 ",
    ],
)
def test_what_runs_a_command_is_taken_off(before):
    assert path_of_command(f"{before}cat /proc/meminfo") == "/proc/meminfo"
    assert bare_command(f"{before}uname -r") == "uname -r"


@pytest.mark.parametrize(
    "command",
    ["time cat /proc/meminfo", "ssh -V", "docker exec db", "watch", "kubectl get pods", "execsnoop -x"],
)
def test_other_commands_stay(command):
    assert bare_command(command) == command
