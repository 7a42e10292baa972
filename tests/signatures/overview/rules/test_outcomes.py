"""A sentence about what a tool states names whom it is about."""

from __future__ import annotations

import pytest

from tests.signatures.overview.test_first_screen import overview

SELINUX = (
    'type=AVC msg=audit(1.5:9): avc:  denied  {{ {access} }} for  pid=1800 comm="{comm}" path="/proc" '
    "scontext=system_u:system_r:{domain}:s0:c331 tcontext=system_u:object_r:proc_t:s0 tclass=dir\n"
)
APPARMOR = (
    'type=AVC msg=audit(1.5:9): apparmor="DENIED" operation="{access}" profile="{domain}" '
    'name="/proc" pid=4711 comm="{comm}" requested_mask="r"\n'
)


@pytest.mark.parametrize("line", [SELINUX, APPARMOR], ids=["SELinux", "AppArmor"])
def test_a_denial_names_task_domain_access_and_target(line):
    words = {"comm": "widget", "domain": "container_t", "access": "mounton"}
    found = overview(line.format(**words)).statements[0].statement.text
    assert [word for word in (*words.values(), "/proc") if word not in found.partition("type=")[0]] == []
