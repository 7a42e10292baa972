"""What tables, keys and status lines of tools without a reader say on the first screen."""

from __future__ import annotations

from pathlib import Path

import pytest

from benchmarks.held_out import without
from signatures.engines import Engines
from tests.signatures.overview.test_first_screen import overview, states

SHOWN = Path(__file__).parents[3] / "benchmarks/pool/shown"


@pytest.mark.parametrize(
    ("name", "words", "line"),
    [
        ("series/001.txt", ("Pool T", "stops between", "0 in 4 of 14"), 5),
        ("series/005.txt", ("ARC", "momentary need", "97.8 GiB"), 4),
        ("series/006.txt", ("transfer test", "0 in all 18 rows"), 1),
        ("series/008.txt", ("written", "bursts", "48.51 MiB/s"), 1),
        ("series/011.txt", ("takes memory", "1501 MiB", "551 MiB"), 1),
        ("tables/005.txt", ("RTT", "Power save enabled", "Power save disabled"), 4),
        ("tables/008.txt", ("0x50005", "under-voltage is detected now"), 8),
        ("tables/016.txt", ("Remaining_Lifetime_Perc", "worn out"), 7),
        ("tables/019.txt", ("guest.mem.ballooned", "15.9 GiB"), 15),
        ("tables/028.txt", ("Wear_Leveling_Count", "is 2"), 6),
        ("tables/004.txt", ("IRQ 28", "storm", "107,084,299"), 9),
        ("tables/006.txt", ("rxq0", "no_frags", "1 %"), 39),
        ("tables/029.txt", ("raidz1-1", "before its disks", "18 checksum errors"), 12),
    ],
)
def test_mechanism_and_subject_lead_with_their_lines(name, words, line):
    found = overview((SHOWN / name).read_text())
    assert all(one in found.headline.text for one in words), found.headline.text
    lead = found.lead.whole
    assert lead is not None
    assert not lead.is_filler
    assert lead.places[0].first_line == line


@pytest.mark.parametrize("name", ["series/004.txt", "series/007.txt", "tables/003.txt", "tables/014.txt"])
def test_benign_numbers_are_no_alarm(name):
    found = overview((SHOWN / name).read_text())
    assert not {"alarm", "notable"} & set(states(found).values())


ROWS = "queue  used  max\nq1     {}   100\nq2     4     100\nq3     7     100\n"


@pytest.mark.parametrize(("used", "kind"), [("100", "alarm"), ("95 ", "fact")])
def test_a_limit_that_the_table_states_is_an_alarm_when_it_is_reached(used, kind):
    first = overview(ROWS.format(used)).statements[0].statement
    assert (first.kind, "100" in first.text, first.places[0].first_line) == (kind, True, 2)


PEERS = "osd  commit_latency(ms)  apply_latency(ms)\n 12  {}  4\n  7  2  4\n  3  1  4\n  4  2  3\n"
SENSORS = "Package id 0:  +{}.0 C  (high = +80.0 C, crit = +100.0 C)\nCore 0: +61.0 C\nCore 1: +60.0 C\n"


@pytest.mark.parametrize(("value", "is_stated"), [(1812, True), (3, False)])
def test_an_outlier_among_peers_is_notable_and_no_alarm(value, is_stated):
    every = [one.statement for one in overview(PEERS.format(value)).statements]
    found = [one for one in every if one.level == "notable" and "osd 12" in one.text]
    assert (bool(found), {one.kind for one in every}) == (is_stated, {"fact"})


@pytest.mark.parametrize(("value", "is_alarm"), [(101, True), (62, False)])
def test_a_limit_behind_the_value_is_that_of_its_line(value, is_alarm):
    every = [one.statement for one in overview(SENSORS.format(value)).statements]
    assert any(one.kind == "alarm" and "101" in one.text for one in every) == is_alarm


def test_numbers_without_a_meaning_make_no_alarm():
    found = overview(ROWS.replace("max", "foo").format("100"))
    assert not any(one.statement.kind == "alarm" for one in found.statements)


@pytest.mark.parametrize("state", ["off", "shadow"])
def test_the_engine_can_be_switched_off(state, monkeypatch):
    monkeypatch.setattr("signatures.overview.configured", lambda: Engines.parse(f"quantities={state}"))
    found = overview((SHOWN / "tables/008.txt").read_text())
    assert "0x50005" not in found.headline.text


DISKS = "time      disk  %util  await\n" + "".join(
    f"10:00:0{at}  {disk}   {99.5 if disk == 'sdb' and 2 <= at < 7 else 1.0}   0.3\n"
    for at in range(9)
    for disk in ("sda", "sdb")
)


def test_what_is_high_for_a_while_is_stated_by_the_rule_of_the_tools_that_are_read():
    first = overview(DISKS).statements[0].statement
    assert all(one in first.text for one in ("sdb", "99.5 %", "10:00:02", "5 s")), first.text
    assert (first.question, first.engine, first.places[0].first_line) == ("io", "quantities", 7)


def test_a_table_without_a_high_row_states_no_window():
    found = overview(DISKS.replace("99.5", "20.5"))
    assert {one.statement.level for one in found.statements} <= {"context"}


