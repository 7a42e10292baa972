"""`casebook redact`: a text or an archive without names, and a report."""

from __future__ import annotations

import io
import re
import tarfile
from pathlib import Path

import pytest
from click.testing import CliRunner

from cli import main
from ingest.model.zstd import zstd

CORPUS = Path("tests/data/redaction/corpus")
SOSREPORT = next(Path("tests/data/sosreport").glob("*.tar.xz"))
LINE = "Nov 21 03:12:09 analytics-db-02 sshd[812]: Accepted publickey for jdoe from 10.20.30.40 port 5022\n"


@pytest.fixture
def log(tmp_path):
    path = tmp_path / "auth.log"
    path.write_text(LINE * 3)
    return path


def run(*arguments: object):
    return CliRunner().invoke(main, ["redact", *map(str, arguments)])


def test_redacted_text_goes_to_stdout_and_the_report_to_stderr(log):
    done = run(log, "--reviewed", "word")
    assert done.exit_code == 0, done.output
    assert len(done.stdout.splitlines()) == 3
    assert "jdoe" not in done.output
    assert "9 places replaced" in done.stderr
    assert "3  IPv4 addresses (1 different)" in done.stderr


def test_a_stored_key_gives_the_same_pseudonyms_again(log, tmp_path):
    key = tmp_path / "key"
    first, second = run(log, "--key-file", key), run(log, "--key-file", key)
    assert first.stdout == second.stdout
    assert key.stat().st_mode & 0o077 == 0
    assert run(log).stdout != first.stdout


def test_a_sosreport_becomes_an_archive_of_its_texts(tmp_path):
    output = tmp_path / "sosreport.tar.zst"
    reviewed = [f"--reviewed={name}" for name in ("account", "host", "id", "secret")]
    done = run(SOSREPORT, "-o", output, *reviewed)
    assert done.exit_code in {0, 4}, done.output
    content = zstd.decompress(output.read_bytes())
    assert b"analytics-db-02" not in content
    with tarfile.open(fileobj=io.BytesIO(content)) as archive:
        members = archive.getmembers()
    assert len(members) > 10
    assert {(member.mtime, member.uid, member.uname) for member in members} == {(0, 0, "")}
    assert "files left out" in done.stderr or "texts redacted" in done.stderr


def test_an_open_token_and_a_family_are_replaced_on_request(tmp_path):
    path = tmp_path / "retry.log"
    path.write_text("retry swordfish-db3 now\nsee marlin01 marlin02 marlins\n")
    listed = run(path)
    assert "marlin*: 2 names in 2 places" in listed.stderr
    done = run(path, "--replace", "host:swordfish-db3", "--replace", "host:marlin*", "--reviewed", "word")
    assert done.exit_code == 0, done.output
    assert not any(name in done.stdout for name in ("swordfish-db3", "marlin01", "marlin02"))
    assert "marlins" in done.stdout
    names = tmp_path / "names"
    names.write_text("# reviewed on Monday\nhost:swordfish-db3\n\nhost:marlin*\n")
    of_file = run(path, "--replace-file", names, "--reviewed", "word")
    assert (of_file.exit_code, "swordfish" in of_file.stdout) == (0, False)
    wrong = run(path, "--replace", "machine:swordfish-db3")
    assert (wrong.exit_code, "CLASS one of account, host, id, secret, word" in wrong.output) == (2, True)


def test_open_tokens_are_listed_until_their_class_is_reviewed(tmp_path):
    path = tmp_path / "retry.log"
    path.write_text("retry swordfish-db3\x1b[2J now\n")
    done = run(path)
    assert done.exit_code == 10, done.output
    assert "1 open token, class host" in done.stderr
    assert "retry.log:1: retry [swordfish-db3]\\x1b[2J now" in done.stderr
    assert run(path, "--reviewed", "host").exit_code == 0


def test_all_open_tokens_are_written_as_a_list_to_edit_and_replace(tmp_path):
    path, tokens = tmp_path / "retry.log", tmp_path / "tokens"
    path.write_text("".join(f"retry swordfish-{letter}rx{letter}\n" for letter in "abcdefghijklmnopqrstuvw"))
    listed = run(path, "--open-tokens", tokens)
    assert "  and 3 more: --open-tokens FILE writes them" in listed.stderr
    assert tokens.read_text().startswith("# retry.log:1: retry [swordfish-arxa]\nhost:swordfish-arxa\n")
    assert "swordfish" not in run(path, "--replace-file", tokens).stdout


def test_the_same_archive_and_key_give_the_same_bytes(tmp_path):
    key, first, second = tmp_path / "key", tmp_path / "a.tar.zst", tmp_path / "b.tar.zst"
    run(SOSREPORT, "-o", first, "--key-file", key)
    run(SOSREPORT, "-o", second, "--key-file", key)
    assert first.read_bytes() == second.read_bytes()


def test_several_files_need_an_output_archive(tmp_path, log):
    done = run(SOSREPORT, "-o", tmp_path / "out.txt")
    assert done.exit_code == 2
    assert "--output NAME.tar.zst" in done.output
    assert not (tmp_path / "out.txt").exists()
    assert run(log, log).exit_code == 2


def test_binary_files_are_omitted_and_reported(tmp_path):
    binary = tmp_path / "perf.data"
    binary.write_bytes(b"PERFILE2" + bytes(1000))
    done = run(binary, "-o", tmp_path / "out")
    assert done.exit_code == 3
    assert "files left out: this is a binary perf.data file" in done.stderr


def test_remaining_leaks_are_reported(tmp_path):
    log = tmp_path / "app.log"
    log.write_text(LINE + "user jdoe wrote 10.20.30 is full\n")
    done = run(log)
    assert done.exit_code == 4
    assert "app.log:2: 'private address' its shape" in done.stderr


def test_a_text_whose_names_are_common_words_lists_no_words_as_leaks(tmp_path):
    output = tmp_path / "out"
    done = run(CORPUS / "held_out_7.txt", "-o", output)
    leaks = re.findall(
        r"held_out_7\.txt:[0-9]+: '(.*)' (?:as it is|cut to 15 bytes)$", done.stderr, re.MULTILINE
    )
    total = int(re.findall(r"([0-9]+) possible leaks remain", done.stderr)[0])
    assert total <= 35, done.stderr  # most begin with a mark of the corpus
    assert not {"code", "files", "node", "dev", "net", "off", "c"} & set(leaks)
    rows = re.findall(r"^ +([0-9,]+)  .*\(([0-9,]+) different\)$", done.stderr, re.MULTILINE)
    counts = [tuple(int(one.replace(",", "")) for one in row) for row in rows]
    assert len(counts) > 8
    assert [row for row in counts if not 0 < row[1] <= row[0]] == []


def test_a_broken_key_is_refused(log, tmp_path):
    key = tmp_path / "key"
    key.write_text("not a key")
    assert "expected 64 hex digits" in run(log, "--key-file", key).output


def test_a_broken_archive_does_not_overwrite_the_output(tmp_path):
    broken = tmp_path / "cut.tar.xz"
    broken.write_bytes(SOSREPORT.read_bytes()[:2000])
    output = tmp_path / "out.tar.zst"
    output.write_bytes(b"before")
    done = run(broken, "-o", output)
    assert done.exit_code == 3
    assert "xz stream ends early" in done.stderr
    assert output.read_bytes() == b"before"
