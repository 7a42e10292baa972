"""File names and captured paths sent by clients."""

from __future__ import annotations

import pytest

from backend.core.errors import InvalidNameError
from backend.uploads import names


@pytest.mark.parametrize(
    ("sent", "filename", "captured_path"),
    [
        ("perf.script", "perf.script", ""),
        ("host7/proc/vmstat", "vmstat", "host7/proc/vmstat"),
        ("./host7//proc/./vmstat", "vmstat", "host7/proc/vmstat"),
        ("/proc/vmstat", "vmstat", "proc/vmstat"),
        ("C:\\temp\\dmesg.txt", "dmesg.txt", "C:/temp/dmesg.txt"),
        ("", "unnamed", ""),
    ],
)
def test_a_path_is_a_captured_path_and_a_bare_name_is_not(sent, filename, captured_path):
    assert names.split(sent) == (filename, captured_path)


@pytest.mark.parametrize("sent", ["../../etc/passwd", "a/../b", "a\nb", "a\x00b", "x" * 300, "d/" * 3000])
def test_a_name_that_leaves_its_folder_or_cannot_be_shown_is_refused(sent):
    with pytest.raises(InvalidNameError):
        names.split(sent)


@pytest.mark.parametrize(
    ("labels", "title"),
    [
        (["perf.script"], "perf.script"),
        (["report\u202efdp.exe", "a"], "report\ufffdfdp.exe and 1 more file"),
        (["a\u2028b"], "a\ufffdb"),
        (["\u200eweb1/a", "\u200eweb1/b"], "\ufffdweb1 (2 files)"),
        (["perf.script", "dmesg.txt"], "perf.script and 1 more file"),
        (["db7/proc/vmstat", "db7/proc/meminfo", "db7/dmesg"], "db7 (3 files)"),
        (["db7/dmesg", "db8/dmesg", "x"], "dmesg and 2 more files"),
    ],
)
def test_a_case_is_titled_after_its_dropped_files(labels, title):
    assert names.title_for(labels) == title
    assert names.is_made_title(title, labels)
