"""A host is the name in a line of syslog, not what somebody put in its place."""

from __future__ import annotations

import pytest

from ingest.readers.logs.kernel_log import prefix

LINE = "Oct 27 02:20:14 {} kernel: [12313888.555474] Out of memory: Killed process 1235475 (java)"


@pytest.mark.parametrize("host", ["db7", "db7.example.com", "10.0.0.7"])
def test_a_name_is_the_host(host):
    assert prefix.entry(LINE.format(host), 1).host == host


@pytest.mark.parametrize("host", ["<hostname>", "<redacted>", "[host]", "{HOST}", "***", "XXXX"])
def test_a_placeholder_is_no_host(host):
    entry = prefix.entry(LINE.format(host), 1)
    assert entry.host == ""
    assert entry.text.startswith("Out of memory")
