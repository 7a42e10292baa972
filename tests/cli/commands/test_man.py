"""`casebook man`: a page for every command that help lists, in roff."""

from __future__ import annotations

import re

from click.testing import CliRunner

from cli import COMMANDS, main


def run(*words: str):
    return CliRunner().invoke(main, ["man", *words])


def test_every_listed_command_has_a_page_and_hidden_ones_have_none(tmp_path):
    asked = run("--directory", str(tmp_path / "man1"))
    assert asked.exit_code == 0
    written = {path.name for path in (tmp_path / "man1").iterdir()}
    listed = {f"casebook-{name}.1" for name, entry in COMMANDS.items() if not entry.is_hidden}
    assert written >= {"casebook.1", "casebook-baseline-add.1", "casebook-signature-from-case.1", *listed}
    assert not written & {f"casebook-{name}.1" for name, entry in COMMANDS.items() if entry.is_hidden}
    for path in (tmp_path / "man1").iterdir():
        page = path.read_text(encoding="ascii")
        title = path.stem.upper().replace("-", r"\-")
        assert page.startswith(f'.TH "{title}" "1"'), path
        sections = re.findall(r"^\.SH (.+)$", page, re.MULTILINE)
        assert sections[:3] == ["NAME", "SYNOPSIS", "DESCRIPTION"], path
        assert re.search(r"^casebook\S* \\- \S.+$", page, re.MULTILINE), path
        known = r"\.(TH|SH|TP|PP|BR?|nf|fi)\b|[^.']"
        assert [line for line in page.splitlines() if line and not re.match(known, line)] == []


def test_a_page_has_every_option_with_its_default_and_leads_to_its_subcommands():
    page = run("diff").output
    assert "\n.B \\-\\-min\\-growth PERCENT\nSmallest growth that fails." in page
    assert "[default: 2%]" in page
    assert "\n.BR casebook\\-baseline\\-add (1)\n" in run("baseline").output
    assert run("baseline", "add").output.endswith(".SH SEE ALSO\n.BR casebook\\-baseline (1)\n")


def test_an_unknown_command_is_named():
    asked = run("dif")
    assert (asked.exit_code, "no command 'dif'" in asked.output) == (2, True)
