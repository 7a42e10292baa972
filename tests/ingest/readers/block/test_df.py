"""What df prints, in every unit."""

from __future__ import annotations

import pytest

from ingest.evidence import read_bytes

READABLE = """\
Filesystem                      Size  Used Avail Use% Mounted on
/dev/mapper/vg0-a--very--long--name
                                 50G   48G     0 100% /var/lib
df: /run/user/0/gvfs: Permission denied
tmpfs                           1.5G     -  1.5G   - /run
"""


def facts(text):
    (section,) = read_bytes(text.encode(), name="x").sections
    assert section.format == "df"
    return section.reading, {(fact.name, fact.labels["mount"]): fact.value for fact in section.reading.facts}


def test_a_wrapped_row_is_one_file_system_and_an_unreadable_one_is_counted():
    reading, values = facts(READABLE)
    assert values == {
        ("filesystem.space_used_share", "/var/lib"): 1.0,
        ("filesystem.size_bytes", "/var/lib"): 50 << 30,
        ("filesystem.available_bytes", "/var/lib"): 0,
    }
    assert reading.facts[0].labels["device"] == "/dev/mapper/vg0-a--very--long--name"
    assert [(one.reason, one.first_line) for one in reading.skipped] == [("df could not read it", 4)]


@pytest.mark.parametrize(
    ("unit", "size_bytes"), [("1K", 1024), ("512", 512), ("1M", 1 << 20), ("1024", 1024)]
)
def test_blocks_have_the_size_that_the_head_states(unit, size_bytes):
    text = f"Filesystem {unit}-blocks Used Available Capacity Mounted on\n/dev/vda 100 40 60 40% /mnt/a b\n"
    _, values = facts(text)
    assert values["filesystem.size_bytes", "/mnt/a b"] == 100 * size_bytes


@pytest.mark.parametrize(
    ("head", "row"),
    [
        (
            "Filesystem Type 1K-blocks Used Available Use% Mounted on",
            "/dev/sr0 iso9660 90 90 0 100% /media/cd",
        ),
        ("Filesystem 1K-blocks Used Available Use% Mounted on", "/dev/loop3 56960 56960 0 100% /snap/core"),
        ("Filesystem Inodes IUsed IFree IUse% Mounted on", "/dev/loop3 10847 10847 0 100% /snap/core"),
        (
            "Filesystem 1K-blocks Used Available Use% Mounted on",
            "snapfuse 64896 64896 0 100% /snap/core20",
        ),
        ("Filesystem 1K-blocks Used Available Use% Mounted on", "/dev/root 2304 2304 0 100% /rom"),
        (
            "Filesystem 1K-blocks Used Available Use% Mounted on",
            "editor.AppImage 98304 98304 0 100% /tmp/.mount_editorX",
        ),
    ],
)
def test_read_only_images_have_no_used_share(head, row):
    _, values = facts(f"{head}\n{row}\n/dev/sda1 10 5 5 50% /\n")
    assert [mount for name, mount in values if name.endswith("_used_share")] == ["/"]


@pytest.mark.parametrize("device", ["/dev/loop0", "/dev/root"])
def test_the_root_of_a_machine_is_no_image(device):
    head = "Filesystem 1K-blocks Used Available Use% Mounted on"
    _, values = facts(f"{head}\n{device} 8191416 8191416 0 100% /\n")
    assert values["filesystem.space_used_share", "/"] == 1.0
