"""Commands that read evidence confine themselves, and still do their work."""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner

from cli import main
from tests.backend.libraries.conftest import OWN, write
from tests.long_form import IS_LONG

HERE = Path(__file__).parent
SANDBOX = HERE.parents[1] / "backend/sandbox"
ATTEMPTS = (SANDBOX / "seal_key_attempts.evidence").read_text()
SECRET = "0123456789abcdef" * 4
FOLDED = "main;read_file;copy_to_user 42\n"
FULL = HERE.parents[2] / "signatures/library/net/conntrack-table-full/evidence/pos-one-line/kern.log"
HANG = HERE.parents[1] / "data/recorded/hangs/fuse-server-stops/dmesg.txt"
COMMANDS = {
    "analyze": ["analyze", "IN"],
    "analyze into a file": ["analyze", "IN", "--output", "OUT.json"],
    "convert": ["convert", "IN", "--to", "folded"],
    "diff": ["diff", "IN", "IN"],
    "flamegraph": ["flamegraph", "IN"],
    "fold": ["fold", "IN"],
    "hunt in a folder": ["signature", "hunt", "LIBRARY", "--evidence", "CASES", "--kept", "KEPT"],
    "inspect": ["inspect", "IN"],
    "redact": ["redact", "IN"],
    "redact into an archive": ["redact", "IN", "--output", "OUT.tar"],
    "waits": ["waits", "HANG"],
    "waits into a file": ["waits", "HANG", "--output", "OUT.json"],
}
KERNELS = ("", "namespaces", "landlock")
ATTACKED = [
    (name, lacks)
    for at, name in enumerate(COMMANDS)
    for lacks in (KERNELS if IS_LONG or at == 0 else [KERNELS[at % len(KERNELS)]])
]
"""Every command on one kernel and one command on all of them; `make sweeps` tries every command on all."""


def words_of(name: str, place: Path) -> list[str]:
    given = {"IN": place / "in.folded", "OUT.json": place / "out.json", "OUT.tar": place / "out.tar"}
    given["IN"].write_text(FOLDED)
    given |= {"HANG": HANG, "LIBRARY": place / "mine", "CASES": place / "cases", "KEPT": place / "kept"}
    if "CASES" in COMMANDS[name]:
        write(place / "mine", "net/our-table-full", OWN)
        given["CASES"].mkdir()
        shutil.copy(FULL, given["CASES"] / "kern.log")
    return [str(given.get(word, word)) for word in COMMANDS[name]]


def run(*command: str, **given: object) -> subprocess.CompletedProcess[str]:
    return subprocess.run([sys.executable, *command], capture_output=True, text=True, check=False, **given)


def on_kernel(lacks: str, *command: str, **given: object) -> subprocess.CompletedProcess[str]:
    """Run a Python program as on a kernel that lacks features."""
    return run(str(SANDBOX / "kernels.py"), lacks, "--", sys.executable, *command, **given)


@pytest.mark.parametrize(("name", "lacks"), ATTACKED)
def test_a_reader_that_runs_arbitrary_code_reaches_no_other_file(tmp_path, name, lacks):
    key = tmp_path / "data" / "seal.key"
    key.parent.mkdir()
    key.write_text(SECRET)
    code = tmp_path / "code"
    code.write_text(f"KEY = {str(key)!r}\nSECRET = {SECRET!r}\n{ATTEMPTS}")
    done = on_kernel(lacks, str(HERE / "hostile_command.py"), str(code), *words_of(name, tmp_path))
    assert (done.stdout, done.stderr) == ("refused in 33 ways\n", "")
    assert key.read_text() == SECRET


@pytest.mark.parametrize("name", COMMANDS)
def test_a_confined_command_does_what_it_does_without(tmp_path, name):
    words = words_of(name, tmp_path)
    outputs = [path for path in (tmp_path / "out.json", tmp_path / "out.tar") if str(path) in words]
    plain = CliRunner().invoke(main, words)
    written = [path.read_bytes() for path in outputs]
    for path in outputs:
        path.unlink()
    confined = run("-m", "cli", *words)
    assert (confined.returncode, confined.stdout) == (plain.exit_code, plain.stdout)
    assert [path.read_bytes() for path in outputs] == written
    assert not list(tmp_path.glob(".*"))


