"""States of objects in whatever form tools print them, and words that look alike and mean nothing."""

from __future__ import annotations

import time

import pytest

from ingest.engines.status.find import statuses
from ingest.engines.status.model import COLUMNS, Record, row_set
from ingest.engines.status.words import word_by_name, word_of, words
from ingest.evidence import read_bytes

POD = """\
apiVersion: v1
items:
- kind: Pod
  metadata:
    name: web-0
    labels: {status: Failed}
  spec:
    containers:
    - name: app
      state: Failed
  status:
    conditions:
    - lastTransitionTime: "2024-01-01T00:00:00Z"
      message: 'containers with unready status: [app]'
      reason: ContainersNotReady
      status: "False"
      type: Ready
    containerStatuses:
    - lastState:
        terminated:
          exitCode: 137
          finishedAt: "2024-01-01T00:10:00Z"
          reason: OOMKilled
      name: app
      restartCount: 61
      state:
        waiting:
          message: back-off 5m0s restarting failed container=app
          reason: CrashLoopBackOff
    phase: Running
"""
INSPECT = """\
[
    {
        "Id": "4c01db0b339c",
        "State": {
            "Status": "exited",
            "OOMKilled": true,
            "ExitCode": 137,
            "FinishedAt": "2024-01-01T00:00:00Z"
        },
        "Name": "/db",
        "RestartCount": 3,
        "HostConfig": {"RestartPolicy": {"Name": "always"}},
        "Config": {"Env": ["STATUS=failed"]}
    }
]
"""
DOCKER = """\
CONTAINER ID   IMAGE     COMMAND     CREATED        STATUS                       PORTS     NAMES
4c01db0b339c   redis:7   "redis"     3 days ago     Exited (137) 2 hours ago               cache_1
4c01db0b339d   web:7     "run x"     3 days ago     Up 3 days (unhealthy)        80/tcp    web_1
4c01db0b339e   ok:7      "run"       3 days ago     Up 3 days                              ok_1
"""
UNITS = """\
  UNIT            LOAD   ACTIVE SUB    DESCRIPTION
● app.service     loaded failed failed App server
  sshd.service    loaded active running SSH
"""
SHOW = "Id=web.service\nActiveState=activating\nSubState=auto-restart\nResult=exit-code\nNRestarts=88\n"
STATUS = "● app.service - App\n     Active: failed (Result: oom-kill) since Tue 10:11; 4min ago\n"
POOL = """\
  pool: tank
 state: DEGRADED
config:

        NAME        STATE     READ WRITE CKSUM
        tank        DEGRADED     0     0     0
          sda       ONLINE       0     0     0
          sdb       FAULTED     12   841     0  too many errors
"""
MD = """\
/dev/md0:
           Version : 1.2
             State : clean, degraded

    Number   Major   Minor   RaidDevice State
       0       8        1        0      active sync   /dev/sda1
       1       8       17        -      faulty   /dev/sdb1
"""
OSDS = """\
ID  CLASS WEIGHT  TYPE NAME       STATUS REWEIGHT PRI-AFF
-1       3.0 root default
 0   hdd 1.0         osd.0       up  1.00000 1.00000
 1   hdd 1.0         osd.1     down        0 1.00000
"""
LVS = """\
  LV   VG   Attr       LSize  Pool Origin Data%  Meta%
  root vg0  -wi-ao---- 10.00g
  r1   vg0  rwi-aor-p- 10.00g
"""
MEGA = """\
Slot Number: 3
Media Error Count: 12
Firmware state: Failed
Slot Number: 4
Firmware state: Online, Spun Up
"""
STORCLI = """\
0/0   RAID1 Dgrd  RW     Yes     NRWTD -   ON  1.818 TB vd0
252:1     5 Offln  0   1.818 TB SATA HDD N   N  512B ST2 U
"""
CEPH = "  cluster:\n    health: HEALTH_WARN\n            3 osds down\n"
DRIVE = "      physicaldrive 1I:1:2 (port 1I:box 1:bay 2, SAS, 300 GB, Failed)\n"
LINE = '{"name": "db", "State": {"Status": "exited", "OOMKilled": true, "ExitCode": 137}, "HostConfig": {}}'
HEADLESS = "cdi-99b44      team-cnv     Evicted   rack-03   Pod The node had condition: [DiskPressure].\n"
EVENTS = """\
Events:
  Type     Reason            Age                    From               Message
  ----     ------            ----                   ----               -------
  Normal   Pulled            45m                    kubelet            Container image already present
  Warning  Unhealthy         4m56s (x240 over 44m)  kubelet            Liveness probe errored
"""


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (POD, [("container", "app", "oom_killed", 137.0, 61.0)]),
        (INSPECT, [("container", "db", "oom_killed", 137.0, 3.0)]),
        (
            LINE,
            [("container", "db", "oom_killed", 137.0, None)],
        ),
        (
            DOCKER,
            [
                ("container", "cache_1", "exited_by_kill", 137.0, None),
                ("container", "web_1", "unhealthy_container", None, None),
            ],
        ),
        (UNITS, [("unit", "app.service", "unit_failed", None, None)]),
        (SHOW, [("unit", "web.service", "unit_auto_restart", None, 88.0)]),
        (STATUS, [("unit", "app.service", "unit_oom_killed", None, None)]),
        (
            POOL,
            [
                ("pool", "tank", "pool_not_whole", None, None),
                ("device of a pool", "tank", "device_degraded", None, None),
                ("device of a pool", "sdb", "device_out", None, None),
            ],
        ),
        (
            MD,
            [
                ("array", "/dev/md0", "array_degraded", None, None),
                ("member of an array", "/dev/sdb1", "member_out", None, None),
            ],
        ),
        (OSDS, [("OSD", "osd.1", "osd_down", None, None)]),
        (LVS, [("volume", "r1", "volume_partial", None, None)]),
        (MEGA, [("disk in slot", "3", "disk_failed", None, None)]),
        (
            STORCLI,
            [
                ("virtual disk", "0/0", "virtual_degraded", None, None),
                ("disk in slot", "252:1", "disk_failed", None, None),
            ],
        ),
        (HEADLESS, [("pod", "cdi-99b44", "evicted_from_node", None, None)]),
        (EVENTS, [("", "", "event_unhealthy", None, None)]),
        (
            CEPH,
            [("cluster", "", "cluster_warning", None, None)],
        ),
        (
            DRIVE,
            [("disk", "1I:1:2", "disk_failed", None, None)],
        ),
    ],
)
def test_an_object_has_name_state_exit_code_and_restarts_in_every_form(text, expected):
    found = [one for one in statuses(text.split("\n")) if one.word]
    assert [(one.kind, one.name, one.word, one.exit_code, one.restarts) for one in found] == expected
    for cut in range(1, text.count("\n")):
        statuses(text.split("\n")[cut:])  # a paste that begins anywhere