TOOLS = ("iostat", "mpstat", "sar", "atop", "df", "nfsiostat", "rdma-statistic", "prometheus", "collectl")
SPLIT = "%usr  %nice  %sys  %iowait  %idle\n{}\n"
PER_CPU = "CPU  %usr  %soft  %idle\n" + "".join(
    f"  {at}  1.0  {'{}' if at == 3 else '0.0'}  9.0\n" for at in range(8)
)
GRAFANA = '"Time","node-1 CPU iowait %","node-2 CPU iowait %"\n' + "".join(
    f"2026-03-01 10:0{at}:00,{value},0.8\n"
    for at, value in enumerate((1.2, 1.1, 1.4, 62.2, 71.9, 68.4, 1.3, 1.2))
)
HAPROXY = "# pxname,svname,qcur,scur,smax,slim\nweb,FRONTEND,,{},2000,2000\napp,BACKEND,0,12,40,200\n"
AGES = (
    "pid,usename,xact_age\n41211,app,{}\n41302,app,00:00:01.8\n41303,app,00:00:01.1\n41304,app,00:00:01.4\n"
)
LINK = '[{{"ifname":"eth0","stats64":{{"rx":{{"packets":81234123,"errors":0,"dropped":{}}}}}}}]\n'
LAGS = "GROUP TOPIC PARTITION LAG\nb orders 0 3\nb orders 1 {}\nb orders 2 0\nb orders 3 1\n"
ARC = "zfs:0:arcstats:arc_meta_limit\t3221\nzfs:0:arcstats:arc_meta_used\t4812\nzfs:0:arcstats:x\t1\n"
FULL = "Filesystem  Size  Used  Use%\n/dev/sda1  40G  {}G  {}%\n/dev/sdb1  40G  3G  8%\n"


@pytest.mark.parametrize(
    ("text", "words"),
    [
        (SPLIT.format("62.0  25.0  13.0  0.0  0.0"), ("CPUs are 0 % idle", "62 % programs")),
        (
            "CPU | sys  18% | user  180% | irq  2% | idle  0% | wait  0% |\n",
            ("0 % idle", "90 % programs"),
        ),
        (PER_CPU.format("99.0"), ("oft interrupt time", "CPU 3", "99 %")),
        ("Device  r/s  r_await  %util\nsda  120.0  180.0  99.0\n", ("sda is busy", "99 %")),
        ("read:  ops/s  kB/s  avg exe (ms)\n       96.1  12.1     1203.120\n", ("1.203 s",)),
        (
            FULL.format(38, 96),
            ("/dev/sda1", "96 %"),
        ),
        ("numcpu 2\nnode_load1 14.7\nnode_load5 13.1\n", ("Load average", "14.7", "2 CPUs")),
        ("link mlx5_0/1 out_of_buffer 0 duplicate_request 0 local_ack_timeout_err 8\n", ("8", "mlx5_0/1")),
        (GRAFANA, ("71.9 %", "node-1", "10:03:00")),
        (HAPROXY.format(2000), ("web", "2,000 of at most 2,000")),
        (
            "maxclients:10000\nconnected_clients:9998\nused_memory:11\n",
            ("connected_clients", "of at most 10,000"),
        ),
        (
            LAGS.format(2788929),
            ("orders PARTITION 1",),
        ),
        ("  O    YGC   YGCT  FGC  FGCT\n99.98  8123  91.2  412  812.3\n", ("old generation", "100 %")),
        (AGES.format("03:41:12.1"), ("pid 41211", "13,272 s")),
        (
            "MAIN.sess_conn  812 1.0 a\nMAIN.sess_dropped  81  0.1 b\nMAIN.threads  9 . c\n",
            ("Dropped", "81"),
        ),
        (LINK.format(9123412), ("eth0", "dropped", "11.2 %")),
        (
            ARC,
            ("4,812", "3,221"),
        ),
    ],
)
def test_what_an_expert_sees_in_a_table_of_a_tool_that_nobody_listed(text, words):
    with without(*TOOLS):
        found = overview(text)
    told = [one.statement.text for one in found.statements if one.statement.level != "context"]
    assert any(all(word in text for word in words) for text in told), told


@pytest.mark.parametrize(
    "text",
    [
        SPLIT.format("12.0  0.0  3.0  0.0  85.0"),
        SPLIT.format("39.0  1.0  22.0  18.0  20.0"),
        PER_CPU.format("0.5"),
        "Device  r/s  r_await  %util\nsda  0.2  180.0  4.0\n",
        FULL.format(28, 70),
        HAPROXY.format(12),
        AGES.format("00:00:01.2"),
        LINK.format(12),
        LAGS.format(1),
        "name  messages_ready  messages_unacknowledged\na  3  0\nb  0  3\nc  1  1\nd  0  0\n",
        "maxclients:10000\nconnected_clients:12\nused_memory:11\n",
        "numcpu 16\nnode_load1 14.7\nnode_load5 13.1\n",
    ],
)
def test_a_healthy_table_of_a_tool_that_nobody_listed_is_quiet(text):
    with without(*TOOLS):
        found = overview(text)
    assert {one.statement.level for one in found.statements} <= {"context"}
