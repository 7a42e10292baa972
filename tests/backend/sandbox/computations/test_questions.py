"""Questions over a socket: each answer says its outcome and length, and the end of questions ends it."""

from __future__ import annotations

import json
import socket
from dataclasses import asdict
from pathlib import Path
from typing import Any

from backend.sandbox.computations.kept_readings import selection_of
from backend.sandbox.computations.questions import answer_questions
from ingest.evidence import read_bytes
from ingest.model import reading_folder
from ingest.model.selection import EVERYTHING, Selection


def answers(*questions: dict[str, Any]) -> list[tuple[str, str]]:
    ours, theirs = socket.socketpair()
    with ours, theirs, ours.makefile("rb") as heard:
        ours.sendall(b"".join(json.dumps(question).encode() + b"\n" for question in questions))
        ours.shutdown(socket.SHUT_WR)
        answer_questions({}, Path(), theirs.fileno())
        heads = (json.loads(heard.readline()) for _ in questions)
        return [(head["outcome"], heard.read(head["bytes"]).decode()) for head in heads]


def test_each_question_has_an_outcome(tmp_path: Path):
    [section] = read_bytes(b"main;read 3\nmain;write 1\n", name="x.folded", captured_path="").sections
    reading_folder.save(section.reading, tmp_path / "whole")
    whole, lost = (
        {"folder": str(tmp_path / name), "ordinal": 0, "id": "", "name": ""} for name in ("whole", "lost")
    )
    about = {"ask": "table", "profile": whole, "selection": asdict(EVERYTHING), "options": {}}
    table, absent, unsupported, damaged = answers(
        about,
        {**about, "ask": "sandwich", "name": "poll"},
        {**about, "selection": asdict(Selection(cpus=(3,)))},
        {**about, "profile": lost},
    )
    assert [item["name"] for item in json.loads(table[1])["items"]] == ["read", "write", "main"]
    assert absent == ("absent", "no selected sample passes through poll")
    assert unsupported[0] == "unsupported"
    assert "CPU" in unsupported[1]
    assert damaged == ("damaged", str(tmp_path / "lost"))


def test_a_list_of_places_leaves_out_damaged_ones_alone():
    places = [{"folder": "/nonexistent", "ordinal": 0}]
    assert answers({"ask": "histograms", "places": places}) == [("answer", "[null]")]


def test_a_selection_survives_json():
    selection = Selection(t0=0.5, cpus=(1, 2), focus=("/a/",), has_idle=False, weight="samples")
    assert selection_of(json.loads(json.dumps(asdict(selection)))) == selection
