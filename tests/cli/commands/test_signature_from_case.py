"""`casebook signature from-case`: a solved case becomes a folder of the library."""

from __future__ import annotations

import pytest
import yaml
from click.testing import CliRunner

from cli import main
from ingest.evidence import read_file
from signatures.authoring.fixture_tests import fixtures_of, problems_of
from signatures.authoring.look_alikes import features
from signatures.document.catalog import load_catalog
from signatures.judging.scope import items_of
from signatures.language.model import Catalog
from tests.signatures.evidence import DATA

HANGS = DATA / "recorded" / "hangs"
STACKS = HANGS / "loop-device-stalls" / "stacks.1.txt"
LOG = HANGS / "fuse-server-stops" / "dmesg.txt"


def run(*words):
    return CliRunner().invoke(main, ["signature", *map(str, words)])


@pytest.fixture(scope="module")
def written(tmp_path_factory):
    root = tmp_path_factory.mktemp("library")
    noted = root / "messages.txt"
    text = LOG.read_text().replace("Not tainted", "db7.acme-bank.example: Not tainted")
    noted.write_text(f"login from 10.20.30.40 by alice@acme-bank.example\n{text}")
    done = run("--library", root, "from-case", "fs/my-hang", STACKS, noted, "--title", "alice saw db7 hang")
    assert done.exit_code == 0, done.output
    return root, done.output


def test_the_folder_is_complete_lints_and_its_fixtures_pass(written):
    root, said = written
    assert "2 files redacted, verdict match on its own evidence" in said
    assert "0 problems" in said
    catalog = load_catalog(root)
    assert [one.id for one in catalog.signatures] == ["fs/my-hang"]
    proofs = fixtures_of("fs/my-hang", root)
    kinds = {proof.name.partition("-")[0] for proof in proofs}
    assert kinds == {"pos", "neg", "unk"}
    assert sum(proof.name.startswith("neg-") for proof in proofs) >= 2
    whole = Catalog((*load_catalog().signatures, *catalog.signatures), ())
    problems = [problems_of(proof, whole) for proof in proofs]
    assert problems == [[] for _ in proofs]


def test_its_evidence_and_its_story_name_nobody(written):
    root, _ = written
    texts = [path.read_text() for path in (root / "fs/my-hang").rglob("*") if path.is_file()]
    assert not [text for text in texts if "10.20.30.40" in text or "acme-bank" in text]
    assert any("task:mkdir" in text for text in texts)


def test_its_title_is_that_of_the_case(written):
    root, _ = written
    (signature,) = load_catalog(root).signatures
    assert signature.title.startswith("alice saw ")
    assert "db7" not in signature.title
    assert "#   - {kind: procedure, title: " in (root / "fs/my-hang/signature.yaml").read_text()


def test_it_asks_who_waits_behind_whom_and_names_the_captures(written):
    root, _ = written
    document = yaml.load((root / "fs/my-hang/signature.yaml").read_text(), yaml.BaseLoader)  # noqa: S506 - `on` is a key
    assert document["clauses"]["waits_fuse_request"]["waits"]["on"] == ["fuse_request"]
    story = (root / "fs/my-hang/story.md").read_text()
    assert "wait behind reply of a FUSE server" in story
    assert "## Next time\n\n- Kernel stacks of up to 100 threads" in story


def test_a_look_alike_on_which_the_draft_fires_is_named_and_becomes_no_fixture(written):
    root, said = written
    assert "fires on fs/fuse-server-hang pos-loop-device too (similarity" in said
    assert not list((root / "fs/my-hang/evidence").glob("neg-fuse-server-hang-pos-loop-device"))


def test_similarity_counts_functions_and_records():
    found = features(items_of([read_file(STACKS)]))
    assert "frame:request_wait_answer" in found
    assert "log:hung_task" in features(items_of([read_file(LOG)]))


@pytest.mark.parametrize(
    ("words", "reason"),
    [
        (["my-hang", STACKS], "is not AREA/NAME"),
        (["fs/my-hang"], "give PATH or --case N"),
        (["fs/my-hang", STACKS, "--case", "1"], "give PATH or --case N"),
    ],
)
def test_what_cannot_be_done_is_said(tmp_path, words, reason):
    done = run("--library", tmp_path, "from-case", *words)
    assert (done.exit_code, reason in done.output) == (2, True), done.output
    assert not list(tmp_path.iterdir())
