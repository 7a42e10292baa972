"""The generator of the catalogue of kernel messages finds calls, levels, places, constant words in C text."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest

from tools.message_catalogue.bits import Counts
from tools.message_catalogue.c_text import scan
from tools.message_catalogue.callees import CONTINUED, DEBUG, Callees, level_of
from tools.message_catalogue.catalogue import Entry, catalogue_of
from tools.message_catalogue.extraction import Extracted, Message, Source
from tools.message_catalogue.modules import modules_of
from tools.message_catalogue.pack import hash_of, packed
from tools.message_catalogue.skeletons import Skeleton, skeletons

C_TEXT = r"""
#define PFX "widget: "
#define shout(dev, fmt, ...) hush(KERN_CRIT, dev, fmt, ##__VA_ARGS__)
#define hush(level, dev, fmt, ...) dev_printk(level, dev, fmt, ##__VA_ARGS__)

static const char *names[] = { "first", "second" };

static int __init widget_probe(struct widget *w, const char *name)
{
    char quote = '"';

    if (!w) {
        printk(KERN_ERR PFX "no widget %s "
               "at slot %d\n", name, w->slot);
        return -ENODEV;
    }
    dev_warn(w->dev, "slow widget\n");
    shout(w->dev, "widget burns\n");
    pr_cont(" and goes on\n");
    btrfs_err(fs_info, "widget tree\n");
    ata_dev_printk(notice, dev, "widget limit\n");
    cifs_dbg(VFS, "widget share\n");
    cifs_dbg(FYI, "widget detail\n");
    mlog(ML_ERROR, "widget node\n");
    ACPI_ERROR((AE_INFO, "widget without method [%s]", name));
    snprintf(w->name, 8, "widget%d", w->slot);
    ql_log(ql_log_fatal, w, 0x00c7, "widget port %d lost\n", w->port);
    return 0;
}
"""


def found_in(text: str) -> dict[str, tuple]:
    scanned = scan(text)
    callees = Callees(("drivers/w/widget.c", macro) for macro in scanned.macros)
    return {
        call.text: (call.callee, level_of(call, "drivers/w/widget.c", callees), call.function, call.is_error)
        for call in scanned.calls
    }


def test_calls_have_level_function_and_what_follows():
    assert found_in(C_TEXT) == {
        r"widget: no widget %s at slot %d\n": ("printk", 3, "widget_probe", True),
        r"slow widget\n": ("dev_warn", 4, "widget_probe", False),
        r"widget burns\n": ("shout", 2, "widget_probe", False),
        r" and goes on\n": ("pr_cont", CONTINUED, "widget_probe", False),
        r"widget tree\n": ("btrfs_err", 3, "widget_probe", False),
        r"widget limit\n": ("ata_dev_printk", 5, "widget_probe", False),
        r"widget share\n": ("cifs_dbg", 3, "widget_probe", False),
        r"widget detail\n": ("cifs_dbg", DEBUG, "widget_probe", False),
        r"widget node\n": ("mlog", 3, "widget_probe", False),
        "widget without method [%s]": ("ACPI_ERROR", 3, "widget_probe", False),
        r"widget port %d lost\n": ("ql_log", 2, "widget_probe", False),
    }


@pytest.mark.parametrize(
    ("text", "words", "gaps", "is_open"),
    [
        (r"I/O tag %d (%04x) QID %d timeout\n", "I O tag QID timeout", "00011", False),
        (r"%s: link is up\n", "link is up", "100", False),
        (r"cmd%s failed: 0x%x\n", "failed", "1", True),
        (r"eth%d: %dkB of 100%% used", "eth kB of used", "0100", False),
    ],
)
def test_a_skeleton_has_the_constant_words_and_where_values_stand(text, words, gaps, is_open):
    [found] = skeletons(text, goes_on=False)
    assert found == Skeleton(tuple(words.split()), tuple(gap == "1" for gap in gaps), is_open)


def test_every_printed_line_is_a_message():
    found = [" ".join(one.words) for one in skeletons(r"first line %d\n\nsecond line\n", goes_on=False)]
    assert found == ["first line", "second line"]


def test_a_makefile_names_the_module_of_each_file():
    text = "obj-$(CONFIG_WIDGET) += my-widget.o\nmy-widget-y := core.o \\\n\tsub/port.o\nobj-m += lone.o\n"
    assert modules_of({"drivers/w/Makefile": text}) == {
        "drivers/w/my-widget.c": "my_widget",
        "drivers/w/core.c": "my_widget",
        "drivers/w/sub/port.c": "my_widget",
        "drivers/w/lone.c": "lone",
    }


def test_common_words_bear_fewer_bits_and_letters_none():
    counts = Counts(Counter({"failed": 5_000, "to": 50_000}), Counter({"failed to": 4_000}), 1_000_000)

    def bits(words: str, gaps: int = 0) -> int:
        return counts.bits(Entry(tuple(words.split()), gaps))

    assert bits("failed to") < bits("to failed") < bits("widget burns")
    assert bits("a b c d e f") == 0
    assert bits("widget burns", gaps=0b10) < bits("widget burns")


def test_the_places_are_those_of_the_newest_release_and_no_text_is_written():
    def release(name: str, *places: tuple[str, int]) -> tuple[Source, Extracted]:
        skeleton = Skeleton(("widget", "burns"), (False, False), is_open=False)
        rows = [
            Message(skeleton, level, f"drivers/{path}.c", "probe", is_error=True) for path, level in places
        ]
        return Source(name, name, "kernel", "", ""), Extracted(rows, {})

    newest = [("a", 3), ("b", 4), ("c", 4), ("d", 4)]
    catalogue = catalogue_of([release("1", ("old", 3)), release("2", *newest), release("3")])
    [entry] = catalogue.entries
    assert (entry.releases, entry.place_count, entry.levels) == (0b11, 4, 0b11000)
    assert [place.path for place in entry.places] == ["drivers/a.c"]
    data = packed(catalogue, {0: 30}, {"sources": []})
    assert b"widget" not in data
    assert hash_of("widget").to_bytes(4, "little") in data


def test_no_text_of_the_sources_is_in_the_catalogue():
    data = (Path("ingest/native/src/messages") / "catalogue.bin").read_bytes()
    assert b"timeout" not in data
    assert len(data) <= 5_000_000