@pytest.mark.parametrize(
    "text",
    [
        "spec:\n  status: Failed\n  state: failed\n",
        "  Type             Status\n  MemoryPressure   False\n  Ready            True\n",
        "NAME    READY   STATUS    RESTARTS   AGE\nweb-0   1/1     Running   0          3h\n",
        "Active: inactive (dead)\nActive: active (running) since Tue 10:11\n",
        '{"status": 500, "state": "failed", "msg": "request failed"}\n' * 3,
        "State      Recv-Q Send-Q Local Address:Port\nCLOSE-WAIT 1      0      10.0.0.1:80\n",
        "it failed again: state of the art, status unknown, OOMKilled was not seen\n",
        "pool: tank\n state: ONLINE\n",
    ],
)
def test_what_is_asked_for_healthy_or_prose_means_nothing(text):
    wrong = [one for one in statuses(text.split("\n")) if one.word and one.word != "unit_failed"]
    assert wrong == []


def test_every_word_is_met_by_a_tool_and_by_none_that_looks_alike():
    wrong = [
        (word.name, fields)
        for word in words()
        for fields in word.lookalikes
        for kind in word.kinds or ("container",)
        if (found := word_of(Record(kind, "x", 0, fields))) is not None and found.name == word.name
    ]
    assert wrong == []
    assert [word.name for word in words() if not word.met or not word.lookalikes] == []
    assert len(word_by_name()) == len(words())
    assert {name for word in words() for name in word.after} <= set(word_by_name())


@pytest.mark.parametrize(
    "text",
    [
        "  " * 30_000 + "state: failed",
        "\n".join("  " * at + f"k{at}:" for at in range(400)) + "\nstate: failed",
        "NAME  STATUS\n" + "a\0b  Failed\n" * 20_000,
        "[" * 50_000 + "status",
        '{"state":' * 5_000 + "1" + "}" * 5_000,
        "state: " + "9" * 400 + "\nexit code: " + "9" * 400 + "\nname: x\n",
    ],
)
def test_large_deep_and_broken_input_ends_in_time(text):
    begun = time.process_time()
    found = statuses(text.split("\n"))
    assert time.process_time() - begun < 20
    assert row_set(found, 1).columns == COLUMNS if found else True


def test_rows_have_the_lines_of_the_evidence():
    section = read_bytes(f"intro of a mail\n\n{POD}".encode(), name="x").sections[-1]
    (rows,) = [one for one in section.reading.row_sets if one.name == "status_objects"]
    worst = next(line for line, row in zip(rows.row_lines, rows.rows, strict=True) if row[2] == "oom_killed")
    assert f"intro of a mail\n\n{POD}".split("\n")[worst - 1].strip() == "waiting:"


def test_a_replica_states_which_thread_stopped_and_why():
    lines = [
        "*************************** 1. row ***************************",
        "                  Source_Host: db1",
        "           Replica_IO_Running: Connecting",
        "          Replica_SQL_Running: No",
        "               Last_SQL_Error: Could not execute Write_rows event on table shop.orders",
        "*************************** 2. row ***************************",
        "                  Master_Host: db2",
        "             Slave_IO_Running: Yes",
        "            Slave_SQL_Running: Yes",
    ]
    found = {one.word: one for one in statuses(lines)}
    assert set(found) == {"replica_connecting", "replica_sql_stopped"}
    assert found["replica_sql_stopped"].name == "of db1"
    assert found["replica_sql_stopped"].message.startswith("Could not execute Write_rows")
    assert not found["replica_connecting"].message
