"""`casebook story import` creates drafts from files, and reports why a file is refused."""

from __future__ import annotations

from click.testing import CliRunner

from cli import main


def test_files_become_drafts_and_a_bad_one_is_named_with_its_line(address, token, web, tmp_path):
    good, bad, plain = tmp_path / "good.md", tmp_path / "bad.md", tmp_path / "a-night.md"
    good.write_text("---\ntitle: Ping spikes\n---\nIt began.\n")
    bad.write_text("---\ntitle: x\ntitel: y\n---\nIt began.\n")
    plain.write_text("It began.\n")
    asked = ["story", "import", str(good), str(bad), str(plain), "--url", address, "--token", token]
    result = CliRunner().invoke(main, asked)
    assert result.exit_code == 3
    assert f"{bad}: line 3: there is no key 'titel'" in result.stderr
    slugs = [line.split("/")[-2] for line in result.stdout.splitlines()]
    assert [slug.partition("-")[2] for slug in slugs] == ["ping-spikes", "a-night"]
    assert web.get(f"/stories/{slugs[0]}/draft").json()["text"] == "It began.\n"


def test_an_unreachable_service_is_reported(tmp_path):
    story = tmp_path / "a.md"
    story.write_text("It began.\n")
    asked = ["story", "import", str(story), "--url", "http://127.0.0.1:9", "--token", "x"]
    result = CliRunner().invoke(main, asked)
    assert result.exit_code == 1
    assert "http://127.0.0.1:9 is unreachable" in result.stderr