@pytest.mark.parametrize("lacks", KERNELS)
def test_every_kind_of_input_is_read(tmp_path, lacks):
    folder = tmp_path / "evidence"
    folder.mkdir()
    (folder / "a.folded").write_text(FOLDED)
    (tmp_path / "link.folded").symlink_to(folder / "a.folded")
    for path in (folder, tmp_path / "link.folded", "a.folded", "../link.folded"):
        done = on_kernel(lacks, "-m", "cli", "inspect", str(path), cwd=folder)
        assert (done.returncode, "folded" in done.stdout, done.stderr) == (0, True, "")


def test_pipes_of_a_shell_are_read():
    """One run of each build is inconclusive."""
    script = f"{sys.executable} -m cli diff <(echo 'main;a 1') <(echo 'main;a 2')"
    done = subprocess.run(["bash", "-c", script], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (9, "")
    piped = run("-m", "cli", "fold", "-", input=FOLDED)
    assert piped.stdout == FOLDED


def test_an_output_file_is_left_alone_when_the_command_fails(tmp_path):
    report, missing = tmp_path / "report.json", tmp_path / "new.json"
    report.write_text("of yesterday")
    binary = tmp_path / "in.bin"
    binary.write_bytes(bytes(range(256)) * 64)
    done = run("-m", "cli", "diff", str(binary), str(binary), "-o", str(report), "-o", str(missing))
    assert done.returncode == 3, done
    assert (report.read_text(), missing.exists()) == ("of yesterday", False)
    nowhere = run("-m", "cli", "analyze", str(binary), "-o", str(tmp_path / "none" / "x.json"))
    assert (nowhere.returncode, "cannot be written: No such file" in nowhere.stderr) == (1, True)


def test_redaction_replaces_a_file_only_when_it_is_complete(tmp_path):
    output, binary = tmp_path / "out.tar", tmp_path / "in.bin"
    output.write_text("of yesterday")
    binary.write_bytes(bytes(range(256)) * 64)
    done = run("-m", "cli", "redact", str(binary), "--output", str(output))
    assert (done.returncode, output.read_text()) == (3, "of yesterday")
    binary.write_text("retry swordfish-db3 now\n")
    done = run("-m", "cli", "redact", str(binary), "--output", str(output))
    assert (done.returncode, b"swordfish-db3" in output.read_bytes()) == (10, True)
    assert sorted(path.name for path in tmp_path.iterdir()) == ["in.bin", "out.tar"]


def test_a_closed_pipe_is_no_error(tmp_path):
    (tmp_path / "in.folded").write_text("".join(f"main;f{number} 1\n" for number in range(200_000)))
    script = f"{sys.executable} -m cli fold {tmp_path / 'in.folded'} | head -1"
    done = subprocess.run(["bash", "-c", script], capture_output=True, text=True, check=False)
    assert (done.stdout, done.stderr) == ("main;f0 1\n", "")


@pytest.mark.parametrize("lacks", ["landlock,namespaces", "seccomp"])
def test_a_kernel_without_enough_layers_is_remarked_or_refused(tmp_path, monkeypatch, lacks):
    words = words_of("fold", tmp_path)
    done = on_kernel(lacks, "-m", "cli", *words)
    assert (done.returncode, done.stdout) == (0, FOLDED)
    assert done.stderr.startswith("the evidence is read without a complete sandbox: the kernel grants no ")
    monkeypatch.setenv("CASEBOOK_SANDBOX", "required")
    refused = on_kernel(lacks, "-m", "cli", *words)
    assert (refused.returncode, refused.stdout) == (1, "")
    assert "evidence is not read: CASEBOOK_SANDBOX=required" in refused.stderr
    monkeypatch.setenv("CASEBOOK_SANDBOX", "maybe")
    unknown = run("-m", "cli", *words)
    assert (unknown.returncode, "must be best or required, not 'maybe'" in unknown.stderr) == (2, True)


def test_the_first_start_writes_the_bytecode_that_a_confined_one_cannot(tmp_path):
    environment = {"PYTHONPYCACHEPREFIX": str(tmp_path), "CASEBOOK_START_IMAGE": "off", "PATH": ""}
    command = [sys.executable, "-m", "cli", "analyze", str(FULL)]
    subprocess.run(command, env=environment, capture_output=True, check=True, cwd=HERE.parents[2])
    assert {path.name.split(".")[0] for path in tmp_path.rglob("*.pyc")} >= {
        "judge",
        "first_screen",
        "terminal",
    }
