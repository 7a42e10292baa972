"""What `perf annotate` prints: shares of one function's samples, by instruction."""

from __future__ import annotations

from ingest.model.section import Text
from ingest.readers.perf import perf_annotate
from tests.ingest.samples import rows, whole

# As perf top prints it, of the memory controller of Linux 6.3.
SCREEN = """\
Showing cycles for page_counter_try_charge
  Events  Pcnt (>=5%)
 Percent |      Source code & Disassembly of elf for cycles (543288 samples, percent: local period)
---------------------------------------------------------------------------------------------------
    0.00 :   ffffffff8141388d:       mov    %r12,%rax
   76.82 :   ffffffff81413890:       lock xadd %rax,(%rbx)
   22.10 :   ffffffff81413895:       lea    (%r12,%rax,1),%r15


Showing cycles for page_counter_cancel
  Events  Pcnt (>=5%)
 Percent |      Source code & Disassembly of elf for cycles (1004744 samples, percent: local period)
----------------------------------------------------------------------------------------------------
         : 160              return i + xadd(&v->counter, i);
   77.42 :   ffffffff81413759:       lock xadd %rax,(%rdi)
   22.34 :   ffffffff8141375e:       sub    %rsi,%rax
"""

# As the browser of perf shows functions.
BROWSER = """\
Samples: 78K of event 'cycles', 4000 Hz, Event count (approx.): 78762
native_write_msr  /lib/modules/5.4.0-rc8/build/vmlinux [Percent: local period]
Percent│ IPC Cycle (Average IPC: 0.02, IPC Coverage: 50.0%)                    ▒
       │             ffffffff8106c480 <native_write_msr>:                      ▒
       │             __wrmsr():                                                ▒
 49.16 │0.02           mov   %edi,%ecx                                         ▒
       │0.02           mov   %esi,%eax                                         ▒
 50.84 │0.02         → jmpq  ffffffff8106c490                                  ▒
"""


def read(text):
    return perf_annotate.read(Text(lines=text.splitlines()))


def instructions(reading):
    return rows(reading, "annotated_instructions")


def shares(reading):
    """Return the hottest share of each instruction: facts stand in the order of their shares."""
    return {
        (fact.labels.get("function"), fact.labels["instruction"]): fact.value
        for fact in reversed(reading.facts)
        if fact.name == "annotate.instruction_share"
    }


def test_a_share_is_one_of_the_samples_of_its_function():
    reading = whole("perf-annotate/hash.txt")
    assert shares(reading)["probe", "cmp %edx,%ecx"] == 0.8917
    assert shares(reading)["insert", "je 11f5 <insert+0x37>"] > 0.5
    counted = {
        fact.labels["function"]: fact.value for fact in reading.facts if fact.name == "annotate.samples"
    }
    assert counted == {"probe": 157, "insert": 14}
    assert (reading.tables, reading.profiles, reading.skipped) == ((), (), ())


def test_an_instruction_has_its_source_and_the_one_before_it():
    hottest = max(instructions(whole("perf-annotate/hash.txt")), key=lambda row: row["share"])
    assert hottest["source"] == "hash.c:15 while (table[h] && table[h] != keys[i])"
    assert (hottest["address"], hottest["previous"]) == ("1198", "mov (%rsi,%rdx,4),%edx")
    by_line = {
        row["source"]: row["share"] for row in rows(whole("perf-annotate/hash.txt"), "annotated_sources")
    }
    assert by_line["hash.c:15"] == 0.9363


def test_events_of_a_group_have_shares_of_their_own():
    found = instructions(whole("perf-annotate/two-events.txt"))
    events = {(row["event"], row["address"]): row["share"] for row in found}
    assert events["page-faults", "11f7"] == 0.5
    assert events["cpu-clock", "11e3"] == 0.8571


def test_the_browser_prints_no_addresses():
    reading = whole("perf-annotate/stdio2.txt")
    assert shares(reading)["probe", "cmp %edx,%ecx"] == 0.8917
    assert {row["address"] for row in instructions(reading)} == {None}


def test_a_pasted_browser_names_function_and_event():
    (first, second) = instructions(read(BROWSER))
    assert (first["function"], first["event"], first["share"]) == ("native_write_msr", "cycles", 0.4916)
    assert (first["instruction"], second["share"]) == ("mov %edi,%ecx", 0.5084)


def test_a_screen_of_perf_top_names_the_function_above_its_head():
    assert shares(read(SCREEN))["page_counter_try_charge", "lock xadd %rax,(%rbx)"] == 0.7682
    assert shares(read(SCREEN))["page_counter_cancel", "lock xadd %rax,(%rdi)"] == 0.7742


def test_global_shares_are_of_the_recording_and_counts_become_shares():
    lines = SCREEN.splitlines()[2:7]
    whole_recording = read("\n".join(lines).replace("local", "global"))
    names = {fact.name for fact in whole_recording.facts}
    assert names == {"annotate.samples", "annotate.instruction_total_share"}
    counts = "\n".join(lines).replace("Percent", "Samples").replace("76.82", "150").replace("22.10", "50")
    assert sorted(row["share"] for row in instructions(read(counts))) == [0.25, 0.75]
