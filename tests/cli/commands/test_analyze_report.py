"""`casebook analyze` as a report: text, markdown and chat, with what to do and what to collect."""

from __future__ import annotations

import pytest

from tests.cli.analyze_run import DATA, LIBRARY, THRASH, document, run


def test_text_names_verdict_conditions_and_lines():
    result = run(DATA / "published" / "vanishing-cpu")
    assert result.exit_code == 0
    assert "IS        mm/shrink-lruvec-livelock" in result.stdout
    assert "perf-top.shrink_lruvec.txt:4" in result.stdout
    assert "Could it be something else?" in result.stdout
    assert "skipped once, first at line 1: begin not seen" in result.stdout
    assert "\x1b[" not in result.stdout


def test_values_are_words_a_person_reads():
    result = run(DATA / "published" / "vanishing-cpu").stdout
    assert "[no_progress]: 0.0029 % (threshold 0.1 %)" in result
    assert "! MGLRU is on [rival_mglru]: yes" in result
    assert (
        "not decided: The time goes into TLB shootdowns; The lock is the page allocator's zone lock" in result
    )
    assert "4 of 5 distinguishing conditions met, as many as it needs, and no alternative is open; " in result
    assert "further conditions are not decided." in result
    for raw in ("True", "threshold seen", " - absent", "e-05"):
        assert raw not in result


def test_fixes_have_risk_undo_and_verification():
    result = run(DATA / "published" / "vanishing-cpu").stdout
    now, _, later = result.partition("IS        mm/shrink-lruvec-livelock")[2].partition("Needs planning")
    assert "Do this now:" in now
    for words in ("kubectl delete pod $POD", "risk: ", "undo: irreversible", "it worked when: "):
        assert words in now
    assert "never when: this host is already livelocked" in later


def test_a_conditionally_unsafe_step_is_never_an_immediate_action():
    result = run(DATA / "published" / "vanishing-cpu").stdout
    assert "Enable MGLRU" in result
    assert "echo y > /sys/kernel/mm/lru_gen/enabled" not in result


def test_captures_come_with_cost_and_needs():
    result = run(DATA / "published" / "new-linux-kernel").stdout
    (command,) = [line for line in result.splitlines() if line.startswith("Next (")]
    assert "; decides between A and B; cost: about 1 % CPU" in command
    assert "; needs root" in command


def test_where_files_contradict_each_other_their_hosts_are_asked_for_first():
    result = run(DATA / "published" / "vanishing-cpu").stdout
    (command,) = [line for line in result.splitlines() if line.startswith("Next (")]
    assert "which host, boot and time each file is of" in command


def test_a_capture_names_the_conditions_that_it_decides():
    result = run(DATA / "kernel-log" / "hung-task.guest.txt").stdout
    assert "  ?  Two tasks or more wait behind one kernel lock" in result
    assert "; decides whether it is A; " in result


def test_all_of_a_report_without_findings_lists_files_open_questions_and_captures(tmp_path):
    (tmp_path / "status").write_text("Name:\tbackup\nVmRSS:\t  104 kB\n")
    result = run("--all", tmp_path)
    assert result.exit_code == 0
    assert "read      status: proc-status" in result.stdout
    judged = len(list(LIBRARY.glob("*/*/signature.yaml")))
    assert f"No signature explains it; {judged} signatures were evaluated." in result.stdout
    assert "mm/shrink-lruvec-livelock  Kernel time goes into LRU scanning" in result.stdout
    assert document(tmp_path)["next_captures"]


@pytest.mark.parametrize("path", ["smartctl", "bad", "sar", "perf-lock/contention.callers.txt"])
def test_without_a_match_twelve_lines_say_what_is_known_in_every_shape(path):
    lines = run(DATA / path).stdout.splitlines()
    assert len(lines) <= 12
    overview = document(DATA / path)["overview"]
    headline = overview["headline"]["text"]
    assert lines[0].startswith(headline)
    (command,) = [line for line in lines if line.startswith("Next")]
    assert overview["next_capture_reason"] in command
    assert command.endswith(f": {overview['next_capture']}")
    for shape in ("markdown", "chat"):
        text = run("--format", shape, DATA / path).stdout
        for words in (headline, lines[1], overview["next_capture"]):
            assert words in text, (shape, words)
        for statement in overview["statements"][:3]:
            assert statement["text"] in text


def test_a_chat_message_has_no_table_and_no_heading():
    text = run("--format", "chat", DATA / "published" / "vanishing-cpu").stdout
    assert text.startswith("**Memory cgroup at its limit")
    assert not any(line.startswith(("#", "|", "```")) for line in text.splitlines())
    assert "Do this now: " in text


def test_a_risky_capture_states_its_contraindication(tmp_path):
    (tmp_path / "status").write_text("Name:\tbackup\nVmRSS:\t  104 kB\n")
    (capture,) = document(tmp_path)["next_captures"]
    never = ["mm/mmap-lock-held-in-reclaim", "mm/mmap-lock-contention"]
    assert (capture["name"], capture["unsafe_if"]) == ("resident_pairs", never)


def test_a_quiet_sosreport_shows_its_one_oom_kill_and_what_else_it_could_be():
    result = run(next((DATA / "sosreport").glob("*.tar.xz"))).stdout
    assert [line.split()[1] for line in result.splitlines() if line.startswith("IS ")] == ["mm/memcg-oom"]
    assert "MAY BE" not in result
    assert "  A  is  " in result.partition("Could it be something else?")[2]


def test_many_files_are_summed_up_and_all_lists_them():
    short, long = run(THRASH.parent).stdout, run(THRASH.parent, "--all").stdout
    assert "cgroup-memory-stat" in short.split("\n\n")[1]
    assert "--all lists every file" in short
    assert "cg_during/memory.limit_in_bytes: cgroup-memory-value" in long
    assert len(long.splitlines()) > len(short.splitlines())


def test_a_name_cannot_send_commands_to_the_terminal(tmp_path):
    (tmp_path / "a\x1b[2Jb\n.txt").write_text("hello\n")
    for shape in ("text", "markdown", "json"):
        assert "\x1b" not in run(tmp_path, "--format", shape).stdout
    assert "a\\x1b[2Jb\\x0a.txt" in run(tmp_path).stdout


def test_markdown_is_a_table_to_paste_with_what_to_do():
    result = run("--format", "markdown", DATA / "published" / "vanishing-cpu").stdout
    assert result.startswith("## Memory cgroup at its limit")
    rows = [line for line in result.splitlines() if line.startswith("| ")]
    assert rows[0] == "| condition | state | observed | threshold | where |"
    assert rows[-1].startswith("| ")
    for words in (
        "**Do this now**",
        "**Careful:** ",
        "## Could it be something else?",
        "```sh",
        "`perf-top.shrink_lruvec.txt:4`",
    ):
        assert words in result
    assert result.count("```") % 2 == 0


def test_markdown_says_what_was_rejected():
    result = run("--format", "markdown", DATA / "bad")
    assert "- rejected `empty.txt`: the file is empty" in result.stdout


def test_formats_are_listed_in_the_order_of_the_evidence():
    """Seven formats in one file: the order of a set would differ from run to run."""
    folder = LIBRARY / "cgroup/memory-high-throttling/evidence/pos-files-alone"
    sections = [one["format"] for file in document(folder)["evidence"] for one in file["sections"]]
    known = [name for name in dict.fromkeys(sections) if name != "text"]
    listed = run("--format", "chat", folder).stdout.partition("Read 3 files: ")[2]
    assert listed.startswith(f"{', '.join(known)}, unrecognised text")
    assert len(known) > 5
