"""Memory of a redaction grows by little for each different name: a firewall log has hundreds of thousands."""

from __future__ import annotations

import subprocess
import sys

ADDRESSES = 30_000
MOST_BYTES_EACH = 2_600
"""Of all encodings in which an address is searched for, and of its pseudonym."""

REDACTED = """
import sys
from pathlib import Path
from ingest.redact import Redactor
from ingest.redact.open_tokens import detector_of

def redact(count):
    addresses = (f"10.{at >> 16}.{at >> 8 & 255}.{at & 255}" for at in range(1, count + 1))
    text = "".join(f"conn from {address} ok\\n" for address in addresses).encode()
    redactor = Redactor(b"k" * 32)
    redactor.learn([text])
    redactor.settle()
    redacted = b"".join(redactor.redact([text]))
    assert redactor.different == {"ipv4": count} and b"10.0.0.1 " not in redacted
    redactor.end()
    assert redactor.different == {"ipv4": count}
    assert [leak.what for leak in detector_of(redactor).scan(b"at 0A000001")] == ["10.0.0.1"]

def high_water():
    status = Path("/proc/self/status").read_text()
    return next(int(line.split()[1]) << 10 for line in status.splitlines() if line.startswith("VmHWM"))

redact(1000)
before = high_water()
redact(int(sys.argv[1]))
print(high_water() - before)
"""


def test_an_address_takes_little_memory_in_all_its_encodings():
    grown = subprocess.run(
        [sys.executable, "-c", REDACTED, str(ADDRESSES)], capture_output=True, text=True, check=False
    )
    assert grown.returncode == 0, grown.stderr
    assert int(grown.stdout) / ADDRESSES < MOST_BYTES_EACH
